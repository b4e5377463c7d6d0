/**
 * Hints on their way to the queue. Giving one costs nothing and cannot fail: they are collected, sent together, one
 * batch at a time, and dropped where the queue does not take them. Whoever hints has another way to be found.
 */
import { setTimeout } from 'node:timers/promises'

const mostInBatch = 200
const mostWaiting = 10_000
// Of many hints for one key in a row, most are collected here instead of being written and read again.
const betweenBatchesMs = 10
const afterFailureMs = 1_000

interface HintsOptions<Hint> {
  send: (hints: Hint[]) => Promise<void>
  onDropped: (count: number, reason: string) => void
}

export class Hints<Hint> {
  private readonly waiting = new Map<string, Hint>()
  private isSending = false
  private isStopped = false

  constructor(private readonly options: HintsOptions<Hint>) {}

  give(key: string, hint: Hint): void {
    if (this.isStopped) return
    if (this.waiting.size >= mostWaiting && !this.waiting.has(key))
      return this.options.onDropped(1, 'the queue is too slow')
    this.waiting.set(key, hint)
    if (!this.isSending) void this.sendAll()
  }

  stop(): void {
    this.isStopped = true
    this.waiting.clear()
  }

  private async sendAll(): Promise<void> {
    this.isSending = true
    while (this.waiting.size > 0) await setTimeout(await this.sendSome())
    this.isSending = false
  }

  /** Resolves with how long to rest. */
  private async sendSome(): Promise<number> {
    // Let the caller give all its hints first.
    await Promise.resolve()
    const batch = [...this.waiting].slice(0, mostInBatch)
    for (const [key] of batch) this.waiting.delete(key)
    try {
      await this.options.send(batch.map(([, hint]) => hint))
      return betweenBatchesMs
    } catch (error) {
      if (!this.isStopped) this.options.onDropped(batch.length, (error as Error).message)
      return afterFailureMs
    }
  }
}
