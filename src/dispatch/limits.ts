/** Every limit of this folder, so that they can be compared and changed in one place. */
/** Claims for proven receivers: how many lanes share a statement, and how many statements run at once. */
export const claims = { most: 50, atOnce: 2 }
/** Claims for other receivers, with a rest between them: such receivers may keep this process busy, and others must not wait for it. */
export const firstClaims = { most: 32, atOnce: 1, restMs: 40 }
/** Leases that are given back in one statement. */
export const releases = { most: 200, atOnce: 1 }
/** Results that are written in one statement. */
export const results = { most: 1_000, atOnce: 1 }
/** A success waits this long for others to be written with it. */
export const successGathersMs = 8
/** Nobody waits for the next step of what failed, so it gathers longer. */
export const failureGathersMs = 100

/** A worker that was silent for this long has lost its lanes. */
export const leaseMs = 8_000
/** A worker that holds lanes says this often that it lives: often enough to miss two and keep its lease. */
export const heartbeatMs = 2_000
/** Each worker asks the database this often what is due; a retry that comes sooner than the next look has a timer. */
export const duePollMs = 2_000
/** A look at what is due that takes long is taken less often: it may cost this part of the time at most. */
export const duePollShare = 0.02
/** No look comes later than this after the one before: a machine that was busy for a moment must not delay retries. */
export const longestDuePollMs = 10_000
/** A retry that comes within this time is waited for in memory, because looks of other workers may be a poll apart. */
export const soonMs = 5_000
/** A job for proven receivers ends at the latest after this time, although what is due was not looked for yet. */
export const lookWaitMs = 100
/** A worker that stops gives requests this part of the ten seconds that its stop may take. */
export const receiversMayTakeMs = 4_000

/** Deliveries in the memory of a worker, shared by all its lanes. */
export const mostKnown = 20_000
/** A claim takes at most one part in this many of its limit from replays, and at least one: live events must not wait behind them. */
export const replayShare = 4
/** Requests that go to a receiver at once before it has shown that it answers. */
export const firstWindow = 1
/** Deliveries that are read for a receiver before it has shown that it answers. */
export const firstRead = 16
/** A request that takes longer than this is slow, and counts apart: however many receivers hang, others have room. */
export const momentMs = 1_000
/** Requests under way are looked through this often for those that have become slow. */
export const slowSweepMs = 250
/** Slow requests for each quick one that a worker may have: they cost little more than their sockets. */
export const slowPerQuick = 2

/** Failures in a row after which the circuit opens and only probes are sent. */
export const circuitOpensAfter = 5
/** The first probe waits this long, and each further one twice as long as the one before. */
export const firstProbeMs = 2_000
/** No probe waits longer than this: a receiver that is back is found within five minutes. */
export const longestProbeMs = 300_000
/** A retry waits up to this part of its step longer, so that retries do not come together. */
export const retrySpread = 0.1

/** First attempts a second at receivers of which nothing is known, while most of those come to nothing. */
export const firstAttemptsPerSecond = 100
/** Attempts a second at receivers whose last attempt failed, while most of those come to nothing. */
export const nextAttemptsPerSecond = 25
/** The rates rise no further than this, which no worker reaches. */
export const fastestPerSecond = 10_000
/** An attempt that does no harm raises its rate by this factor, and one that does lowers it by the same. */
export const rateStep = 1.1
/** Lanes that wait for a rate are asked again this often. */
export const rateRoundMs = 10
/** What a rate allowed and nobody used is kept for this long. */
export const rateCreditMs = 50
/** What was learned of the receivers at an origin: of how many origins, and for how many milliseconds. */
export const originMemory = { max: 10_000, ttl: 60_000 }
/** The use of the event loop is measured over this time. */
export const headroomSampleMs = 100
/** Up to this part of its time may be taken before the event loop has less headroom than all. */
export const mostTimeTaken = 0.5
/** An event loop without any headroom still gives this part to attempts at unknown receivers. */
export const leastHeadroom = 0.1

/** Lanes in one job, so that several workers can share what becomes due together; with fewer one worker alone is quicker. */
export const lanesInJob = 100
/** Hints for receivers that are not proven wait this long for others, if one was given just before: many that fail make few jobs. */
export const hintGatherMs = 250
