/** Takes webhooks out of service that nothing reaches any more; what comes for them is held, and not lost. */
import { Inject, Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService } from '../audit/audit.service.js'
import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { EventRecorder } from '../events/event-recorder.js'
import { Webhook } from '../webhooks/webhook.entity.js'
import { Lane } from '../deliveries/lane.entity.js'
import { webhookEvent } from './webhook-events.js'

const fewestFailures = 20
/** The failures must lie this part of the time apart: one bad moment does not disable a quiet webhook. */
const leastSpread = 0.1
const mostAtOnce = 100

@Injectable()
export class Disabling {
  private readonly logger = new Logger(Disabling.name)

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly events: EventRecorder,
    private readonly audit: AuditService,
  ) {}

  /** Also when this fails no harm is done: the next attempt hears it again. */
  receiverIsGone(webhookId: string): void {
    this.disable(webhookId, () => 'The receiver answered 410: it is gone for good.').catch((error: Error) =>
      this.logger.error(`A webhook whose receiver is gone could not be disabled: ${error.message}`),
    )
  }

  /** Judged by time, so that neither a short outage with many events nor a quiet webhook is punished. */
  async sweep(): Promise<void> {
    const { webhookDisableAfter, webhookFailingAfter } = this.settings
    for (const webhookId of await this.failingFor(webhookDisableAfter, this.isHopeless))
      await this.disable(webhookId, (lane) =>
        lane.failingSince ? `No attempt has succeeded since ${lane.failingSince.toISOString()}.` : null,
      )
    for (const webhookId of await this.failingFor(webhookFailingAfter, 'warned_at IS NULL'))
      await this.warn(webhookId)
  }

  private get isHopeless(): string {
    const spread = this.settings.webhookDisableAfter * leastSpread
    return `failures_since >= ${fewestFailures} AND last_failure_at - failing_since >= ${spread} * interval '1 s'`
  }

  private async failingFor(seconds: number, condition: string): Promise<string[]> {
    const rows: { webhook_id: string }[] = await this.dataSource.query(
      `SELECT webhook_id FROM lanes JOIN webhooks ON webhooks.id = webhook_id
       WHERE failing_since <= now() - $1 * interval '1 s' AND status = 'active' AND deleted_at IS NULL AND ${condition}
       ORDER BY failing_since LIMIT ${mostAtOnce}`,
      [seconds],
    )
    return rows.map(({ webhook_id }) => webhook_id)
  }

  private async warn(webhookId: string): Promise<void> {
    await this.ifActive(webhookId, async (tx, webhook, lane) => {
      if (!lane.failingSince || lane.warnedAt) return
      await tx.update(Lane, { webhookId }, { warnedAt: new Date() })
      const reason = `No attempt has succeeded since ${lane.failingSince.toISOString()}.`
      await this.events.record(tx, webhookEvent('webhook.failing', webhook, lane, reason))
    })
  }

  private async disable(webhookId: string, reasonFor: (lane: Lane) => string | null): Promise<void> {
    await this.ifActive(webhookId, async (tx, webhook, lane) => {
      const reason = reasonFor(lane)
      if (reason === null) return
      const updatedAt = new Date(Math.max(Date.now(), webhook.updatedAt.getTime() + 1))
      Object.assign(webhook, { status: 'disabled', disabledReason: reason, updatedAt })
      await tx.update(Webhook, { id: webhookId }, { status: 'disabled', disabledReason: reason, updatedAt })
      await ChangeFeed.announce(tx, 'webhook', [webhookId])
      const actor = { tokenId: null, workspaceId: webhook.workspaceId, address: null, requestId: null }
      await this.audit.record(tx, actor, 'webhook.disabled', { type: 'webhook', id: webhookId }, { reason })
      await this.events.record(tx, webhookEvent('webhook.disabled', webhook, lane, reason))
    })
  }

  private async ifActive(
    webhookId: string,
    work: (tx: EntityManager, webhook: Webhook, lane: Lane) => Promise<void>,
  ): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const webhook = await tx.findOne(Webhook, {
        where: { id: webhookId },
        lock: { mode: 'pessimistic_write' },
      })
      const lane = await tx.findOne(Lane, { where: { webhookId }, lock: { mode: 'pessimistic_write' } })
      if (lane && webhook?.status === 'active' && webhook.deletedAt === null) await work(tx, webhook, lane)
    })
  }
}
