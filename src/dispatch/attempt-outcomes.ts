/** Applies the outcome of an attempt to its deliveries and its lane, and writes the result. */
import { Inject, Injectable, Logger } from '@nestjs/common'

import type { Sent } from '../deliveries/attempt.entity.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { getIdTime } from '../platform/database/ids.js'
import { proxyErrorClass } from '../platform/outbound/outcome.js'
import type { Outcome } from '../platform/outbound/outcome.js'
import { currentMs } from '../platform/util/clock.js'
import { DurationHistogram, HistogramFamily } from '../platform/util/duration-histogram.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { WebhookHealth } from '../webhooks/webhook-health.js'
import { SendPermits } from './send-permits.js'
import type { AttemptResult } from './attempt-results.js'
import { retryDelay } from './backoff.js'
import { BatchesRepository } from './batches.repository.js'
import type { DueRequest } from './due-request.js'
import { Heartbeat } from './heartbeat.js'
import { soonMs } from './limits.js'
import { ResultsWriter } from './results-writer.js'
import type { ServedLane } from './served-lane.js'

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

@Injectable()
export class AttemptOutcomes {
  private readonly logger = new Logger(AttemptOutcomes.name)
  readonly durations = new AttemptDurations()

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly permits: SendPermits,
    private readonly results: ResultsWriter,
    private readonly batches: BatchesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly health: WebhookHealth,
  ) {}

  /** Resolves when the result is written. */
  async recordAttempt(lane: ServedLane, request: DueRequest, sent: Sent): Promise<void> {
    const isDeferred = isProxyFault(sent.outcome)
    this.durations.recordAttempt(request, sent.outcome, isDeferred)
    const result = isDeferred
      ? this.deferDelivery(lane, request, sent)
      : this.applyOutcome(lane, request, sent)
    await this.results.addResult(result)
    if (result.isTooLarge) await this.splitBatch(request)
    lane.markWritten(request)
    if (isGone(sent.outcome)) this.health.receiverIsGone(lane.webhookId, sent.url)
    if (result.retryInMs !== null && result.retryInMs < soonMs) lane.wakeIn(result.retryInMs)
  }

  /** Updates the lane and the rate with the outcome, and returns the result to write. */
  private applyOutcome(lane: ServedLane, request: DueRequest, sent: Sent): AttemptResult {
    const { outcome, url } = sent
    const isSuccess = outcome.error === null
    const isTooLarge = outcome.statusCode === 413 && request.deliveries.length > 1
    const pauseMs = outcome.retryAfter && Math.max(0, outcome.retryAfter.getTime() - currentMs())
    // A response from the previous URL of a webhook says nothing about its new receiver.
    if (lane.claimedLane?.url === url && !isTooLarge) {
      this.permits.recordOutcome(lane, outcome)
      lane.updateFromOutcome(isSuccess, outcome.durationMs)
      if (lane.circuitIsOpen || pauseMs !== null || isGone(outcome)) lane.suspend()
    }
    const retryInMs = isSuccess
      ? null
      : isTooLarge
        ? 0
        : retryDelay(this.settings.webhookRetrySchedule, request.scheduledAttempt)
    if (lane.isOrdered && retryInMs !== null) lane.dropBlocked()
    return {
      ...sent,
      webhookId: lane.webhookId,
      deliveries: request.deliveries,
      status: isSuccess ? 'succeeded' : retryInMs === null ? 'failed' : 'pending',
      retryInMs,
      pauseMs,
      failuresInARow: lane.failuresInARow,
      isTooLarge,
      isCharged: true,
    }
  }

  /** Returns the result of an attempt that failed in the egress proxy, which says nothing about the receiver. */
  private deferDelivery(lane: ServedLane, { deliveries }: DueRequest, sent: Sent): AttemptResult {
    const retryInMs = this.permits.recordProxyFault(lane)
    if (lane.isOrdered) lane.dropBlocked()
    return {
      ...sent,
      webhookId: lane.webhookId,
      deliveries,
      status: 'pending',
      retryInMs,
      pauseMs: null,
      failuresInARow: lane.failuresInARow,
      isTooLarge: false,
      isCharged: false,
    }
  }

  /** If this fails, the whole batch is sent again, and then split. */
  private async splitBatch(request: DueRequest): Promise<void> {
    try {
      await this.batches.splitBatch(this.heartbeat.worker, request)
    } catch (error) {
      this.logger.warn(`Cannot split a batch: ${(error as Error).message}`)
    }
  }
}

function isProxyFault({ error }: Outcome): boolean {
  return error?.class === proxyErrorClass
}

/** True for 410: the receiver wants no further deliveries. */
function isGone({ statusCode }: Outcome): boolean {
  return statusCode === 410
}
