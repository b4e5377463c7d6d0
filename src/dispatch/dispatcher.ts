/**
 * The lanes that this process serves: claims what is due for many of them at once, sends it, and lets a lane go when
 * nothing is left or its turn is over.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'

import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { priorities } from '../deliveries/delivery.entity.js'
import { WebhookHealth } from '../webhooks/webhook-health.js'
import { LaneWaker } from '../deliveries/lane-waker.js'
import type { Outcome } from '../platform/outbound/outcome.js'
import { WebhookLane } from './webhook-lane.js'
import { Batches } from './batches.js'
import { Heartbeat } from './heartbeat.js'
import { LeasesRepository } from './leases.repository.js'
import type { Claimed, DueDelivery } from './leases.repository.js'
import { AttemptRateLimiter } from './attempt-rate-limiter.js'
import { ResultsWriter } from './results-writer.js'
import type { AttemptResult } from './results-writer.js'
import { retryDelay } from './backoff.js'
import { SendSlots } from './send-slots.js'
import { Sender } from './sender.js'

const claims = { most: 50, atOnce: 2 }
/** Of lanes that have yet to prove themselves: their receivers may keep this process busy, and others not wait for it. */
const firstClaims = { most: 32, atOnce: 1, restMs: 40 }
const partings = { most: 200, atOnce: 1 }
/** Deliveries in memory, shared by all lanes. */
const mostKnown = 20_000
/** A lane whose receiver takes its time is not looked at again before that. */
const mostlyWithinMs = 100
/** Retries that come sooner than the next look at all that is due are waited for here. */
const soonMs = 5_000

@Injectable()
export class Dispatcher {
  private readonly logger = new Logger(Dispatcher.name)
  private readonly lanes = new Map<string, WebhookLane>()
  private readonly slots: SendSlots
  private readonly rates = new AttemptRateLimiter()
  private readonly claims = new Batches<WebhookLane>(
    claims,
    (lanes) => this.claim(lanes),
    (error) => this.logger.warn(`Nothing can be claimed: ${error.message}`),
  )
  private readonly firstClaims = new Batches<WebhookLane>(
    firstClaims,
    (lanes) => this.claim(lanes),
    (error) => this.logger.warn(`Nothing can be claimed: ${error.message}`),
  )
  private readonly partings = new Batches<WebhookLane>(
    partings,
    (lanes) => this.letGo(lanes),
    (error) => this.logger.warn(`Lanes cannot be let go: ${error.message}`),
  )
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
   * Something may be due for these. Resolves when it has been looked for; for long nobody waits, and not at all for
   * lanes that have yet to prove themselves.
   */
  async serve(webhookIds: readonly string[], isProven = false): Promise<void> {
    const looks = webhookIds.map((webhookId) => this.wake(webhookId, isProven))
    if (isProven) await Promise.race([Promise.all(looks), pause(mostlyWithinMs)])
  }

  get size(): number {
    return this.lanes.size
  }

  stats(): { lanes: number; inFlight: number; attempts: number; failures: number } {
    const { attempts, failures } = this
    return { lanes: this.lanes.size, inFlight: this.slots.inFlight, attempts, failures }
  }

  holds(webhookId: string): boolean {
    return this.lanes.has(webhookId)
  }

  /** The webhook was changed: what is in memory of it may be wrong. */
  recall(webhookId: string): void {
    const lane = this.lanes.get(webhookId)
    if (!lane) return
    lane.recall()
    this.goOn(lane)
  }

  recallAll(): void {
    for (const webhookId of this.lanes.keys()) this.recall(webhookId)
  }

  /** What is under way may end; what has not begun is left to others. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true
    const lanes = [...this.lanes.values()]
    for (const lane of lanes) {
      lane.forgetBuffer()
      this.goOn(lane)
    }
    await Promise.race([Promise.all(lanes.map(({ ended }) => ended.given)), pause(patienceMs)])
    this.claims.stop()
    this.firstClaims.stop()
    this.partings.stop()
    this.slots.stop()
    this.rates.stop()
    await this.heartbeat.leave().catch(() => undefined)
  }

  private wake(webhookId: string, isProven: boolean): Promise<void> {
    if (this.isStopping) return Promise.resolve()
    const lane = this.lanes.get(webhookId) ?? this.take(webhookId)
    if (isProven && lane.failuresInARow === 0) lane.isProven = true
    lane.isWoken = true
    const { nextLook } = lane
    this.goOn(lane)
    return nextLook
  }

  private take(webhookId: string): WebhookLane {
    const lane = new WebhookLane(webhookId, this.settings.workerSlice * 1000, (each) => this.goOn(each))
    this.lanes.set(webhookId, lane)
    return lane
  }

  /** What a lane does next, asked whenever something about it has changed. */
  private goOn(lane: WebhookLane): void {
    // Told of room that it no longer needs.
    if (this.lanes.get(lane.webhookId) !== lane) return
    this.sendBuffered(lane)
    if (lane.isBusy) return
    const mayHaveMore = lane.isWoken || !lane.isDrained
    if (mayHaveMore && !lane.isResting && !lane.isTurnOver && !this.isStopping) {
      if (lane.buffer.length >= lane.mostInFlight) return
      lane.isBusy = true
      if (lane.isProven) this.claims.add(lane)
      else this.firstClaims.add(lane)
    } else if (lane.known.size === 0) {
      lane.isBusy = true
      this.partings.add(lane)
    }
  }

