/**
 * Delays requests while the egress proxy is down, and requests of a lane after a fault of the proxy that may concern
 * only its receiver.
 */
import { Inject, Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import { OutboundClient } from '../platform/outbound/outbound-client.js'
import type { ProxyHealth } from '../platform/outbound/proxy-health.js'
import { deferDelay } from './backoff.js'
import { deferMemory, proxyTrialMs } from './limits.js'
import type { ServedLane } from './served-lane.js'
import { WaitingLine } from './send-slots.js'

/** Consecutive faults of the proxy for a receiver. */
interface LaneFaults {
  url: string | undefined
  count: number
  /** `performance.now()` at which the lane may send again. */
  until: number
}

@Injectable()
export class ProxyLine {
  private readonly health: ProxyHealth | null
  private readonly waiting = new WaitingLine<ServedLane, boolean>()
  /** By webhook. Kept when a lane is released, so that its delay keeps growing. */
  private readonly faults = new LRUCache<string, LaneFaults>(deferMemory)
  private timer: NodeJS.Timeout | undefined

  constructor(@Inject(OutboundClient) { proxy }: Pick<OutboundClient, 'proxy'>) {
    this.health = proxy?.health ?? null
    if (this.health) this.health.onChange = () => this.update()
  }

  /** Resolves with true when the lane may send, and with false if the lane stopped waiting. */
  async waitForProxy(lane: ServedLane): Promise<boolean> {
    if (!this.health) return true
    const deferredMs = (this.findFaults(lane)?.until ?? 0) - performance.now()
    if (deferredMs > 0 && !(await waitInLine(lane, deferredMs))) return false
    if (this.health.retryAt === null) return true
    this.scheduleTrial(this.health.retryAt)
    return (await this.waiting.join(lane)) ?? false
  }

  /** Delays the lane. Returns the delay in milliseconds. */
  recordFault(lane: ServedLane): number {
    const now = performance.now()
    const last = this.findFaults(lane)
    // Requests that were in flight at the last fault add no information.
    if (last && last.until > now) return last.until - now
    const count = (last?.count ?? 0) + 1
    const delayMs = deferDelay(count)
    this.faults.set(lane.webhookId, { url: lane.claimedLane?.url, count, until: now + delayMs })
    return delayMs
  }

  /** Records that a request of the lane passed the proxy. */
  recordPass(lane: ServedLane): void {
    if (this.health) this.faults.delete(lane.webhookId)
  }

  stop(): void {
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** A different URL is a different receiver. */
  private findFaults({ webhookId, claimedLane }: ServedLane): LaneFaults | undefined {
    const faults = this.faults.get(webhookId)
    return faults?.url === claimedLane?.url ? faults : undefined
  }

  private update(): void {
    this.stop()
    if (this.health!.retryAt === null) this.waiting.grantInOrder(() => true)
    else if (this.waiting.size > 0) this.scheduleTrial(this.health!.retryAt)
  }

  /** While the proxy is down, one lane at a time tries it. A fault sets the time of the next trial. */
  private scheduleTrial(at: number): void {
    this.timer ??= setTimeout(
      () => {
        this.stop()
        let granted = 0
        this.waiting.grantInOrder(() => (granted++ === 0 ? true : undefined))
        // The lane may have nothing left to send.
        if (this.waiting.size > 0) this.scheduleTrial(performance.now() + proxyTrialMs)
      },
      Math.max(0, at - performance.now()),
    )
  }
}

/** Resolves with true after the delay, and with false if the lane leaves first. */
function waitInLine(lane: ServedLane, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const endWait = (isOver: boolean) => {
      clearTimeout(timer)
      lane.leaveLine = null
      resolve(isOver)
    }
    const timer = setTimeout(() => endWait(true), Math.ceil(ms))
    lane.leaveLine = () => endWait(false)
  })
}
