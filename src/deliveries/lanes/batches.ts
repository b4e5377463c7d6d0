/** Gathers what is asked for while an earlier asking is under way, so that many askers share one statement. */
const restAfterFailureMs = 500

export class Batches<T> {
  private readonly waiting = new Set<T>()
  private isRunning = false
  private isStopped = false

  constructor(
    private readonly mostAtOnce: number,
    private readonly work: (batch: T[]) => Promise<void>,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** Asking twice before the work begins is asking once. */
  add(item: T): void {
    this.waiting.add(item)
    if (!this.isRunning) void this.run()
  }

  stop(): void {
    this.isStopped = true
  }

  private async run(): Promise<void> {
    this.isRunning = true
    // What is asked for in the same turn of the event loop comes along.
    await Promise.resolve()
    while (this.waiting.size > 0 && !this.isStopped) {
      const batch = [...this.waiting].slice(0, this.mostAtOnce)
      for (const item of batch) this.waiting.delete(item)
      try {
        await this.work(batch)
      } catch (error) {
        this.onFailure(error as Error)
        for (const item of batch) this.waiting.add(item)
        await new Promise((resolve) => setTimeout(resolve, restAfterFailureMs))
      }
    }
    this.isRunning = false
  }
}
