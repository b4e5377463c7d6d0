/** The state of the egress proxy as this process last observed it. */
import { currentTime } from '../util/clock.js'

const firstWaitMs = 1_000
const maxWaitMs = 30_000
const spread = 0.2

export interface ProxyFault {
  since: Date
  /** The last fault, without credentials. */
  message: string
}

interface ObservedFault {
  message: string
  /** Whether no receiver can be reached. False if the fault may be limited to one receiver. */
  isTotal: boolean
  /** `performance.now()` at the start of the connection that failed. */
  startedAt: number
}

export class ProxyHealth {
  /** Null if the last connection through the proxy succeeded, or if there was none. */
  fault: ProxyFault | null = null
  /** `performance.now()` of the next attempt to connect while the proxy is down. Null while it may be used. */
  retryAt: number | null = null
  /** Number of faults since the start of the process. */
  faults = 0
  /** Called when `retryAt` has changed. */
  onChange: () => void = () => undefined
  private waitMs = firstWaitMs
  private lastTotalFaultAt = -Infinity

  recordSuccess(): void {
    this.fault = null
    this.waitMs = firstWaitMs
    if (this.retryAt === null) return
    this.retryAt = null
    this.onChange()
  }

  recordFault({ message, isTotal, startedAt }: ObservedFault): void {
    this.faults += 1
    this.fault = { since: this.fault?.since ?? currentTime(), message }
    // Connections that were being opened at the last fault add no information.
    if (!isTotal || startedAt < this.lastTotalFaultAt) return
    const now = performance.now()
    this.lastTotalFaultAt = now
    this.retryAt = now + this.waitMs * (1 + spread * Math.random())
    this.waitMs = Math.min(maxWaitMs, 2 * this.waitMs)
    this.onChange()
  }
}
