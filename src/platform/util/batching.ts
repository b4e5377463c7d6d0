/**
 * Combines work into one statement. `Batcher` processes items in order, `BatchedCalls` also returns a result for each
 * item, and `WriteBehind` writes only the newest value of each key, at intervals.
 */
import { setTimeout as pause } from 'node:timers/promises'

const restAfterFailureMs = 500

export interface BatchLimits<T> {
  /** Maximum number of items in a batch. */
  maxItems: number
  /** Maximum number of concurrent batches. With more than one, items may overtake, and `gatherMs` must be absent. */
  concurrency: number
  /** Pause between two batches, for work that is not urgent. */
  restMs?: number
  /** How long a batch with this item may wait for more items. The shortest wait of all items applies. */
  gatherMs?: (item: T) => number
}

/** Collects items while an earlier batch is running. */
export class Batcher<T> {
  private waiting = new Set<T>()
  private running = 0
  private isStopped = false
  private gathering: GatherTimer | null = null

  constructor(
    private readonly limits: BatchLimits<T>,
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
    const batch: T[] = []
    for (const item of this.waiting) {
      if (batch.length >= this.limits.maxItems) break
      batch.push(item)
      this.waiting.delete(item)
    }
    return batch
  }
}

interface PendingCall<In, Out> {
  item: In
  resolve: (result: Out) => void
  reject: (error: unknown) => void
}

/** Combines concurrent calls into one piece of work. If the work fails, all its calls fail. Nothing is retried. */
export class BatchedCalls<In, Out> {
  private readonly batcher: Batcher<PendingCall<In, Out>>

  /** `work` resolves with a function that returns the result of an item. If it throws, only the item's call fails. */
  constructor(
    { gatherMs, ...limits }: BatchLimits<In>,
    private readonly work: (items: In[]) => Promise<(item: In) => Out>,
  ) {
    this.batcher = new Batcher(
      { ...limits, ...(gatherMs && { gatherMs: ({ item }) => gatherMs(item) }) },
      (batch) => this.settleAll(batch),
      neverFails,
    )
  }

  call(item: In): Promise<Out> {
    return new Promise((resolve, reject) => this.batcher.addItem({ item, resolve, reject }))
  }

  private async settleAll(calls: readonly PendingCall<In, Out>[]): Promise<void> {
    try {
      const resultOf = await this.work(calls.map(({ item }) => item))
      for (const call of calls) settleCall(call, resultOf)
    } catch (error) {
      for (const { reject } of calls) reject(error)
    }
  }
}

function settleCall<In, Out>(
  { item, resolve, reject }: PendingCall<In, Out>,
  resultOf: (item: In) => Out,
): void {
  try {
    resolve(resultOf(item))
  } catch (error) {
    reject(error)
  }
}

/** An `onFailure` for work that handles its own failures. */
export function neverFails(error: Error): never {
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

/**
 * Collects values that change often and writes them together at intervals. Values of a failed write are kept for the
 * next one. `merge` combines an unwritten value with a newer one.
 */
export class WriteBehind<V> {
  private unwritten = new Map<string, V>()
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly everyMs: number,
    private readonly write: (values: V[]) => Promise<void>,
    private readonly onFailure: (error: Error) => void,
    private readonly merge: (older: V, newer: V) => V = (_, newer) => newer,
  ) {}

  /** Returns the unwritten value, if any. */
  get(key: string): V | undefined {
    return this.unwritten.get(key)
  }

  set(key: string, value: V): void {
    const before = this.unwritten.get(key)
    this.unwritten.set(key, before === undefined ? value : this.merge(before, value))
    this.scheduleFlush()
  }

  /** Writes all values now. Never rejects. */
  async flush(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const values = this.unwritten
    if (values.size === 0) return
    this.unwritten = new Map()
    try {
      await this.write([...values.values()])
    } catch (error) {
      this.onFailure(error as Error)
      const newer = this.unwritten
      this.unwritten = values
      for (const [key, value] of newer) this.set(key, value)
      this.scheduleFlush()
    }
  }

  private scheduleFlush(): void {
    this.timer ??= setTimeout(() => void this.flush(), this.everyMs).unref()
  }
}
