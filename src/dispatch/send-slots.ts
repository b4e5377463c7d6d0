/** Limits the number of requests that a process has in flight. */
import { setTimeout as pause } from 'node:timers/promises'

import { runPeriodically } from '../platform/util/timers.js'
import { maxSlowOverrun, slowAfterMs, slowPerQuick, slowRoundMs } from './limits.js'

/** A request in flight. */
export interface Slot {
  readonly startedAt: number
  kind: Kind
}

type Kind = 'quick' | 'slow'

/**
 * Slow requests have their own limit, so that hanging receivers do not block the others. A slow lane sends only slow
 * requests. They start evenly: requests that start together also time out together, and then the work caused by
 * their results would delay quick requests. Because a slow request keeps its slot for a second or longer, all slots can
 * still be used.
 */
export class SendSlots {
  private readonly quick = new Set<Slot>()
  private slow = 0
  private slowStarts = 0
  private readonly slowStartsPerRound: number
  private readonly waiting = {
    quick: new WaitingLine<Waiter, Slot>(),
    slow: new WaitingLine<Waiter, Slot>(),
  }
  private stopRounds: (() => void) | null = null

  constructor(private readonly limit: number) {
    this.slowStartsPerRound = Math.ceil((limit * slowPerQuick * slowRoundMs) / slowAfterMs)
  }

  /** Resolves with a slot, or with null if the lane stopped waiting. The caller must release the slot. */
  async acquireSlot(kind: Kind, lane: Waiter): Promise<Slot | null> {
    return this.hasRoom(kind) ? this.openSlot(kind) : this.waiting[kind].join(lane)
  }

  releaseSlot(slot: Slot): void {
    if (slot.kind === 'slow') this.slow -= 1
    else this.quick.delete(slot)
    // A released slow slot may also let a quick request start.
    this.grantSlots('quick')
    this.grantSlots('slow')
    if (this.inFlight === 0 && this.waiting.slow.size === 0) this.stop()
  }

  get inFlight(): number {
    return this.quick.size + this.slow
  }

  async waitUntilIdle(timeoutMs: number): Promise<void> {
    const endAt = performance.now() + timeoutMs
    while (this.inFlight > 0 && performance.now() < endAt) await pause(50)
  }

  stop(): void {
    this.stopRounds?.()
    this.stopRounds = null
    this.slowStarts = 0
  }

  /** Quick requests may become slow beyond the slow limit. At a multiple of that limit, quick requests wait too. */
  private hasRoom(kind: Kind): boolean {
    const slowLimit = this.limit * slowPerQuick
    return kind === 'slow'
      ? this.slow < slowLimit && this.slowStarts < this.slowStartsPerRound
      : this.quick.size < this.limit && this.slow < slowLimit * maxSlowOverrun
  }

  private openSlot(kind: Kind): Slot {
    const slot: Slot = { startedAt: performance.now(), kind }
    if (kind === 'quick') this.quick.add(slot)
    else {
      this.slow += 1
      this.slowStarts += 1
    }
    this.stopRounds ??= runPeriodically({ waitMs: slowRoundMs, work: () => this.startRound() })
    return slot
  }

  private grantSlots(kind: Kind): void {
    this.waiting[kind].grantInOrder(() => (this.hasRoom(kind) ? this.openSlot(kind) : undefined))
  }

  private startRound(): void {
    this.markSlowRequests()
    this.slowStarts = 0
    this.grantSlots('slow')
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

/** A first-in, first-out line of lanes. A lane leaves the line early when it has nothing left to send. */

export interface Waiter {
  /** Ends the wait early. Set only while the lane waits. */
  leaveLine: (() => void) | null
}

export class WaitingLine<Lane extends Waiter, Grant> {
  private readonly waiting = new Map<Lane, (grant: Grant | null) => void>()

  get size(): number {
    return this.waiting.size
  }

  /** Resolves with the grant, or with null if the lane leaves the line first. */
  join(lane: Lane): Promise<Grant | null> {
    return new Promise((resolve) => {
      this.waiting.set(lane, resolve)
      lane.leaveLine = () => this.endWait(lane, null)
    })
  }

  /** Serves the lanes in order, until `grant` returns undefined. That lane stays in the line. */
  grantInOrder(grant: (lane: Lane) => Grant | null | undefined): void {
    for (const lane of this.waiting.keys()) {
      const granted = grant(lane)
      if (granted === undefined) return
      this.endWait(lane, granted)
    }
  }

  private endWait(lane: Lane, grant: Grant | null): void {
    const resolve = this.waiting.get(lane)
    this.waiting.delete(lane)
    lane.leaveLine = null
    resolve?.(grant)
  }
}
