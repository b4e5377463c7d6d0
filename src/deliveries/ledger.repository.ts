/** Changes the status of deliveries outside their lane, and updates the lane's counters. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { WebhookOwner } from '../webhooks/webhooks.repository.js'

/** Makes the deliveries $2 of the webhook $1 pending. Pending deliveries are included only if $3 is true. */
const reopenStatement = `
  WITH before AS MATERIALIZED (
    SELECT id, status FROM deliveries
    WHERE webhook_id = $1 AND id = ANY($2) AND NOT test AND ($3 OR status <> 'pending')
    FOR UPDATE
  ), reopened AS (
    UPDATE deliveries AS delivery
    SET status = 'pending', completed_at = NULL, end_reason = NULL,
      priority = CASE WHEN before.status = 'pending' THEN delivery.priority ELSE 2 END, -- 2: a replay
      batch_id = CASE WHEN before.status = 'pending' THEN delivery.batch_id END,
      schedule_start = CASE WHEN before.status = 'pending' THEN delivery.schedule_start ELSE delivery.attempt_count END,
      next_attempt_at = CASE WHEN before.status = 'pending' THEN LEAST(delivery.next_attempt_at, now()) ELSE now() END
    FROM before WHERE delivery.webhook_id = $1 AND delivery.id = ANY($2) AND delivery.id = before.id
    RETURNING before.status
  ), counted AS (
    UPDATE lanes SET
      succeeded = succeeded - (SELECT count(*) FROM reopened WHERE status = 'succeeded'),
      failed = failed - (SELECT count(*) FROM reopened WHERE status = 'failed'),
      canceled = canceled - (SELECT count(*) FROM reopened WHERE status = 'canceled')
    WHERE webhook_id = $1 AND EXISTS (SELECT FROM reopened WHERE status <> 'pending')
  )
  SELECT count(*)::int AS count FROM reopened`

@Injectable()
export class LedgerRepository {
  /** Locks the lane of a webhook. Returns false if the caller cannot access the webhook. */
  async lockLane(
    tx: EntityManager,
    { workspaceId, tags }: WebhookOwner,
    webhookId: string,
  ): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM lanes WHERE webhook_id = $1
         AND EXISTS (
           SELECT FROM webhooks WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL
             AND ($3::text[] IS NULL OR restricted_tags <@ $3)
         )
       FOR UPDATE OF lanes`,
      [webhookId, workspaceId, tags],
    )
    return rows.length > 0
  }

  /**
   * Makes completed deliveries pending with a new schedule, and returns their number. Pending deliveries and tests do
   * not change, so repeating the call is safe.
   */
  async reopenDeliveries(tx: EntityManager, webhookId: string, ids: readonly string[]): Promise<number> {
    const [row]: { count: number }[] = await tx.query(reopenStatement, [webhookId, ids, false])
    return row!.count
  }

  /** Makes a delivery pending and due now, even if it is already pending, and with it the others of its batch. */
  async reopenDelivery(tx: EntityManager, webhookId: string, id: string): Promise<void> {
    await tx.query(reopenStatement, [webhookId, [id], true])
    const batchIds = await findBatches(tx, webhookId, [id])
    if (batchIds.length === 0) return
    await tx.query(
      `UPDATE deliveries SET next_attempt_at = LEAST(next_attempt_at, now())
       WHERE webhook_id = $1 AND status = 'pending' AND priority = 0 AND batch_id = ANY ($2::uuid[])`,
      [webhookId, batchIds],
    )
  }

  /**
   * Cancels pending deliveries. The remaining deliveries of their batches are grouped again, because the content of a
   * batch must not change between attempts.
   */
  async cancelDeliveries(
    tx: EntityManager,
    webhookId: string,
    ids: readonly string[],
    reason: string,
  ): Promise<void> {
    const [, canceled]: [unknown[], number] = await tx.query(
      `UPDATE deliveries SET status = 'canceled', end_reason = $3, next_attempt_at = NULL, completed_at = now()
       WHERE webhook_id = $1 AND id = ANY($2) AND status = 'pending'`,
      [webhookId, ids, reason],
    )
    await tx.query('UPDATE lanes SET canceled = canceled + $2 WHERE webhook_id = $1', [webhookId, canceled])
    const batchIds = await findBatches(tx, webhookId, ids)
    if (batchIds.length === 0) return
    await tx.query(
      `UPDATE deliveries SET batch_id = NULL
       WHERE webhook_id = $1 AND status = 'pending' AND priority = 0 AND batch_id = ANY ($2::uuid[])`,
      [webhookId, batchIds],
    )
  }
}

async function findBatches(tx: EntityManager, webhookId: string, ids: readonly string[]): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT DISTINCT batch_id AS id FROM deliveries
     WHERE webhook_id = $1 AND id = ANY ($2::uuid[]) AND batch_id IS NOT NULL`,
    [webhookId, ids],
  )
  return rows.map(({ id }) => id)
}
