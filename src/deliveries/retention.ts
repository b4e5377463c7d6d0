/** Cancels deliveries that will never be sent. Works in small transactions, so a run may stop anywhere or overlap. */
import { setTimeout as pause } from 'node:timers/promises'

import { Inject, Injectable } from '@nestjs/common'
import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { firstId, lastId, lowestIdAt } from '../platform/database/ids.js'
import { PartitionMaintenance } from '../platform/database/partition-maintenance.js'
import type { Partition } from '../platform/database/partitions.js'
import { allowLongerStatements, backgroundTimeoutMs } from '../platform/database/pg-client.js'
import { Handles } from '../platform/queue/jobs.js'
import { currentTime } from '../platform/util/clock.js'
import type { JobHandler } from '../platform/queue/jobs.js'
import { oldestKeptEvent } from '../events/event.entity.js'
import { attemptPartitions } from './attempt.entity.js'
import { deliveryPartitions } from './delivery.entity.js'
import { lockFreeLane, countPendingSql } from './lanes.repository.js'
import { LedgerRepository } from './ledger.repository.js'
import { endReasons } from './delivery-status.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Cancels deliveries that will never be sent, and deletes old statistics and replays. */
    'retain-deliveries': Record<string, never>
  }
}

const batchSize = 1_000
const maxWebhooks = 100
/** A run ends after this time, and the next one continues. */
const runMs = 30_000
const laneHoursRetention = '7 days'
const replayRetention = '30 days'

interface Overdue {
  webhookId: string
  /** Pending deliveries with a lower ID are canceled. */
  until: string
  reason: string
}

@Injectable()
@Handles('retain-deliveries')
export class Retention implements JobHandler<'retain-deliveries'>, OnModuleDestroy {
  private isStopping = false

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly ledger: LedgerRepository,
  ) {}

  onModuleDestroy(): void {
    this.isStopping = true
  }

  async handle(): Promise<void> {
    const endAt = performance.now() + runMs
    for (const overdue of await this.findOverdue()) await this.cancelAll(overdue, endAt)
    await this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundTimeoutMs)
      await tx.query(`DELETE FROM lane_hours WHERE hour < now() - interval '${laneHoursRetention}'`)
      await tx.query(`DELETE FROM replays WHERE finished_at < now() - interval '${replayRetention}'`)
    })
  }

  /** Returns the webhooks with deliveries to cancel, up to a limit. The next run finds the others. */
  async findOverdue(now = currentTime()): Promise<Overdue[]> {
    const deleted: { webhookId: string }[] = await this.dataSource.query(
      `SELECT webhook_id AS "webhookId" FROM lanes JOIN webhooks ON webhooks.id = webhook_id
       WHERE deleted_at IS NOT NULL AND ${countPendingSql} > 0 LIMIT ${maxWebhooks}`,
    )
    const cutoff = lowestIdAt(oldestKeptEvent(this.settings, now))
    const old: { webhookId: string }[] = await this.dataSource.query(
      `SELECT webhook_id AS "webhookId" FROM lanes WHERE EXISTS (
         SELECT FROM deliveries WHERE deliveries.webhook_id = lanes.webhook_id AND status = 'pending' AND id < $1
       ) LIMIT ${maxWebhooks}`,
      [cutoff],
    )
    return [
      ...deleted.map((webhook) => ({ ...webhook, until: lastId, reason: endReasons.webhookDeleted })),
      ...old.map((webhook) => ({ ...webhook, until: cutoff, reason: endReasons.retention })),
    ]
  }

  private async cancelAll(overdue: Overdue, endAt: number): Promise<void> {
    let after: string | null = firstId
    while (after !== null && performance.now() < endAt && !this.isStopping) {
      const startedAt = performance.now()
      after = await this.cancelSome(overdue, after)
      // Pausing leaves half of the time to other users of the database.
      if (after !== null) await pause(performance.now() - startedAt)
    }
  }

  /**
   * Cancels a batch of deliveries after the ID `after`. Returns the last canceled ID, or null if nothing is left or
   * another transaction holds the lane. The next batch starts there, because a search from the start would scan all
   * canceled rows again.
   */
  cancelSome({ webhookId, until, reason }: Overdue, after: string): Promise<string | null> {
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundTimeoutMs)
      if (!(await lockFreeLane(tx, webhookId))) return null
      const rows: { id: string }[] = await tx.query(
        `SELECT id FROM deliveries WHERE webhook_id = $1 AND status = 'pending' AND id > $2 AND id < $3
         ORDER BY id LIMIT ${batchSize}`,
        [webhookId, after, until],
      )
      const ids = rows.map(({ id }) => id)
      if (ids.length > 0) await this.ledger.cancelDeliveries(tx, webhookId, ids, reason)
      return ids.length < batchSize ? null : ids.at(-1)!
    })
  }
}

/**
 * Keeps the partitions of pending deliveries and of their attempts. Otherwise the deliveries would be counted as pending
 * forever, and the results of their next attempts could not be written.
 */
@Injectable()
export class PendingDeliveriesGuard implements OnModuleInit {
  constructor(private readonly partitions: PartitionMaintenance) {}

  onModuleInit(): void {
    this.partitions.guard(deliveryPartitions, hasNoPending)
    // Attempts are partitioned by the ID of their delivery.
    this.partitions.guard(attemptPartitions, hasNoPending)
  }
}

async function hasNoPending(tx: EntityManager, { begin, end }: Partition): Promise<boolean> {
  const pending: unknown[] = await tx.query(
    `SELECT FROM deliveries WHERE status = 'pending' AND id >= $1 AND id < $2 LIMIT 1`,
    [lowestIdAt(begin), lowestIdAt(end)],
  )
  return pending.length === 0
}