  private async claim(lanes: WebhookLane[]): Promise<void> {
    for (const lane of lanes) lane.isWoken = false
    await this.heartbeat.ensure()
    const most = Math.min(this.settings.workerBatch, Math.ceil(mostKnown / this.lanes.size))
    const asked = lanes.map((lane) => ({
      webhookId: lane.webhookId,
      limit: lane.mostToRead(most),
      known: [...lane.known],
      recalls: lane.recalls,
    }))
    this.deal(lanes, await this.leases.claim(this.heartbeat.worker, asked), asked)
  }

  private deal(
    lanes: WebhookLane[],
    { views, deliveries }: Claimed,
    asked: { limit: number; recalls: number }[],
  ): void {
    lanes.forEach((lane, i) => {
      const view = views.get(lane.webhookId)
      const due = deliveries.get(lane.webhookId) ?? []
      lane.isBusy = false
      lane.looked()
      if (view) lane.see(view)
      if (!view || !this.sender.canSign(lane.view!)) {
        // Not active any more, told to wait, in the hands of another worker, or without a secret that can be read.
        lane.isResting = true
        lane.forgetBuffer()
      } else {
        lane.isDrained = isAll(due, asked[i]!.limit)
        if (!lane.isResting && !this.isStopping && lane.recalls === asked[i]!.recalls) lane.add(due)
      }
      this.goOn(lane)
    })
  }

  private sendBuffered(lane: WebhookLane): void {
    const { view } = lane
    if (!view || this.isStopping || lane.isResting) return
    while (lane.buffer.length > 0 && lane.inFlight.size < lane.mostInFlight && this.heartbeat.isAlive) {
      if (!this.rates.mayBegin(lane)) return
      const slot = this.slots.take(lane.isSlow ? 'slow' : 'quick', lane.tellRoom)
      if (!slot) return
      const delivery = lane.buffer.shift()!
      lane.inFlight.add(slot)
      void this.sender.send(view, delivery).then((outcome) => {
        lane.inFlight.delete(slot)
        this.finish(lane, delivery, outcome)
        this.slots.free(slot)
      })
    }
  }

  private finish(lane: WebhookLane, delivery: DueDelivery, outcome: Outcome): void {
    this.attempts += 1
    if (outcome.error) this.failures += 1
    this.rates.learn(lane, outcome)
    lane.learn(outcome.error === null, outcome.durationMs)
    const result = this.judge(lane, delivery, outcome)
    if (lane.circuitIsOpen || result.pauseMs !== null || outcome.statusCode === 410) {
      lane.isResting = true
      lane.forgetBuffer()
    }
    this.results.add(result, () => {
      lane.known.delete(delivery.id)
      if (outcome.statusCode === 410) this.health.receiverIsGone(delivery.webhookId)
      if (result.retryInMs !== null && result.retryInMs < soonMs)
        this.wakeIn(lane.webhookId, result.retryInMs)
      this.goOn(lane)
    })
    this.goOn(lane)
  }

  private judge(lane: WebhookLane, delivery: DueDelivery, outcome: Outcome): AttemptResult {
    const number = delivery.attemptCount + 1
    const pauseMs = outcome.retryAfter && Math.max(0, outcome.retryAfter.getTime() - Date.now())
    const delay =
      outcome.error === null
        ? null
        : retryDelay(this.settings.webhookRetrySchedule, number - delivery.scheduleStart)
    return {
      webhookId: lane.webhookId,
      deliveryId: delivery.id,
      number,
      status: outcome.error === null ? 'succeeded' : delay === null ? 'failed' : 'pending',
      retryInMs: delay,
      pauseMs,
      failuresInARow: lane.failuresInARow,
      outcome,
    }
  }

  private async letGo(lanes: WebhookLane[]): Promise<void> {
    const again = new Set(
      await this.leases.release(
        this.heartbeat.worker,
        lanes.map(({ webhookId }) => webhookId),
      ),
    )
    for (const lane of lanes) {
      lane.isBusy = false
      if (again.has(lane.webhookId)) {
        lane.isWoken = true
        this.goOn(lane)
      } else this.drop(lane)
    }
  }

  private drop(lane: WebhookLane): void {
    this.lanes.delete(lane.webhookId)
    lane.looked()
    lane.ended.give()
    // Its turn was over and not its work, or it was told of something new while it was let go.
    if (!lane.isResting && (lane.isWoken || !lane.isDrained)) this.waker.wake([lane.webhookId], lane.isProven)
  }

  private wakeIn(webhookId: string, ms: number): void {
    setTimeout(() => void this.serve([webhookId]), ms).unref()
  }
}

/** Whether a claim with this limit has left nothing behind; of replays it takes a quarter. */
function isAll(due: readonly DueDelivery[], limit: number): boolean {
  const replays = due.filter(({ priority }) => priority === priorities.replay).length
  return due.length - replays < limit && replays < Math.max(1, Math.floor(limit / 4))
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
