/**
 * Limits how many requests one process has under way. Slow requests, and the lanes that are known for them, are counted
 * apart. So there is room for receivers that answer, however many others hang.
 */
import { momentMs, slowPerQuick, slowSweepMs } from './limits.js'

/** A request under way. */
export interface Slot {
  readonly startedAt: number
  kind: Kind
}

type Kind = 'quick' | 'slow'

export class SendSlots {
  private readonly quick = new Set<Slot>()
  private slow = 0
  private readonly waiting: Record<Kind, Set<() => void>> = { quick: new Set(), slow: new Set() }
  private sweeper: NodeJS.Timeout | null = null

  constructor(private readonly limit: number) {}

  /** Null when there is no room; then `onRoom` is called, once, when there may be. */
  take(kind: Kind, onRoom: () => void): Slot | null {
    if (!this.hasRoom(kind)) {
      this.waiting[kind].add(onRoom)
      return null
    }
    const slot: Slot = { startedAt: performance.now(), kind }
    if (kind === 'slow') this.slow += 1
    else this.quick.add(slot)
    this.sweeper ??= setInterval(() => this.sweep(), slowSweepMs).unref()
    return slot
  }

  free(slot: Slot): void {
    if (slot.kind === 'slow') this.slow -= 1
    else this.quick.delete(slot)
    this.offer(slot.kind)
    if (this.quick.size + this.slow === 0) this.stop()
  }

  get inFlight(): number {
    return this.quick.size + this.slow
  }

  stop(): void {
    if (this.sweeper) clearInterval(this.sweeper)
    this.sweeper = null
  }

  /** New requests of lanes that are not known as slow may go beyond the slow ones' limit, but not without end. */
  private hasRoom(kind: Kind): boolean {
    const slowLimit = this.limit * slowPerQuick
    return kind === 'slow' ? this.slow < slowLimit : this.quick.size < this.limit && this.slow < slowLimit * 2
  }

  /** The oldest come first in the set. */
  private sweep(): void {
    const slowBefore = performance.now() - momentMs
    for (const slot of this.quick) {
      if (slot.startedAt > slowBefore) break
      this.quick.delete(slot)
      slot.kind = 'slow'
      this.slow += 1
      this.offer('quick')
    }
  }

  private offer(kind: Kind): void {
    const [next] = this.waiting[kind]
    if (!next) return
    this.waiting[kind].delete(next)
    next()
  }
}
