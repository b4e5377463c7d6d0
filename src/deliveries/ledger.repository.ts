/** Changes the status of deliveries outside their lane, and updates the lane's counters. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { priorities } from './delivery.entity.js'
import type { StoredStatus } from './delivery.entity.js'

@Injectable()
export class LedgerRepository {
  /** Locks the lane of a webhook. Returns false if the workspace has no such webhook. */
  async lockLane(tx: EntityManager, workspaceId: string, webhookId: string): Promise<boolean> {
    const rows: unknown[] = await tx.query(
      `SELECT 1 FROM lanes WHERE webhook_id = $1
         AND EXISTS (SELECT FROM webhooks WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL)
       FOR UPDATE OF lanes`,
      [webhookId, workspaceId],
    )
    return rows.length > 0
  }

  /**
   * Makes completed deliveries pending with a new schedule, and returns their number. Pending deliveries and tests do
   * not change, so repeating the call is safe.
   */
  async reopenDeliveries(tx: EntityManager, webhookId: string, ids: readonly string[]): Promise<number> {
    const [row]: { count: number }[] = await tx.query(reopenStatement(`status <> 'pending'`), [
      webhookId,
      ids,
    ])
    return row!.count
  }

  /** Makes a delivery pending and due now, even if it is already pending. */
  async reopenDelivery(tx: EntityManager, webhookId: string, id: string): Promise<void> {
    await tx.query(reopenStatement('true'), [webhookId, [id]])
  }

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
  }
}

/** Returns the statement that makes the deliveries $2 of the webhook $1 pending, if `condition` applies. */
function reopenStatement(condition: string): string {
  const unlessPending = (changed: string, same: string) =>
    `CASE WHEN before.status = 'pending' THEN ${same} ELSE ${changed} END`
  const countOf = (status: StoredStatus) => `(SELECT count(*) FROM reopened WHERE status = '${status}')`
  return `
    WITH before AS MATERIALIZED (
      SELECT id, status FROM deliveries WHERE webhook_id = $1 AND id = ANY($2) AND NOT test AND ${condition} FOR UPDATE
    ), reopened AS (
      UPDATE deliveries AS delivery
      SET status = 'pending', completed_at = NULL, end_reason = NULL,
        priority = ${unlessPending(`${priorities.replay}`, 'delivery.priority')},
        schedule_start = ${unlessPending('delivery.attempt_count', 'delivery.schedule_start')},
        next_attempt_at = ${unlessPending('now()', 'LEAST(delivery.next_attempt_at, now())')}
      FROM before WHERE delivery.webhook_id = $1 AND delivery.id = ANY($2) AND delivery.id = before.id
      RETURNING before.status
    ), counted AS (
      UPDATE lanes SET succeeded = succeeded - ${countOf('succeeded')}, failed = failed - ${countOf('failed')},
        canceled = canceled - ${countOf('canceled')}
      WHERE webhook_id = $1 AND EXISTS (SELECT FROM reopened WHERE status <> 'pending')
    )
    SELECT count(*)::int AS count FROM reopened`
}
