/**
 * Asks the database at short intervals what is due. This finds retries, and whatever a lost hint, an emptied queue or a
 * dead worker has left behind.
 */
import { Injectable, Logger } from '@nestjs/common'

import { every } from '../platform/util/timers.js'
import { LaneWaker } from '../deliveries/lane-waker.js'
import { Dispatcher } from './dispatcher.js'
import { Heartbeat } from './heartbeat.js'
import { LeasesRepository } from './leases.repository.js'
import { duePollMs, duePollShare, dueSoonMs, longestDuePollMs, mostWithoutHint } from './limits.js'

@Injectable()
export class DuePoller {
  private readonly logger = new Logger(DuePoller.name)
  private readonly timers = new Map<string, NodeJS.Timeout>()
  /** The webhooks whose lanes were free and due at the last look. */
  private hinted: ReadonlySet<string> = new Set()
  private endPolling: () => void = () => undefined

  constructor(
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly dispatcher: Dispatcher,
    private readonly waker: LaneWaker,
  ) {}

  start(): void {
    this.endPolling = every({
      firstWaitMs: 0,
      waitMs: (tookMs) => Math.min(longestDuePollMs, Math.max(duePollMs, tookMs / duePollShare)),
      work: () => this.wakeDue(),
      onFailure: (error) => this.logger.warn(`What is due cannot be read: ${error.message}`),
    })
  }

  /** Looks at once, because the lanes of a dead worker must not wait for the next look. */
  lookNow(): void {
    this.wakeDue().catch((error: Error) => this.logger.warn(`What is due cannot be read: ${error.message}`))
  }

  stop(): void {
    this.endPolling()
    for (const timer of this.timers.values()) clearTimeout(timer)
  }

  private async wakeDue(): Promise<void> {
    const due = await this.leases.due(this.heartbeat.worker, dueSoonMs)
    void this.dispatcher.serve(
      due.filter(({ webhookId }) => this.dispatcher.has(webhookId)).map(({ webhookId }) => webhookId),
    )
    const notHere = due.filter(({ webhookId }) => !this.dispatcher.has(webhookId))
    const now = notHere.filter(({ inMs }) => inMs === 0).map(({ webhookId }) => webhookId)
    // No worker took these after the last hint: the queue may be away, or may wait for a dead worker.
    void this.dispatcher.serve(
      now.filter((webhookId) => this.hinted.has(webhookId)).slice(0, mostWithoutHint),
    )
    this.waker.wake(now)
    this.hinted = new Set(now)
    for (const { webhookId, inMs } of notHere) if (inMs > 0) this.wakeIn(webhookId, inMs)
  }

  private wakeIn(webhookId: string, ms: number): void {
    if (this.timers.has(webhookId)) return
    const timer = setTimeout(() => {
      this.timers.delete(webhookId)
      this.waker.wake([webhookId])
    }, ms).unref()
    this.timers.set(webhookId, timer)
  }
}
