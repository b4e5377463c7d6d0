/** Logs a repeated warning at most every ten seconds, with the number of occurrences since the last line. */
import type { Logger } from '@nestjs/common'

const everyMs = 10_000

export class ThrottledWarning {
  private loggedAt = -Infinity
  private unlogged = 0

  constructor(private readonly logger: Logger) {}

  warn(message: string, count = 1): void {
    this.unlogged += count
    const now = performance.now()
    if (now - this.loggedAt < everyMs) return
    this.logger.warn(this.unlogged > 1 ? `${message} (${this.unlogged} times)` : message)
    this.loggedAt = now
    this.unlogged = 0
  }
}
