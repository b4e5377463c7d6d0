/** Locks rows of `lanes`, and implements the port through which webhooks use them. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalog.js'
import { afterCommit } from '../platform/database/after-commit.js'
import { allowLongerStatements, largeRequestTimeoutMs } from '../platform/database/pg-client.js'
import { currentTime } from '../platform/util/clock.js'
import type { FailingLane, FailureThreshold, LaneFigures, WebhookLanes } from '../webhooks/webhook-lanes.js'
import type { Webhook } from '../webhooks/webhook.entity.js'
import { splitPendingCount } from './delivery-status.js'
import { getCircuit, getNextLaneAttemptAt, hoursShown, scheduleSql, successRate } from './lane-figures.js'
import type { LaneSchedule } from './lane-figures.js'
import { Lane } from './lane.entity.js'
import { LaneWaker } from './pending-deliveries.js'

/**
 * Every change of deliveries first locks their lanes in the order of their IDs, which prevents deadlocks. The lock is a
 * separate statement because of a crash of PostgreSQL 18.4 (see docs/decisions/0007-lanes-locked-first.md).
 *
 * Disables sequential scans for the rest of the transaction: connections cache plans, and a plan for small tables
 * would scan them completely after they have grown.
 */
export const lockLanesStatement = `
  WITH plans AS MATERIALIZED (SELECT set_config('enable_seqscan', 'off', true))
  SELECT 1 FROM plans, lanes WHERE webhook_id = ANY ($1) ORDER BY webhook_id FOR UPDATE OF lanes`

export async function lockLanes(tx: EntityManager, webhookIds: readonly string[]): Promise<void> {
  await tx.query(lockLanesStatement, [webhookIds])
}

/** Returns false if another transaction holds the lock. */
export async function lockFreeLane(tx: EntityManager, webhookId: string): Promise<boolean> {
  const rows: unknown[] = await tx.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE SKIP LOCKED', [
    webhookId,
  ])
  return rows.length > 0
}

/** Maximum wait of a deletion for the holder of the lane, which may have lost its database connection. */
const releaseWaitMs = 1_000
const releasePollMs = 5

/** Maximum number of failing webhooks per query. The next run finds the others. */
const maxFailingAtOnce = 100

/** Number of pending deliveries of a row of `lanes`. Exact, because one statement reads a single snapshot. */
export const countPendingSql = `(lanes.emitted - lanes.succeeded - lanes.failed - lanes.canceled + (
  SELECT COALESCE(sum(count), 0) FROM uncounted_deliveries WHERE uncounted_deliveries.webhook_id = lanes.webhook_id))::float8`

interface FiguresRow extends LaneSchedule, Pick<LaneFigures, 'lastSuccessAt' | 'failingSince' | 'lastError'> {
  webhookId: string
  waiting: number
  /** Attempts and successes of the last 24 hours. */
  attempts: number
  successes: number
}

