/** All limits of dispatch. */

/** Claims for proven receivers: lanes per statement, and concurrent statements. */
export const claims = { maxItems: 50, concurrency: 2 }
/** Claims for unproven receivers. The rest after each claim leaves time for proven receivers. */
export const unprovenClaims = { maxItems: 32, concurrency: 1, restMs: 40 }
/** Statements that read the deliveries of claimed ordered lanes. */
export const orderedClaims = { maxItems: 50, concurrency: 1 }
/** Releases per statement. A limit keeps the locks short. */
export const releases = { maxItems: 200, concurrency: 1 }
/** Deliveries with results per statement. More would not be faster, and would lock the lanes for longer. */
export const results = { maxItems: 1_000, concurrency: 1 }
/** Maximum time to collect results after a success. */
export const successGathersMs = 8
/** Maximum time to collect results after a failure, which is less urgent. */
export const failureGathersMs = 100

/** Delay before a failed claim or release is retried. */
export const afterFailureMs = 500

/** Duration of a lease. A worker without a heartbeat for this long loses its lanes. */
export const leaseMs = 8_000
/** Interval of heartbeats. A worker can miss two and keep its lease. */
export const heartbeatMs = 2_000
/** Interval at which a worker checks whether it has more than its share of the lanes. */
export const shareCheckMs = 250
/** Minimum age of a lane that is handed over. Most lanes are released sooner. */
export const settledAfterMs = 250
/** Maximum number of free lanes per poll that are served without a hint, if no worker claimed them after one. */
export const maxWithoutHint = 64
/** A claim sends a heartbeat first if less than this is left of the lease. */
export const freshLeaseMs = leaseMs / 2
/** Interval at which each worker polls for due deliveries. */
export const duePollMs = 2_000
/** A poll finds deliveries that become due within this time, which is longer than the poll interval. */
export const dueSoonMs = 1.5 * duePollMs
/** Maximum share of time spent polling. After a slow poll, the next one is delayed. */
export const duePollShare = 0.02
/** Maximum poll interval, so that slow polls do not delay retries for long. */
export const maxDuePollMs = 10_000
/** A retry that is due within this time gets a timer, and does not wait for a poll. */
export const soonMs = 5_000
/** Maximum time that a job for proven receivers waits until their lanes have checked for due deliveries. */
export const checkWaitMs = 100
/** Maximum wait of a stopping worker for requests in flight. Longer than the default WEBHOOK_TIMEOUT. */
export const requestsEndWithinMs = 18_000
/** Maximum wait of a stopping worker for results to be written. */
export const stopWaitMs = 1_500

/** Approximate maximum of deliveries in memory, shared by all lanes of a worker. */
export const maxInMemory = 20_000
/** A claim reads at most its limit divided by this number of replays, and at least one. Live events go first. */
export const replayShare = 4
/** Concurrent requests to a receiver until one succeeds. */
export const firstWindow = 1
/** Deliveries per claim until the receiver handles its maximum of concurrent requests. */
export const firstRead = 16
/** A request that takes longer than this is slow. Slow requests have their own limit. */
export const slowAfterMs = 1_000
/** Interval at which requests in flight are checked for slow ones, and the next slow requests start. */
export const slowRoundMs = 50
/** Slow slots per quick slot. Slow requests cost little more than their sockets. */
export const slowPerQuick = 2
/** Quick requests wait when slow requests reach this many times the slow limit. */
export const maxSlowOverrun = 2

/** Failures in a row that open the circuit. New deliveries are then sent as probes only. */
export const circuitOpensAfter = 5
/** Delay of the first probe. The delay doubles with each further probe. */
export const firstProbeMs = 2_000
/** Maximum delay of a probe. */
export const maxProbeMs = 300_000
/** Maximum jitter of a retry, as a share of its step. */
export const retrySpread = 0.1

/** Delay after a fault of the egress proxy. The delay doubles with each further fault in the lane. */
export const firstDeferMs = 2_000
/** Maximum delay after a fault of the egress proxy. */
export const maxDeferMs = 30_000
/** Maximum jitter of the delay after a fault, as a share of the delay. */
export const deferJitter = 0.2
/** Size and lifetime (in milliseconds) of the cache of proxy faults by webhook. */
export const deferMemory = { max: 10_000, ttl: 600_000 }
/** Time after which another request tries the egress proxy if the last trial has no result. */
export const proxyTrialMs = 5_000

/** Lowest rate per second of first attempts to unproven receivers. Reached while most attempts fail. */
export const firstAttemptsPerSecond = 100
/**
 * Lowest rate per second of attempts to receivers whose last attempt failed, and to new receivers whose origin had a
 * recent harmful attempt. Reached while most attempts fail.
 */
export const nextAttemptsPerSecond = 25
/** Highest rate per second. No worker reaches this rate. */
export const fastestPerSecond = 10_000
/** Factor by which a harmless attempt multiplies its rate and a harmful one divides it. */
export const rateStep = 1.1
/** Interval at which waiting lanes are checked against their rate. */
export const rateRoundMs = 10
/** Maximum credit of a rate, as the time in which the credit is earned. */
export const rateCreditMs = 50
/** Size and lifetime (in milliseconds) of the caches of good and bad origins. */
export const originMemory = { max: 10_000, ttl: 60_000 }
/** Sampling interval of the event loop's utilization. */
export const headroomSampleMs = 100
/** Utilization up to which the event loop has full headroom. */
export const maxIdleUtilization = 0.5
/** Minimum headroom. Attempts to unproven receivers keep this share of their rate when the event loop is busy. */
export const minHeadroom = 0.1

/** Maximum number of lanes per job. Several jobs let workers share the work, but small jobs slow down a single one. */
export const lanesInJob = 100
/** Time to collect further hints after a hint for unproven receivers, so that failures create few jobs. */
export const hintGatherMs = 250

/** Interval at which the rows of dead workers are deleted. */
export const maintenanceEveryMs = 60_000
/** Age at which the row of a dead worker is deleted, as a PostgreSQL interval. */
export const deadWorkersKept = '1 hour'
