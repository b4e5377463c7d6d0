/** How much of its time the event loop of this process has lately had left. */
import { performance } from 'node:perf_hooks'

import { headroomSampleMs, leastHeadroom, mostTimeTaken } from './limits.js'

export class EventLoopHeadroom {
  private since = performance.eventLoopUtilization()
  private measuredAt = performance.now()
  private headroom = 1

  /** 1 while half of the time or more was free, down to a tenth when none was. */
  share(): number {
    const now = performance.now()
    if (now - this.measuredAt >= headroomSampleMs) {
      const { utilization } = performance.eventLoopUtilization(this.since)
      this.since = performance.eventLoopUtilization()
      this.measuredAt = now
      this.headroom = Math.min(1, Math.max(leastHeadroom, (1 - utilization) / (1 - mostTimeTaken)))
    }
    return this.headroom
  }
}