@Injectable()
export class LanesRepository implements WebhookLanes {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly waker: LaneWaker,
  ) {}

  async createLane(tx: EntityManager, webhookId: string): Promise<void> {
    await tx.insert(Lane, { webhookId })
  }

  async resumeLane(tx: EntityManager, webhookId: string): Promise<void> {
    await tx.update(
      Lane,
      { webhookId },
      {
        pausedUntil: null,
        probeAt: null,
        failuresInARow: 0,
        failingSince: null,
        lastFailureAt: null,
        failuresSince: 0,
        warnedAt: null,
        recoveredAt: null,
        lastError: null,
        resumedAt: () => 'now()',
      },
    )
    this.wakeAfterCommit(tx, webhookId)
  }

  wakeAfterCommit(tx: EntityManager, webhookId: string): void {
    afterCommit(tx, () => this.waker.wake([webhookId]))
  }

  async dissolveBatches(tx: EntityManager, webhookId: string): Promise<void> {
    // After an outage, many deliveries can be in batches.
    await allowLongerStatements(tx, largeRequestTimeoutMs)
    await lockLanes(tx, [webhookId])
    await tx.query(
      `UPDATE deliveries SET batch_id = NULL WHERE webhook_id = $1 AND status = 'pending' AND priority = 0 AND batch_id IS NOT NULL`,
      [webhookId],
    )
  }

  async hasDeliveries(tx: EntityManager, webhookId: string, types: readonly EventType[]): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      'SELECT FROM deliveries WHERE webhook_id = $1 AND event_type = ANY ($2) AND NOT test LIMIT 1',
      [webhookId, types],
    )
    return rows.length > 0
  }

  async lockForDeletion(tx: EntityManager, webhookId: string): Promise<void> {
    await lockLanes(tx, [webhookId])
  }

  /** Waits until the lane is released. Its holder does so when the change feed reports the deletion (dispatcher.ts). */
  async waitUntilReleased(webhookId: string): Promise<void> {
    const giveUpAt = performance.now() + releaseWaitMs
    while ((await this.isHeld(webhookId)) && performance.now() < giveUpAt) await pause(releasePollMs)
  }

  async failingUnwarned(seconds: number): Promise<string[]> {
    const rows: { webhook_id: string }[] = await this.dataSource.query(
      `SELECT webhook_id FROM lanes JOIN webhooks ON webhooks.id = webhook_id
       WHERE failing_since <= now() - $1 * interval '1 s' AND warned_at IS NULL
         AND webhooks.status = 'active' AND webhooks.deleted_at IS NULL
       ORDER BY failing_since LIMIT $2`,
      [seconds, maxFailingAtOnce],
    )
    return rows.map(({ webhook_id }) => webhook_id)
  }

  async failingBeyond(
    seconds: number,
    { minFailures, minSpreadSeconds }: FailureThreshold,
  ): Promise<string[]> {
    const rows: { webhook_id: string }[] = await this.dataSource.query(
      `SELECT webhook_id FROM lanes JOIN webhooks ON webhooks.id = webhook_id
       WHERE failing_since <= now() - $1 * interval '1 s' AND failures_since >= $2
         AND last_failure_at - failing_since >= $3 * interval '1 s'
         AND webhooks.status = 'active' AND webhooks.deleted_at IS NULL
       ORDER BY failing_since LIMIT $4`,
      [seconds, minFailures, minSpreadSeconds, maxFailingAtOnce],
    )
    return rows.map(({ webhook_id }) => webhook_id)
  }

  lockLane(tx: EntityManager, webhookId: string): Promise<FailingLane | null> {
    return tx.findOne(Lane, { where: { webhookId }, lock: { mode: 'pessimistic_write' } })
  }

  async findRecovered(): Promise<string[]> {
    const rows: { webhook_id: string }[] = await this.dataSource.query(
      `SELECT webhook_id FROM lanes JOIN webhooks ON webhooks.id = webhook_id
       WHERE recovered_at IS NOT NULL AND webhooks.status = 'active' AND webhooks.deleted_at IS NULL
       ORDER BY recovered_at LIMIT $1`,
      [maxFailingAtOnce],
    )
    return rows.map(({ webhook_id }) => webhook_id)
  }

  async markReported(tx: EntityManager, webhookId: string): Promise<void> {
    const now = currentTime()
    await tx.update(Lane, { webhookId }, { warnedAt: now, reportedAt: now, recoveredAt: null })
  }

  async clearReport(tx: EntityManager, webhookId: string): Promise<void> {
    await tx.update(Lane, { webhookId }, { reportedAt: null, recoveredAt: null })
  }

  async getLaneFigures(
    webhooks: readonly Webhook[],
    tx: EntityManager = this.dataSource.manager,
  ): Promise<ReadonlyMap<string, LaneFigures>> {
    const rows: FiguresRow[] = await tx.query(
      `SELECT webhook_id AS "webhookId", last_success_at AS "lastSuccessAt", failing_since AS "failingSince",
         last_error AS "lastError", day.attempts, day.successes, ${countPendingSql} AS waiting, ${scheduleSql}
       FROM lanes JOIN webhooks ON webhooks.id = webhook_id, LATERAL (
         SELECT COALESCE(sum(attempts), 0)::float8 AS attempts, COALESCE(sum(successes), 0)::float8 AS successes
         FROM lane_hours
         WHERE lane_hours.webhook_id = lanes.webhook_id
           AND hour > date_trunc('hour', now(), 'UTC') - ${hoursShown} * interval '1 hour'
       ) AS day
       WHERE webhook_id = ANY ($1)`,
      [webhooks.map(({ id }) => id)],
    )
    const lanes = new Map(rows.map((row) => [row.webhookId, row]))
    return new Map(webhooks.map((webhook) => [webhook.id, figuresFrom(lanes.get(webhook.id)!, webhook)]))
  }

  private async isHeld(webhookId: string): Promise<boolean> {
    const rows: unknown[] = await this.dataSource.query(
      'SELECT FROM lanes JOIN workers ON workers.id = holder WHERE webhook_id = $1 AND alive_until > now()',
      [webhookId],
    )
    return rows.length > 0
  }
}

function figuresFrom(row: FiguresRow, webhook: Webhook): LaneFigures {
  const { waiting, attempts, successes, lastSuccessAt, failingSince, lastError } = row
  const { pending, held } = splitPendingCount(waiting, webhook)
  return {
    pending,
    held,
    lastSuccessAt,
    failingSince,
    lastError,
    successRate24h: successRate(attempts, successes),
    nextAttemptAt: getNextLaneAttemptAt(row, webhook),
    circuit: getCircuit(row),
  }
}
