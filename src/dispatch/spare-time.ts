/** How much of its time this process has lately had left. */
import { performance } from 'node:perf_hooks'

const momentMs = 100
/** So much of its time may be taken before there is less to spare. */
const mostTaken = 0.5
/** Even a process without any leaves a little to everyone. */
const least = 0.1

export class SpareTime {
  private since = performance.eventLoopUtilization()
  private measuredAt = performance.now()
  private spare = 1

  /** 1 while half of the time or more was free, down to a tenth when none was. */
  share(): number {
    const now = performance.now()
    if (now - this.measuredAt >= momentMs) {
      const { utilization } = performance.eventLoopUtilization(this.since)
      this.since = performance.eventLoopUtilization()
      this.measuredAt = now
      this.spare = Math.min(1, Math.max(least, (1 - utilization) / (1 - mostTaken)))
    }
    return this.spare
  }
}
