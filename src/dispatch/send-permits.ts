/**
 * Limits the rate of attempts to unproven receivers. A rate rises with harmless attempts and falls while most attempts
 * hang, break off or return invalid HTTP. A busy event loop lowers all rates.
 */
import { Inject, Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import type { Outcome } from '../platform/outbound/outcome.js'
import { runPeriodically } from '../platform/util/timers.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import {
  fastestPerSecond,
  firstAttemptsPerSecond,
  headroomSampleMs,
  maxIdleUtilization,
  minHeadroom,
  nextAttemptsPerSecond,
  originMemory,
  rateCreditMs,
  rateRoundMs,
  rateStep,
} from './limits.js'
import { ProxyLine } from './proxy-line.js'
import { SendSlots, WaitingLine } from './send-slots.js'
import type { Slot, Waiter } from './send-slots.js'
import type { ServedLane } from './served-lane.js'

/** A rate that rises with each harmless attempt and falls with each harmful one. */
export class AttemptRate<Lane extends Waiter = Waiter> {
  private perSecond: number
  private credit = Infinity
  private earnedAt = performance.now()
  private readonly waiting = new WaitingLine<Lane, boolean>()
  private stopRounds: (() => void) | null = null

  constructor(
    private readonly slowestPerSecond: number,
    private readonly headroom: () => number,
    private readonly appliesTo: (lane: Lane) => boolean = () => true,
  ) {
    this.perSecond = slowestPerSecond
  }

  /** Resolves with true when the lane may begin an attempt, and with false if the lane stopped waiting. */
  async waitForAttempt(lane: Lane): Promise<boolean> {
    this.addCredit()
    if (this.credit >= 1 && this.waiting.size === 0) {
      this.credit -= 1
      return true
    }
    this.stopRounds ??= runPeriodically({ waitMs: rateRoundMs, work: () => this.grantAttempts() })
    return (await this.waiting.join(lane)) ?? false
  }

  updateRate(isHarmless: boolean): void {
    const perSecond = isHarmless ? this.perSecond * rateStep : this.perSecond / rateStep
    this.perSecond = Math.min(fastestPerSecond, Math.max(this.slowestPerSecond, perSecond))
  }

  stop(): void {
    this.stopRounds?.()
    this.stopRounds = null
  }

  private addCredit(): void {
    const now = performance.now()
    const earned = ((now - this.earnedAt) / 1000) * this.perSecond * this.headroom()
    this.credit = Math.min(this.credit + earned, (rateCreditMs / 1000) * this.perSecond)
    this.earnedAt = now
  }

  private grantAttempts(): void {
    this.addCredit()
    this.waiting.grantInOrder((lane) => {
      if (!this.appliesTo(lane)) return false
      if (this.credit < 1) return undefined
      this.credit -= 1
      return true
    })
    if (this.waiting.size === 0) this.stop()
  }
}

/** Chooses the rate for a lane. Proven receivers, and new ones at a good origin, are not limited. */
export class AttemptRateLimiter {
  private readonly first = this.createRate(firstAttemptsPerSecond)
  private readonly next = this.createRate(nextAttemptsPerSecond)
  /** Origins with a recent success, and origins with a recent harmful attempt. */
  private readonly good = new LRUCache<string, true>(originMemory)
  private readonly bad = new LRUCache<string, true>(originMemory)

  constructor(private readonly headroom: Pick<EventLoopHeadroom, 'getShare'> = new EventLoopHeadroom()) {}

  /**
   * Resolves with true when the lane may begin an attempt. False if the lane has nothing left to send, or if another
   * rate applies now: the caller should check again.
   */
  async waitForAttempt(lane: ServedLane): Promise<boolean> {
    return (await this.selectRate(lane)?.waitForAttempt(lane)) ?? true
  }

  /** Must be called before the lane is updated, because the old state of the lane determines the rate. */
  recordOutcome(lane: ServedLane, outcome: Outcome): void {
    const isHarmless = isHarmlessOutcome(outcome)
    const rate = this.selectRate(lane)
    if (!rate && isHarmless) return
    rate?.updateRate(isHarmless)
    if (!isHarmless) this.bad.set(lane.origin, true)
    else if (outcome.error === null) this.good.set(lane.origin, true)
  }

  stop(): void {
    this.first.stop()
    this.next.stop()
  }

  private createRate(slowestPerSecond: number): AttemptRate<ServedLane> {
    const appliesTo = (lane: ServedLane): boolean => this.selectRate(lane) === rate
    const rate = new AttemptRate(slowestPerSecond, () => this.headroom.getShare(), appliesTo)
    return rate
  }

  private selectRate({ isProven, failuresInARow, origin }: ServedLane): AttemptRate<ServedLane> | null {
    if (isProven) return null
    if (failuresInARow > 0 || this.bad.has(origin)) return this.next
    return this.good.has(origin) ? null : this.first
  }
}

/** True if the attempt cost this process no more than a success. */
function isHarmlessOutcome({ error }: Outcome): boolean {
  return error === null || ['http_status', 'redirect', 'refused'].includes(error.class)
}

/** Measures the recent idle time of the event loop. */
export class EventLoopHeadroom {
  private since = performance.eventLoopUtilization()
  private measuredAt = performance.now()
  private headroom = 1

  /** Returns 1 while the event loop is idle for at least half of the time, and down to 0.1 as it gets busier. */
  getShare(): number {
    const now = performance.now()
    if (now - this.measuredAt >= headroomSampleMs) {
      const { utilization } = performance.eventLoopUtilization(this.since)
      this.since = performance.eventLoopUtilization()
      this.measuredAt = now
      this.headroom = Math.min(1, Math.max(minHeadroom, (1 - utilization) / (1 - maxIdleUtilization)))
    }
    return this.headroom
  }
}

@Injectable()
export class SendPermits {
  private readonly rates = new AttemptRateLimiter()
  private readonly slots: SendSlots

  constructor(
    @Inject(SETTINGS) settings: RunningSettings,
    private readonly proxy: ProxyLine,
  ) {
    this.slots = new SendSlots(settings.workerInFlight)
  }

  /** Resolves with a slot, or with null if the lane should check again. The caller must release the slot. */
  async waitForSlot(lane: ServedLane): Promise<Slot | null> {
    if (!(await this.proxy.waitForProxy(lane))) return null
    if (!(await this.rates.waitForAttempt(lane))) return null
    return this.slots.acquireSlot(lane.isSlow ? 'slow' : 'quick', lane)
  }

  releaseSlot(slot: Slot): void {
    this.slots.releaseSlot(slot)
  }

  /** Must be called before the lane is updated, because the old state of the lane determines the rate. */
  recordOutcome(lane: ServedLane, outcome: Outcome): void {
    this.proxy.recordPass(lane)
    this.rates.recordOutcome(lane, outcome)
  }

  /** Records a fault of the egress proxy. Returns the delay of the lane in milliseconds. */
  recordProxyFault(lane: ServedLane): number {
    return this.proxy.recordFault(lane)
  }

  /** Number of requests in flight. */
  get inFlight(): number {
    return this.slots.inFlight
  }

  async waitUntilIdle(timeoutMs: number): Promise<void> {
    await this.slots.waitUntilIdle(timeoutMs)
  }

  stop(): void {
    this.slots.stop()
    this.rates.stop()
    this.proxy.stop()
  }
}
