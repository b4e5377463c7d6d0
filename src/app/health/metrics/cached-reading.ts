/** Reads figures from the database or the queue for the metrics. Concurrent scrapes share one reading. */
import { withTimeout } from '../../../platform/util/timers.js'

/** Shorter than any usual scrape interval, so that each scrape of one Prometheus gets new figures. */
const keepMs = 3_000
/** The response contains the other metrics after this time, even if the source does not respond. */
const timeoutMs = 1_000

export class CachedReading<Figures extends object> {
  private figures: Partial<Figures> = {}
  private readAt = -Infinity
  private reading: Promise<void> | null = null

  /** `read` sets the figures one by one, so that a slow figure does not hide the ones before it. */
  constructor(private readonly read: (figures: Partial<Figures>) => Promise<void>) {}

  /** Returns the figures read within the timeout. While a source hangs, further calls do not query it again. */
  async get(): Promise<Readonly<Partial<Figures>>> {
    if (performance.now() - this.readAt >= keepMs)
      await withTimeout(this.startReading(), timeoutMs, undefined)
    return this.figures
  }

  private startReading(): Promise<void> {
    this.reading ??= this.readAll()
    return this.reading
  }

  private async readAll(): Promise<void> {
    this.figures = {}
    try {
      await this.read(this.figures)
      this.readAt = performance.now()
    } catch {
      // The missing figures show that the source does not respond.
    } finally {
      this.reading = null
    }
  }
}
