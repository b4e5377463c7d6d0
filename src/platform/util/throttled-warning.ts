/** Logs a repeated warning at most every ten seconds, with the number of times since its last line. */
import type { Logger } from '@nestjs/common'

const everyMs = 10_000

export class ThrottledWarning {
  private saidAt = -Infinity
  private unsaid = 0

  constructor(private readonly logger: Logger) {}

  warn(message: string, count = 1): void {
    this.unsaid += count
    const now = performance.now()
    if (now - this.saidAt < everyMs) return
    this.logger.warn(this.unsaid > 1 ? `${message} (${this.unsaid} times)` : message)
    this.saidAt = now
    this.unsaid = 0
  }
}
