/**
 * Values that change often and are written once in a while, all together, so that a change never costs a write. A value
 * that could not be written is kept for the next time, unless there is a newer one by then.
 */
export class WriteBehind<V> {
  private unwritten = new Map<string, V>()
  private timer: NodeJS.Timeout | null = null

  constructor(
    private readonly everyMs: number,
    private readonly write: (values: V[]) => Promise<void>,
    private readonly onFailure: (error: Error) => void,
  ) {}

  /** What is not written yet. */
  get(key: string): V | undefined {
    return this.unwritten.get(key)
  }

  set(key: string, value: V): void {
    this.unwritten.set(key, value)
    this.wait()
  }

  /** Writes at once. Never rejects. */
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
      this.unwritten = new Map([...values, ...this.unwritten])
      this.wait()
    }
  }

  private wait(): void {
    this.timer ??= setTimeout(() => void this.flush(), this.everyMs).unref()
  }
}
