import { setTimeout as pause } from 'node:timers/promises'

const restAfterFailureMs = 500

export interface BatchLimits<T> {
  /** Maximum number of items in a batch. */
  maxItems: number
  /** Maximum number of concurrent batches. With more than one, order is not kept, and `gatherMs` must be absent. */
  concurrency: number
  /** Pause between two batches, for work that is not urgent. */
  restMs?: number
  /** How long a batch with this item may wait for more items. The shortest wait of all items applies. */
  gatherMs?: (item: T) => number
}

interface SizedLimits<T> extends BatchLimits<T> {
  /** The size of an item, of which `maxItems` then limits the sum. A larger item has its own batch. Default: 1. */
  getItemSize?: (item: T) => number
}

/** Collects items while an earlier batch is running. */
export class Batcher<T> {
  private waiting = new Set<T>()
  private running = 0
  private isStopped = false
  private gathering: GatherTimer | null = null

  constructor(
    private readonly limits: SizedLimits<T>,
    private readonly work: (batch: T[]) => Promise<void>,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** Adds an item. Items are processed in order. An item that is added twice before its batch starts counts once. */
  addItem(item: T): void {
    this.waiting.add(item)
    if (this.gathering) this.shortenWait(this.gathering, item)
    if (this.running < this.limits.concurrency) void this.runBatches()
  }

  /** Discards all waiting items. */
  stop(): void {
    this.isStopped = true
  }

  private async runBatches(): Promise<void> {
    this.running += 1
    // Items that are added in the same turn of the event loop join the batch.
    await Promise.resolve()
    while (this.waiting.size > 0 && !this.isStopped) {
      if (this.limits.gatherMs) await this.gather(this.limits.gatherMs)
      const batch = this.takeBatch()
      try {
        await this.work(batch)
        if (this.limits.restMs !== undefined) await pause(this.limits.restMs)
      } catch (error) {
        this.onFailure(error as Error)
        // Failed items go back to the front, which keeps the order.
        this.waiting = new Set([...batch, ...this.waiting])
        await pause(restAfterFailureMs)
      }
    }
    this.running -= 1
  }

  private async gather(gatherMs: (item: T) => number): Promise<void> {
    if (this.waiting.size >= this.limits.maxItems) return
    let waitMs = Infinity
    for (const item of this.waiting) waitMs = Math.min(waitMs, gatherMs(item))
    this.gathering = new GatherTimer(waitMs)
    await this.gathering.ended
    this.gathering = null
  }

  private shortenWait(gathering: GatherTimer, item: T): void {
    gathering.endWithin(this.waiting.size >= this.limits.maxItems ? 0 : this.limits.gatherMs!(item))
  }

  private takeBatch(): T[] {
    const { maxItems, getItemSize } = this.limits
    const batch: T[] = []
    let size = 0
    for (const item of this.waiting) {
      size += getItemSize?.(item) ?? 1
      if (size > maxItems && batch.length > 0) break
      batch.push(item)
      this.waiting.delete(item)
    }
    return batch
  }
}

/** An `onFailure` for work that handles its own failures. */
export function rethrowFailure(error: Error): never {
  throw error
}

/** A timer that can be shortened. */
class GatherTimer {
  readonly ended: Promise<void>
  private end!: () => void
  private endsAt: number
  private timer: NodeJS.Timeout

  constructor(ms: number) {
    this.ended = new Promise((resolve) => (this.end = resolve))
    this.endsAt = performance.now() + ms
    this.timer = setTimeout(this.end, ms)
  }

  endWithin(ms: number): void {
    const endsAt = performance.now() + ms
    if (endsAt >= this.endsAt) return
    this.endsAt = endsAt
    clearTimeout(this.timer)
    this.timer = setTimeout(this.end, ms)
  }
}
