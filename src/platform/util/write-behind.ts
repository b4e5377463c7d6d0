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
