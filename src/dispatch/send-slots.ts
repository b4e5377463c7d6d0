/** Limits the number of requests in flight of a process. */
import { setTimeout as pause } from 'node:timers/promises'

import { every } from '../platform/util/timers.js'
import { mostSlowOverrun, slowAfterMs, slowPerQuick, slowSweepMs } from './limits.js'
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
  private endSweeps: (() => void) | null = null

  constructor(private readonly limit: number) {}

  /** Resolves with a slot, or with null if the lane left the line. The caller must free the slot. */
  async wait(kind: Kind, lane: Waiter): Promise<Slot | null> {
    return this.hasRoom(kind) ? this.open(kind) : this.waiting[kind].wait(lane)
  }

  free(slot: Slot): void {
    if (slot.kind === 'slow') this.slow -= 1
    else this.quick.delete(slot)
    // A freed slow slot may also let a quick request start.
    this.offer('quick')
    this.offer('slow')
    if (this.inFlight === 0) this.stop()
  }

  get inFlight(): number {
    return this.quick.size + this.slow
  }

  async untilIdle(patienceMs: number): Promise<void> {
    const endAt = performance.now() + patienceMs
    while (this.inFlight > 0 && performance.now() < endAt) await pause(50)
  }

  stop(): void {
    this.endSweeps?.()
    this.endSweeps = null
  }

  /** Quick requests may become slow beyond the slow limit. At a multiple of that limit, quick requests wait too. */
  private hasRoom(kind: Kind): boolean {
    const slowLimit = this.limit * slowPerQuick
    return kind === 'slow'
      ? this.slow < slowLimit
      : this.quick.size < this.limit && this.slow < slowLimit * mostSlowOverrun
  }

  private open(kind: Kind): Slot {
    const slot: Slot = { startedAt: performance.now(), kind }
    if (kind === 'slow') this.slow += 1
    else this.quick.add(slot)
    this.endSweeps ??= every({ waitMs: slowSweepMs, work: () => this.sweep() })
    return slot
  }

  private offer(kind: Kind): void {
    this.waiting[kind].serve(() => (this.hasRoom(kind) ? this.open(kind) : undefined))
  }

  /** Marks requests that became slow. The set is ordered by start time, so the loop stops at the first recent one. */
  private sweep(): void {
    const slowBefore = performance.now() - slowAfterMs
    for (const slot of this.quick) {
      if (slot.startedAt > slowBefore) break
      this.quick.delete(slot)
      slot.kind = 'slow'
      this.slow += 1
      this.offer('quick')
    }
  }
}
