/** Limits how many requests one process has under way. */
import { setTimeout as pause } from 'node:timers/promises'

import { every } from '../platform/util/timers.js'
import { mostSlowOverrun, slowAfterMs, slowPerQuick, slowSweepMs } from './limits.js'
import { WaitingLine } from './waiting-line.js'
import type { Waiter } from './waiting-line.js'

/** A request under way. */
export interface Slot {
  readonly startedAt: number
  kind: Kind
}

type Kind = 'quick' | 'slow'

/**
 * Slow requests are counted apart from quick ones, so that receivers that respond have room however many others hang. A
 * lane that is known as slow sends slow requests only.
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

  /** Resolves with a slot, or with null when the lane has left the line. The caller must free the slot. */
  async wait(kind: Kind, lane: Waiter): Promise<Slot | null> {
    return this.hasRoom(kind) ? this.open(kind) : this.waiting[kind].wait(lane)
  }

  free(slot: Slot): void {
    if (slot.kind === 'slow') this.slow -= 1
    else this.quick.delete(slot)
    // Quick requests wait too while the slow ones are far too many.
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

  /** A quick request may become slow beyond the limit of slow ones, so quick ones wait at a multiple of that limit. */
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
    this.waiting[kind].call(() => (this.hasRoom(kind) ? this.open(kind) : undefined))
  }

  /** The set begins with the oldest request, so the search may end at the first recent one. */
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
