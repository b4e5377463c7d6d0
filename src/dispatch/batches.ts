/** Gathers what is asked for while earlier askings are under way, so that many askers share one statement. */
const restAfterFailureMs = 500

interface Sizes {
  /** In one batch. */
  most: number
  /** Batches at the same time. */
  atOnce: number
  /** Between one batch and the next, for what is not urgent. */
  restMs?: number
}

export class Batches<T> {
  private readonly waiting = new Set<T>()
  private running = 0
  private isStopped = false

  constructor(
    private readonly sizes: Sizes,
    private readonly work: (batch: T[]) => Promise<void>,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** Asking twice before the work begins is asking once. */
  add(item: T): void {
    this.waiting.add(item)
    if (this.running < this.sizes.atOnce) void this.run()
  }

  stop(): void {
    this.isStopped = true
  }

  private async run(): Promise<void> {
    this.running += 1
    // What is asked for in the same turn of the event loop comes along.
    await Promise.resolve()
    while (this.waiting.size > 0 && !this.isStopped) {
      const batch = [...this.waiting].slice(0, this.sizes.most)
      for (const item of batch) this.waiting.delete(item)
      try {
        await this.work(batch)
        if (this.sizes.restMs !== undefined) await pause(this.sizes.restMs)
      } catch (error) {
        this.onFailure(error as Error)
        for (const item of batch) this.waiting.add(item)
        await pause(restAfterFailureMs)
      }
    }
    this.running -= 1
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
