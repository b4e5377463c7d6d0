/** Measures the attempts of this worker, for the metrics. */
import { priorities } from '../deliveries/delivery.entity.js'
import { getIdTime } from '../platform/database/ids.js'
import type { Outcome } from '../platform/outbound/outcome.js'
import { DurationHistogram, HistogramFamily } from '../platform/util/duration-histogram.js'
import type { DueRequest } from './due-request.js'

/** WEBHOOK_TIMEOUT is 15 s by default. */
const attemptBounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30]
/** A first attempt starts within milliseconds, or after minutes if workers or receivers are too slow. */
const firstAttemptBounds = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1_800]

export class AttemptDurations {
  /** Duration of attempts by result. Deferred attempts failed in the egress proxy and do not use up retries. */
  readonly attempts = new HistogramFamily<'result' | 'error'>(attemptBounds)
  /** Time from an event to the start of its first attempt. */
  readonly untilFirst = new DurationHistogram(firstAttemptBounds)

  recordAttempt(request: DueRequest, { error, startedAt, durationMs }: Outcome, isDeferred: boolean): void {
    const result = error === null ? 'succeeded' : isDeferred ? 'deferred' : 'failed'
    this.attempts.withLabels({ result, error: error?.class ?? 'none' }).observe(durationMs / 1000)
    // Batches and replays wait by design.
    const isFirst = request.attempt === 1 && request.priority === priorities.first && !request.isBatch
    if (!isFirst || isDeferred) return
    const createdAt = getIdTime(request.deliveries[0]!.id)
    this.untilFirst.observe(Math.max(0, startedAt.getTime() - createdAt.getTime()) / 1000)
  }
}
