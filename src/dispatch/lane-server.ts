/**
 * Serves a lane: claims due deliveries, sends them, writes the results, and releases the lane. Claims, releases and
 * results of many lanes are batched into one statement each.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { Inject, Injectable, Logger } from '@nestjs/common'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import type { Sent } from '../deliveries/attempt.entity.js'
import { proxyErrorClass } from '../platform/outbound/outcome.js'
import type { Outcome } from '../platform/outbound/outcome.js'
import { BatchedCalls } from '../platform/util/batched-calls.js'
import { currentMs } from '../platform/util/clock.js'
import { WebhookHealth } from '../webhooks/webhook-health.js'
import type { AttemptResult } from './attempt-results.js'
import { AttemptDurations } from './attempt-durations.js'
import { AttemptRateLimiter } from './attempt-rate-limiter.js'
import { retryDelay } from './backoff.js'
import { BatchesRepository } from './batches.repository.js'
import { Heartbeat } from './heartbeat.js'
import { LaneClaims } from './lane-claims.js'
import { LeasesRepository } from './leases.repository.js'
import type { DueRequest } from './due-request.js'
import * as limits from './limits.js'
import { ProxyLine } from './proxy-line.js'
import { ResultsWriter } from './results-writer.js'
import { SendSlots } from './send-slots.js'
import type { Slot } from './send-slots.js'
import { Sender } from './sender.js'
import type { ServedLane } from './served-lane.js'

@Injectable()
export class LaneServer {
  private readonly logger = new Logger(LaneServer.name)
  private readonly slots: SendSlots
  private readonly rates = new AttemptRateLimiter()
  private readonly releases = new BatchedCalls<ServedLane, string | null>(limits.releases, (lanes) =>
    this.releaseLanes(lanes),
  )
  readonly durations = new AttemptDurations()
  private isStopped = false

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly leases: LeasesRepository,
    private readonly claims: LaneClaims,
    private readonly heartbeat: Heartbeat,
    private readonly batches: BatchesRepository,
    private readonly results: ResultsWriter,
    private readonly sender: Sender,
    private readonly proxy: ProxyLine,
    private readonly health: WebhookHealth,
  ) {
    this.slots = new SendSlots(settings.workerInFlight)
  }

  /**
   * Serves the lane until nothing is due, nothing may be sent, or the lane is handed over. Resolves with the next
   * holder of the lane, or with null if the lane is free.
   */
  async serveLane(lane: ServedLane): Promise<string | null> {
    this.claims.servedLanes += 1
    let holder: string | null
    do {
      while (lane.isOpen) {
        if (lane.needsClaim) void this.claimDeliveries(lane)
        if (lane.canSend && this.heartbeat.isAlive) await this.sendNext(lane)
        else if (lane.isBusy) await lane.waitForChange()
        else break
      }
      while (lane.isBusy) await lane.waitForChange()
      holder = await this.releaseLane(lane)
    } while (holder === this.heartbeat.worker)
    this.claims.servedLanes -= 1
    return holder
  }

  /** Number of requests in flight. */
  get inFlight(): number {
    return this.slots.inFlight
  }

  async waitUntilIdle(patienceMs: number): Promise<void> {
    await this.slots.waitUntilIdle(patienceMs)
  }

  stop(): void {
    this.isStopped = true
    this.slots.stop()
    this.rates.stop()
    this.proxy.stop()
  }

  /** Claims due deliveries while the lane sends those in memory. */
  private async claimDeliveries(lane: ServedLane): Promise<void> {
    lane.isClaiming = true
    try {
      const { claimed, due } = await this.claims.claimLane(lane)
      lane.markChecked()
      if (claimed) lane.updateFromClaim(claimed)
      // Without a claimed lane, the webhook is inactive, its receiver requested a pause, or another worker has the lane.
      if (!claimed || !this.sender.canSign(claimed)) lane.suspend()
      else {
        const next = await this.claims.claimNext(lane, claimed, due)
        lane.addDue(next.requests)
        if (next.mayHaveMore) lane.wake()
        if (next.nextInMs !== null) lane.wakeIn(next.nextInMs, 'batch')
      }
    } catch {
      await pause(limits.afterFailureMs)
      lane.wake()
    }
    lane.endClaim()
  }

  /** Starts the next request once the rate allows it and a slot is free, unless nothing may be sent. */
  private async sendNext(lane: ServedLane): Promise<void> {
    if (!(await this.proxy.waitForProxy(lane))) return
    if (!(await this.rates.waitForAttempt(lane))) return
    const slot = await this.slots.acquireSlot(lane.isSlow ? 'slow' : 'quick', lane)
    if (!slot) return
    if (lane.canSend && this.heartbeat.isAlive) void this.deliver(lane, lane.beginRequest(slot), slot)
    else this.slots.releaseSlot(slot)
  }

  private async deliver(lane: ServedLane, request: DueRequest, slot: Slot): Promise<void> {
    const sent = await this.sender.send(lane.claimedLane!, request)
    lane.endRequest(slot)
    this.slots.releaseSlot(slot)
    const isDeferred = isProxyFault(sent.outcome)
    this.durations.recordAttempt(request, sent.outcome, isDeferred)
    const result = isDeferred
      ? this.deferDelivery(lane, request, sent)
      : this.recordOutcome(lane, request, sent)
    await this.results.addResult(result)
    if (result.isTooLarge) await this.splitBatch(request)
    lane.markWritten(request)
    if (isGone(sent.outcome)) this.health.receiverIsGone(lane.webhookId, sent.url)
    if (result.retryInMs !== null && result.retryInMs < limits.soonMs) lane.wakeIn(result.retryInMs)
  }

  /** Updates the lane and the rate with the outcome, and returns the result to write. */
  private recordOutcome(lane: ServedLane, request: DueRequest, sent: Sent): AttemptResult {
    const { outcome, url } = sent
    const isSuccess = outcome.error === null
    const isTooLarge = outcome.statusCode === 413 && request.deliveries.length > 1
    const pauseMs = outcome.retryAfter && Math.max(0, outcome.retryAfter.getTime() - currentMs())
    // A response from the previous URL of a webhook says nothing about its new receiver.
    if (lane.claimedLane?.url === url && !isTooLarge) {
      this.proxy.recordPass(lane)
      this.rates.recordOutcome(lane, outcome)
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
    const retryInMs = this.proxy.recordFault(lane)
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

  /** Resolves with the next holder: this worker if another one found new deliveries in the lane. */
  private async releaseLane(lane: ServedLane): Promise<string | null> {
    for (;;) {
      try {
        const holder = await this.releases.call(lane)
        if (holder === this.heartbeat.worker) lane.wake()
        return holder
      } catch {
        if (this.isStopped) return null
        await pause(limits.afterFailureMs)
      }
    }
  }

  private async releaseLanes(lanes: readonly ServedLane[]): Promise<(lane: ServedLane) => string | null> {
    try {
      const holders = await this.leases.releaseLanes(this.heartbeat.worker, lanes)
      return ({ webhookId }) => holders.get(webhookId) ?? null
    } catch (error) {
      this.logger.warn(`Cannot release lanes: ${(error as Error).message}`)
      throw error
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
