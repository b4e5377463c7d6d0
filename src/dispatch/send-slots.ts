/** Limits the number of requests in flight of a process. */
import { setTimeout as pause } from 'node:timers/promises'

import { runPeriodically } from '../platform/util/timers.js'
import { maxSlowOverrun, slowAfterMs, slowPerQuick, slowSweepMs } from './limits.js'
import { WaitingLine } from './waiting-line.js'
import type { Waiter } from './waiting-line.js'

/** A request in flight. */
export interface Slot {
  readonly startedAt: number
  kind: Kind
}

type Kind = 'quick' | 'slow'

/**
 * Slow requests have their own limit, so that hanging receivers do not block the others. A slow lane sends only slow
 * requests.
 */
export class SendSlots {
  private readonly quick = new Set<Slot>()
  private slow = 0
  private readonly waiting = {
    quick: new WaitingLine<Waiter, Slot>(),
    slow: new WaitingLine<Waiter, Slot>(),
  }
  private stopSweeps: (() => void) | null = null

  constructor(private readonly limit: number) {}

  /** Resolves with a slot, or with null if the lane left the line. The caller must free the slot. */
  async acquireSlot(kind: Kind, lane: Waiter): Promise<Slot | null> {
    return this.hasRoom(kind) ? this.openSlot(kind) : this.waiting[kind].join(lane)
  }

  releaseSlot(slot: Slot): void {
    if (slot.kind === 'slow') this.slow -= 1
    else this.quick.delete(slot)
    // A freed slow slot may also let a quick request start.
    this.grantSlots('quick')
    this.grantSlots('slow')
    if (this.inFlight === 0) this.stop()
  }

  get inFlight(): number {
    return this.quick.size + this.slow
  }

  async waitUntilIdle(patienceMs: number): Promise<void> {
    const endAt = performance.now() + patienceMs
    while (this.inFlight > 0 && performance.now() < endAt) await pause(50)
  }

  stop(): void {
    this.stopSweeps?.()
    this.stopSweeps = null
  }

  /** Quick requests may become slow beyond the slow limit. At a multiple of that limit, quick requests wait too. */
  private hasRoom(kind: Kind): boolean {
    const slowLimit = this.limit * slowPerQuick
    return kind === 'slow'
      ? this.slow < slowLimit
      : this.quick.size < this.limit && this.slow < slowLimit * maxSlowOverrun
  }

  private openSlot(kind: Kind): Slot {
    const slot: Slot = { startedAt: performance.now(), kind }
    if (kind === 'slow') this.slow += 1
    else this.quick.add(slot)
    this.stopSweeps ??= runPeriodically({ waitMs: slowSweepMs, work: () => this.markSlowRequests() })
    return slot
  }

  private grantSlots(kind: Kind): void {
    this.waiting[kind].grantInOrder(() => (this.hasRoom(kind) ? this.openSlot(kind) : undefined))
  }

  /** Marks requests that became slow. The set is ordered by start time, so the loop stops at the first recent one. */
  private markSlowRequests(): void {
    const slowBefore = performance.now() - slowAfterMs
    for (const slot of this.quick) {
      if (slot.startedAt > slowBefore) break
      this.quick.delete(slot)
      slot.kind = 'slow'
      this.slow += 1
      this.grantSlots('quick')
    }
  }
}
