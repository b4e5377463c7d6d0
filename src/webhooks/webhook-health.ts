/**
 * Reports failing and recovered webhooks, and disables webhooks whose attempts keep failing. The events of a
 * disabled webhook are held.
 */
import { Inject, Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { AuditService, withoutToken } from '../audit/audit.service.js'
import { EventRecorder } from '../events/event-recorder.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { getNextVersionTime } from '../platform/http/resource-headers.js'
import { declareJobs, Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { webhookData } from './webhook.dto.js'
import { isActive } from './webhook.entity.js'
import type { Webhook } from './webhook.entity.js'
import { WebhookLanes } from './webhook-lanes.js'
import type { FailingLane } from './webhook-lanes.js'
import { WebhooksRepository } from './webhooks.repository.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Reports failing and recovered webhooks, and disables those that fail for too long. */
    'judge-webhooks': Record<string, never>
  }
}

const maxIntervalMs = 60_000
const minIntervalMs = 1_000

export const webhookHealthJobs = declareJobs({
  'judge-webhooks': {
    // Shorter time limits need more frequent checks.
    everyMs: ({ webhookFailingAfter, webhookDisableAfter }) => {
      const shortestMs = Math.min(webhookFailingAfter, webhookDisableAfter) * 1000
      return Math.min(maxIntervalMs, Math.max(minIntervalMs, Math.floor(shortestMs / 10)))
    },
  },
})

/** A webhook is not disabled after fewer failures than this since its last success. */
const minFailures = 20
/** Minimum time between the first and the last failure, as a share of the time limit. A short outage is not enough. */
const minSpread = 0.1

@Injectable()
@Handles('judge-webhooks')
export class WebhookHealth implements JobHandler<'judge-webhooks'> {
  private readonly logger = new Logger(WebhookHealth.name)

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly webhooks: WebhooksRepository,
    private readonly lanes: WebhookLanes,
    private readonly events: EventRecorder,
    private readonly audit: AuditService,
  ) {}

  /** Disables a webhook whose receiver responded with 410. If this fails, the next attempt repeats it. */
  receiverIsGone(webhookId: string, url: string): void {
    const reason = 'The receiver responded with 410 Gone.'
    // The URL may have been changed while the request was running.
    this.disable(webhookId, (_lane, webhook) => (webhook.url === url ? reason : null)).catch((error: Error) =>
      this.logger.error(`A webhook whose receiver is gone could not be disabled: ${error.message}`),
    )
  }

  /** Runs the job. The failure threshold protects webhooks with few deliveries. */
  async handle(): Promise<void> {
    const { webhookDisableAfter, webhookFailingAfter } = this.settings
    const unreachable = await this.lanes.failingBeyond(webhookDisableAfter, {
      minFailures,
      minSpreadSeconds: webhookDisableAfter * minSpread,
    })
    for (const webhookId of unreachable)
      await this.disable(webhookId, ({ failingSince }) => failingSince && noSuccessSince(failingSince))
    for (const webhookId of await this.lanes.failingUnwarned(webhookFailingAfter)) await this.warn(webhookId)
    for (const webhookId of await this.lanes.findRecovered()) await this.reportRecovery(webhookId)
  }

  private async warn(webhookId: string): Promise<void> {
    await this.ifActive(webhookId, async (tx, webhook, lane) => {
      if (!lane.failingSince || lane.warnedAt) return
      await this.lanes.markReported(tx, webhookId)
      await this.announce(tx, 'webhook.failing', webhook, lane, noSuccessSince(lane.failingSince))
    })
  }

  private async reportRecovery(webhookId: string): Promise<void> {
    await this.ifActive(webhookId, async (tx, webhook, lane) => {
      if (!lane.recoveredAt) return
      await this.lanes.clearReport(tx, webhookId)
      const reason = `An attempt succeeded at ${lane.recoveredAt.toISOString()}.`
      await this.announce(tx, 'webhook.recovered', webhook, lane, reason)
    })
  }

  private async disable(
    webhookId: string,
    reasonFor: (lane: FailingLane, webhook: Webhook) => string | null,
  ): Promise<void> {
    await this.ifActive(webhookId, async (tx, webhook, lane) => {
      const reason = reasonFor(lane, webhook)
      if (reason === null) return
      const changes = {
        status: 'disabled',
        disabledReason: reason,
        updatedAt: getNextVersionTime(webhook.updatedAt),
      } as const
      Object.assign(webhook, changes)
      await this.webhooks.update(tx, webhookId, changes)
      const actor = withoutToken(webhook.workspaceId)
      await this.audit.recordAndAnnounce(tx, actor, 'webhook.disabled', 'webhook', [webhookId], { reason })
      await this.lanes.markReported(tx, webhookId)
      await this.announce(tx, 'webhook.disabled', webhook, lane, reason)
    })
  }

  private async announce(
    tx: EntityManager,
    type: 'webhook.failing' | 'webhook.disabled' | 'webhook.recovered',
    webhook: Webhook,
    lane: FailingLane,
    reason: string,
  ): Promise<void> {
    const data = { webhook: webhookData(webhook, lane), reason }
    await this.events.record(tx, { type, workspaceId: webhook.workspaceId, linkId: null, data })
  }

  private async ifActive(
    webhookId: string,
    work: (tx: EntityManager, webhook: Webhook, lane: FailingLane) => Promise<void>,
  ): Promise<void> {
    await this.dataSource.transaction(async (tx) => {
      const webhook = await this.webhooks.lockById(tx, webhookId)
      const lane = await this.lanes.lockLane(tx, webhookId)
      if (lane && webhook && isActive(webhook)) await work(tx, webhook, lane)
    })
  }
}

function noSuccessSince(time: Date): string {
  return `No attempt has succeeded since ${time.toISOString()}.`
}
