/** Every limit of this folder, so that they can be compared and changed in one place. */

/** Claims for proven receivers: how many lanes share a statement, and how many statements run at once. */
export const claims = { most: 50, atOnce: 2 }
/** Claims for unproven receivers. They may keep this process busy, so a rest after each leaves time for proven ones. */
export const unprovenClaims = { most: 32, atOnce: 1, restMs: 40 }
/** One statement gives at most this many leases back, so that it holds its locks only for a moment. */
export const releases = { most: 200, atOnce: 1 }
/** One statement writes at most this many results. More would save no time, and keep their lanes locked for longer. */
export const results = { most: 1_000, atOnce: 1 }
/** The result of a success waits at most this long for others to be written with it. */
export const successGathersMs = 8
/** The result of a failure may wait longer, because the next step of its delivery is not urgent. */
export const failureGathersMs = 100

/** A claim or a release that failed is tried again after this time. */
export const afterFailureMs = 500

/** A worker that was silent for this long has lost its lanes. */
export const leaseMs = 8_000
/** A worker gives a sign of life this often. It can miss two and keep its lease. */
export const heartbeatMs = 2_000
/** A worker looks this often whether it has more than its share of the lanes. */
export const shareCheckMs = 250
/** A lane is handed over only after this time, because most lanes end sooner by themselves. */
export const settledAfterMs = 250
/** Free lanes that no worker took after a hint are served without one, this many at a time. */
export const mostWithoutHint = 64
/** A claim is preceded by a heartbeat when less of the lease than this is left. */
export const freshLeaseMs = leaseMs / 2
/** Each worker asks the database this often what is due. */
export const duePollMs = 2_000
/** A look finds what becomes due within this time, which is longer than the wait for the next look. */
export const dueSoonMs = 1.5 * duePollMs
/** Looking for what is due may take at most this share of the time. When a look is slow, the next one comes later. */
export const duePollShare = 0.02
/** The next look comes at the latest after this time, because a slow look must not delay retries for long. */
export const longestDuePollMs = 10_000
/** A retry that is due within this time gets a timer in memory, so that it does not have to wait for a look. */
export const soonMs = 5_000
/** A job for proven receivers ends after this time at the latest, even when its lanes have not looked yet. */
export const lookWaitMs = 100
/** A worker that stops waits this long for its requests, more than the default WEBHOOK_TIMEOUT. Others are cut off. */
export const requestsEndWithinMs = 18_000
/** After its requests, a worker that stops waits this long for their results to be written. */
export const stopWaitMs = 1_500

/** A worker keeps about this many deliveries in memory at most, shared by all its lanes. */
export const mostInMemory = 20_000
/** Of replays a claim reads up to one part in this many of its limit, and at least one. Live events go first. */
export const replayShare = 4
/** A receiver gets this many requests at a time until one has succeeded. */
export const firstWindow = 1
/** One claim reads at most this many deliveries until the receiver takes as many requests at a time as it may get. */
export const firstRead = 16
/** A request that takes longer than this is slow. Slow requests count apart, to leave room for other receivers. */
export const slowAfterMs = 1_000
/** The requests under way are searched this often for those that have become slow. */
export const slowSweepMs = 250
/** A worker may have this many slow requests for each quick one, because they cost little more than their sockets. */
export const slowPerQuick = 2
/** Lanes that are not known as slow may send until the slow requests reach this many times their limit. */
export const mostSlowOverrun = 2

/** After this many failures in a row the circuit opens, and new deliveries are sent as probes only. */
export const circuitOpensAfter = 5
/** The first probe waits this long, and each further one twice as long as the one before. */
export const firstProbeMs = 2_000
/** No probe waits longer than this: a receiver that is back is found within five minutes. */
export const longestProbeMs = 300_000
/** A retry waits up to this part of its step longer, so that retries do not come together. */
export const retrySpread = 0.1

/** The lowest rate of first attempts per second at unknown receivers. It applies while most of them fail. */
export const firstAttemptsPerSecond = 100
/**
 * The lowest rate of attempts per second at receivers that failed last time, and at new ones where an attempt at their
 * origin did harm lately. It applies while most of them fail.
 */
export const nextAttemptsPerSecond = 25
/** The highest rate. No worker reaches it. */
export const fastestPerSecond = 10_000
/** A harmless attempt multiplies its rate by this factor, and a harmful one divides it. */
export const rateStep = 1.1
/** Lanes that wait for their rate try again this often. */
export const rateRoundMs = 10
/** A rate saves up at most what it allows in this time. */
export const rateCreditMs = 50
/** What was learned at an origin is remembered for this many origins, and for this many milliseconds. */
export const originMemory = { max: 10_000, ttl: 60_000 }
/** The use of the event loop is measured over this time: long enough to be steady, and soon enough to slow down. */
export const headroomSampleMs = 100
/** The event loop has full headroom while at most this share of its time is used. */
export const mostTimeTaken = 0.5
/** Attempts at unknown receivers get this share of their rate even when the event loop has no headroom. */
export const leastHeadroom = 0.1

/** A job has at most this many lanes. Several jobs let workers share the work, but small ones slow one worker down. */
export const lanesInJob = 100
/** After a hint for unproven receivers the next ones are gathered for this long, so that failures make few jobs. */
export const hintGatherMs = 250

/** Once in this time one worker deletes the rows of workers that died. */
export const maintenanceEveryMs = 60_000
/** A dead worker's row is deleted after this time, which is written as an interval of PostgreSQL. */
export const deadWorkersKept = '1 hour'
