/**
 * Polls the database for due deliveries. This finds retries, and deliveries left behind by a lost hint, an emptied
 * queue or a dead worker.
 */
import { Injectable, Logger } from '@nestjs/common'

import { runPeriodically } from '../platform/util/timers.js'
import { LaneWaker } from '../deliveries/pending-deliveries.js'
import { Dispatcher } from './dispatcher.js'
import { Heartbeat } from './heartbeat.js'
import { LeasesRepository } from './leases.repository.js'
import { duePollMs, duePollShare, dueSoonMs, maxDuePollMs, maxWithoutHint } from './limits.js'

@Injectable()
export class DuePoller {
  private readonly logger = new Logger(DuePoller.name)
  private readonly timers = new Map<string, NodeJS.Timeout>()
  /** Webhooks whose lanes were free and due at the last poll. */
  private hinted: ReadonlySet<string> = new Set()
  private stopPolling: () => void = () => undefined

  constructor(
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
    private readonly dispatcher: Dispatcher,
    private readonly waker: LaneWaker,
  ) {}

  start(): void {
    this.stopPolling = runPeriodically({
      firstWaitMs: 0,
      waitMs: (tookMs) => Math.min(maxDuePollMs, Math.max(duePollMs, tookMs / duePollShare)),
      work: () => this.wakeDue(),
      onFailure: (error) => this.logger.warn(`Cannot read due deliveries: ${error.message}`),
    })
  }

  /** Polls immediately, so that the lanes of a dead worker do not wait for the next poll. */
  pollNow(): void {
    this.wakeDue().catch((error: Error) => this.logger.warn(`Cannot read due deliveries: ${error.message}`))
  }

  stop(): void {
    this.stopPolling()
    for (const timer of this.timers.values()) clearTimeout(timer)
  }

  private async wakeDue(): Promise<void> {
    const due = await this.leases.findDueWebhooks(this.heartbeat.worker, dueSoonMs)
    void this.dispatcher.serveLanes(
      due.filter(({ webhookId }) => this.dispatcher.isServing(webhookId)).map(({ webhookId }) => webhookId),
    )
    const elsewhere = due.filter(({ webhookId }) => !this.dispatcher.isServing(webhookId))
    const now = elsewhere.filter(({ inMs }) => inMs === 0).map(({ webhookId }) => webhookId)
    // No worker claimed these lanes after the last hint: the queue may be down, or waiting for a dead worker.
    void this.dispatcher.serveLanes(
      now.filter((webhookId) => this.hinted.has(webhookId)).slice(0, maxWithoutHint),
    )
    this.waker.wake(now)
    this.hinted = new Set(now)
    for (const { webhookId, inMs } of elsewhere) if (inMs > 0) this.wakeIn(webhookId, inMs)
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
