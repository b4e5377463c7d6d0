/**
 * Serves the lanes of this process. It claims what is due for many lanes at once, sends it, and gives a lane's lease
 * back when nothing is left or its time slice is over. Whatever happens to a lane is an event in lane-state.ts.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { WebhookHealth } from '../webhooks/webhook-health.js'
import { LaneWaker } from '../deliveries/lanes.repository.js'
import type { Sent } from '../deliveries/attempt.entity.js'
import type { Outcome } from '../platform/outbound/outcome.js'
import { Batcher } from '../platform/util/batching.js'
import type { BatchLimits } from '../platform/util/batching.js'
import { currentMs } from '../platform/util/clock.js'
import { lastWriteMayTakeMs, withTimeout } from '../platform/util/timers.js'
import { type LaneAction, type LaneEvent, WebhookLane, transition } from './lane-state.js'
import { Heartbeat } from './heartbeat.js'
import { LeasesRepository } from './leases.repository.js'
import type { Claimed, DueDelivery } from './leases.repository.js'
import * as limits from './limits.js'
import { AttemptRateLimiter } from './attempt-rate-limiter.js'
import { ResultsWriter } from './results-writer.js'
import type { AttemptResult } from './results-writer.js'
import { SendSlots, Sender } from './sender.js'

@Injectable()
export class Dispatcher {
  private readonly logger = new Logger(Dispatcher.name)
  private readonly lanes = new Map<string, WebhookLane>()
  private readonly slots: SendSlots
  private readonly rates = new AttemptRateLimiter()
  private readonly claims = this.claimsWithin(limits.claims)
  private readonly unprovenClaims = this.claimsWithin(limits.unprovenClaims)
  private readonly warnOfLeases = (error: Error) => this.logger.warn(`Leases are kept: ${error.message}`)
  private readonly releases = new Batcher<WebhookLane>(
    limits.releases,
    (lanes) => this.release(lanes),
    this.warnOfLeases,
  )
  private readonly actions: Record<LaneAction, (lane: WebhookLane, claimed: readonly DueDelivery[]) => void> =
    {
      ask_claim: (lane) => (lane.isProven ? this.claims : this.unprovenClaims).add(lane),
      buffer: (lane, claimed) => {
        if (!this.isStopping) lane.add(claimed)
      },
      forget: (lane) => lane.forgetBuffer(),
      ask_release: (lane) => this.releases.add(lane),
      hint: (lane) => this.waker.wake([lane.webhookId], lane.isProven),
    }
  private isStopping = false
  private attempts = 0
  private failures = 0

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly results: ResultsWriter,
    private readonly sender: Sender,
    private readonly waker: LaneWaker,
    private readonly health: WebhookHealth,
  ) {
    this.slots = new SendSlots(settings.workerInFlight)
  }

  start(): void {
    this.heartbeat.start(this)
  }

  /**
   * Something may be due for these webhooks. For proven receivers the promise resolves when their lanes have looked, or
   * after `lookWaitMs`. For others it resolves at once.
   */
  async serve(webhookIds: readonly string[], isProven = false): Promise<void> {
    const looks = webhookIds.map((webhookId) => this.wake(webhookId, isProven))
    if (isProven) await withTimeout(Promise.all(looks), limits.lookWaitMs, null)
  }

  /** Like `serve`, for a proven receiver whose lane this process holds. False when it does not hold the lane. */
  wakeOwn(webhookId: string): boolean {
    if (this.isStopping || !this.lanes.has(webhookId)) return false
    void this.wake(webhookId, true)
    return true
  }

  get size(): number {
    return this.lanes.size
  }

  stats(): { lanes: number; inFlight: number; attempts: number; failures: number } {
    const { attempts, failures } = this
    return { lanes: this.lanes.size, inFlight: this.slots.inFlight, attempts, failures }
  }

  has(webhookId: string): boolean {
    return this.lanes.has(webhookId)
  }

  /** These webhooks, or any, were changed. The call that deletes one waits until its lease is given back. */
  recall(webhookIds: Iterable<string> = this.lanes.keys()): void {
    const held = [...webhookIds].filter((webhookId) => this.lanes.has(webhookId))
    if (held.length === 0) return
    for (const webhookId of held) this.tell(this.lanes.get(webhookId)!, 'changed')
    this.leases.releaseDeleted(this.heartbeat.worker, held).catch(this.warnOfLeases)
  }

  /** Requests in flight finish. Deliveries that have not begun are left to other workers. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true
    const lanes = [...this.lanes.values()]
    for (const lane of lanes) {
      lane.forgetBuffer()
      this.advance(lane)
    }
    await this.slots.untilIdle(limits.requestsEndWithinMs)
    await withTimeout(Promise.all(lanes.map(({ ended }) => ended.given)), patienceMs, null)
    for (const each of [this.claims, this.unprovenClaims, this.releases, this.slots, this.rates]) each.stop()
    await withTimeout(
      this.heartbeat.leave().catch(() => undefined),
      lastWriteMayTakeMs,
      undefined,
    )
  }

  private wake(webhookId: string, isProven: boolean): Promise<void> {
    if (this.isStopping) return Promise.resolve()
    const lane = this.lanes.get(webhookId) ?? this.open(webhookId)
    if (isProven && lane.failuresInARow === 0) lane.isProven = true
    const { nextLook } = lane
    this.tell(lane, 'woken')
    return nextLook
  }

  private open(webhookId: string): WebhookLane {
    const lane = new WebhookLane(webhookId, this.settings.workerSlice * 1000, (each) => this.advance(each))
    this.lanes.set(webhookId, lane)
    return lane
  }

  /** Tells a lane of an event that it cannot notice by itself, such as the answer to a claim. */
  private tell(lane: WebhookLane, event: LaneEvent, claimed: readonly DueDelivery[] = []): void {
    this.apply(lane, event, claimed)
    this.advance(lane)
  }

  /** Sends what may be sent, and finds the events that a lane notices by itself. To be called after every change. */
  private advance(lane: WebhookLane): void {
    // Room may still be offered to a lane that was released while it waited.
    if (lane.state === 'released') return
    this.sendBuffered(lane)
    if (lane.isSliceOver || this.isStopping) this.apply(lane, 'slice_over')
    if (lane.hasRoom) this.apply(lane, 'room')
    if (lane.known.size === 0) this.apply(lane, 'empty')
  }

  private apply(lane: WebhookLane, event: LaneEvent, claimed: readonly DueDelivery[] = []): void {
    const [state, ...actions] = transition(lane.state, event)
    lane.state = state
    for (const action of actions) this.actions[action](lane, claimed)
  }

  private claimsWithin(size: BatchLimits<WebhookLane>): Batcher<WebhookLane> {
    return new Batcher<WebhookLane>(
      size,
      (lanes) => this.claim(lanes),
      (error) => this.logger.warn(`Nothing can be claimed: ${error.message}`),
    )
  }

  private async claim(lanes: WebhookLane[]): Promise<void> {
    await this.heartbeat.renew()
    const most = Math.min(this.settings.workerBatch, Math.ceil(limits.mostInMemory / this.lanes.size))
    for (const lane of lanes) this.apply(lane, 'claim_began')
    const asked = lanes.map((lane) => ({
      webhookId: lane.webhookId,
      limit: lane.mostToRead(most),
      known: [...lane.known],
    }))
    const claimed = await this.leases.claim(this.heartbeat.worker, asked)
    if (claimed.gone.size > 0) await this.results.cancelGone(claimed.gone)
    for (const lane of lanes) this.take(lane, claimed)
  }

  private take(lane: WebhookLane, { views, deliveries }: Claimed): void {
    const view = views.get(lane.webhookId)
    const due = deliveries.get(lane.webhookId) ?? []
    lane.looked()
    if (view) lane.see(view)
    // The webhook is not active, its receiver asked for a pause, another worker has the lane, or no secret can be read.
    if (!view || !this.sender.canSign(lane.view!)) this.tell(lane, 'refused')
    else this.tell(lane, isAll(due, view.mostRead) ? 'claimed_all' : 'claimed_some', due)
  }

  private sendBuffered(lane: WebhookLane): void {
    const { view } = lane
    if (!view) return
    while (lane.buffer.length > 0 && lane.inFlight.size < lane.mostInFlight && this.heartbeat.isAlive) {
      if (!this.rates.mayBegin(lane)) return
      const slot = this.slots.take(lane.isSlow ? 'slow' : 'quick', lane.tellRoom)
      if (!slot) return
      const delivery = lane.buffer.shift()!
      lane.inFlight.add(slot)
      void this.sender.send(view, delivery).then((sent) => {
        lane.inFlight.delete(slot)
        this.finish(lane, delivery, sent)
        this.slots.free(slot)
      })
    }
  }

  private finish(lane: WebhookLane, delivery: DueDelivery, sent: Sent): void {
    const { outcome } = sent
    this.attempts += 1
    if (outcome.error) this.failures += 1
    // What the old address of a webhook answers says nothing about its new one.
    const isCurrent = lane.view?.url === sent.url
    if (isCurrent) {
      this.rates.learn(lane, outcome)
      lane.learn(outcome.error === null, outcome.durationMs)
    }
    const result = this.judge(lane, delivery, sent)
    if (isCurrent && (lane.circuitIsOpen || result.pauseMs !== null || isGone(outcome)))
      this.apply(lane, 'rest')
    void this.results.add(result).then(() => this.written(lane, result))
    this.advance(lane)
  }

  private written(lane: WebhookLane, { deliveryId, url, outcome, retryInMs }: AttemptResult): void {
    lane.known.delete(deliveryId)
    if (isGone(outcome)) this.health.receiverIsGone(lane.webhookId, url)
    if (retryInMs !== null && retryInMs < limits.soonMs) this.wakeIn(lane.webhookId, retryInMs)
    this.advance(lane)
  }

  private judge(lane: WebhookLane, delivery: DueDelivery, sent: Sent): AttemptResult {
    const { outcome } = sent
    const number = delivery.attemptCount + 1
    const pauseMs = outcome.retryAfter && Math.max(0, outcome.retryAfter.getTime() - currentMs())
    const delay =
      outcome.error === null
        ? null
        : retryDelay(this.settings.webhookRetrySchedule, number - delivery.scheduleStart)
    return {
      ...sent,
      webhookId: lane.webhookId,
      deliveryId: delivery.id,
      number,
      status: outcome.error === null ? 'succeeded' : delay === null ? 'failed' : 'pending',
      retryInMs: delay,
      pauseMs,
      failuresInARow: lane.failuresInARow,
    }
  }

  private async release(lanes: WebhookLane[]): Promise<void> {
    const ids = lanes.map(({ webhookId }) => webhookId)
    const kept = new Set(await this.leases.release(this.heartbeat.worker, ids))
    for (const lane of lanes)
      if (kept.has(lane.webhookId)) this.tell(lane, 'kept')
      else this.drop(lane)
  }

  private drop(lane: WebhookLane): void {
    this.lanes.delete(lane.webhookId)
    this.apply(lane, 'released')
    lane.looked()
    lane.ended.give()
  }

  private wakeIn(webhookId: string, ms: number): void {
    setTimeout(() => void this.serve([webhookId]), ms).unref()
  }
}

/** A receiver says by 410 that it wants no further deliveries. */
function isGone({ statusCode }: Outcome): boolean {
  return statusCode === 410
}

/** True when a claim stayed below its limits, so that it brought everything that is due. `most` is its limit. */
function isAll(due: readonly DueDelivery[], most: number): boolean {
  const replays = due.filter(({ priority }) => priority === priorities.replay).length
  return due.length - replays < most && replays < Math.max(1, Math.floor(most / limits.replayShare))
}

/**
 * The milliseconds until the next attempt of a delivery that failed, or null when the schedule has ended. `attempts` is
 * the number of attempts since the schedule began.
 */
export function retryDelay(
  stepsInSeconds: readonly number[],
  attempts: number,
  random = Math.random(),
): number | null {
  const step = stepsInSeconds[attempts - 1]
  return step === undefined ? null : Math.ceil(step * 1000 * (1 + limits.retrySpread * random))
}
