/** Cancels deliveries that will never be sent, in small transactions, so that it may stop at any line or run twice. */
import { Inject, Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { lowestIdAt } from '../platform/database/ids.js'
import { Handles } from '../platform/queue/jobs.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { oldestKeptEvent } from '../events/event.entity.js'
import { lockFreeLane } from './lanes.repository.js'
import { LedgerRepository } from './ledger.repository.js'
import { endReasons } from './delivery-status.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Deliveries that are never sent any more are canceled, and old figures and replays deleted. */
    'retain-deliveries': Record<string, never>
  }
}

const batchSize = 500
const mostCandidates = 20
const hoursKept = '7 days'
const replaysKept = '30 days'

@Injectable()
@Handles('retain-deliveries')
export class Retention implements JobHandler<'retain-deliveries'> {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
  ) {}

  async handle(): Promise<void> {
    while (await this.runSome());
    await this.dataSource.query(`DELETE FROM lane_hours WHERE hour < now() - interval '${hoursKept}'`)
    for (const table of ['replays', 'event_replays'])
      await this.dataSource.query(
        `DELETE FROM ${table} WHERE finished_at < now() - interval '${replaysKept}'`,
      )
  }

  /** Cancels one batch of one webhook. False when nothing is left, or only what other processes work on. */
  runSome(now = new Date()): Promise<boolean> {
    const cutoff = lowestIdAt(oldestKeptEvent(this.settings, now))
    return this.dataSource.transaction(async (tx) => {
      const ofDeleted = await this.lockWebhookWith(tx, 'webhook.deleted_at IS NOT NULL', null)
      if (ofDeleted !== null) {
        await this.cancel(tx, ofDeleted, null, endReasons.webhookDeleted)
        return true
      }
      const overdue = await this.lockWebhookWith(tx, 'webhook.deleted_at IS NULL', cutoff)
      if (overdue !== null) await this.cancel(tx, overdue, cutoff, endReasons.retention)
      return overdue !== null
    })
  }

  /** Finds a webhook with something to cancel and locks its lane. Lanes that others have locked are skipped. */
  private async lockWebhookWith(
    tx: EntityManager,
    which: string,
    cutoff: string | null,
  ): Promise<string | null> {
    const withOverdue: { webhook_id: string }[] = await tx.query(
      `SELECT lane.webhook_id FROM lanes AS lane JOIN webhooks AS webhook ON webhook.id = lane.webhook_id
       WHERE ${which} AND EXISTS (
         SELECT 1 FROM deliveries WHERE webhook_id = lane.webhook_id AND ${pendingBefore(cutoff, '$1')}
       )
       LIMIT ${mostCandidates}`,
      cutoff === null ? [] : [cutoff],
    )
    for (const { webhook_id } of withOverdue) if (await lockFreeLane(tx, webhook_id)) return webhook_id
    return null
  }

  private async cancel(
    tx: EntityManager,
    webhookId: string,
    cutoff: string | null,
    reason: string,
  ): Promise<void> {
    const rows: { id: string }[] = await tx.query(
      `SELECT id FROM deliveries WHERE webhook_id = $1 AND ${pendingBefore(cutoff, '$2')}
       ORDER BY id LIMIT ${batchSize}`,
      cutoff === null ? [webhookId] : [webhookId, cutoff],
    )
    const ids = rows.map(({ id }) => id)
    await this.ledger.cancel(tx, webhookId, ids, reason)
  }
}

function pendingBefore(cutoff: string | null, parameter: string): string {
  return cutoff === null ? `status = 'pending'` : `status = 'pending' AND id < ${parameter}`
}
