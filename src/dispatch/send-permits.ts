/** Decides when a lane may send: the egress proxy must be up, the rate must allow it, and a slot must be free. */
import { Inject, Injectable } from '@nestjs/common'

import type { Outcome } from '../platform/outbound/outcome.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { AttemptRateLimiter } from './attempt-rate-limiter.js'
import { ProxyLine } from './proxy-line.js'
import { SendSlots } from './send-slots.js'
import type { Slot } from './send-slots.js'
import type { ServedLane } from './served-lane.js'

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
