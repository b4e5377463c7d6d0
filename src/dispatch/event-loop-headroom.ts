/** How much of its time the event loop of this process has lately had left. */
import { performance } from 'node:perf_hooks'

const sampleMs = 100
/** So much of its time may be taken before there is less to spare. */
const mostTaken = 0.5
/** Even a process without any leaves a little to everyone. */
const least = 0.1

export class EventLoopHeadroom {
  private since = performance.eventLoopUtilization()
  private measuredAt = performance.now()
  private headroom = 1

  /** 1 while half of the time or more was free, down to a tenth when none was. */
  share(): number {
    const now = performance.now()
    if (now - this.measuredAt >= sampleMs) {
      const { utilization } = performance.eventLoopUtilization(this.since)
      this.since = performance.eventLoopUtilization()
      this.measuredAt = now
      this.headroom = Math.min(1, Math.max(least, (1 - utilization) / (1 - mostTaken)))
    }
    return this.headroom
  }
}
