/** Moves deliveries from one status to another outside their lane, with the lane's counters kept right. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { priorities } from './delivery.entity.js'
import type { StoredStatus } from './delivery.entity.js'
import { lockLanes } from './lanes.repository.js'

@Injectable()
export class LedgerRepository {
  /** Before any delivery is touched: everyone locks the lane's row first, so that none waits in a circle. */
  async lock(tx: EntityManager, webhookId: string): Promise<void> {
    await lockLanes(tx, [webhookId])
  }

  /**
   * What is completed becomes pending, with its schedule from the beginning; what is pending stays as it is, so that
   * repeating this changes nothing. Says how many that were. Tests are outside the ledger and stay completed.
   */
  async reopen(tx: EntityManager, webhookId: string, ids: readonly string[]): Promise<number> {
    const [reopened]: [{ status: StoredStatus }[], number] = await tx.query(
      `UPDATE deliveries AS delivery
       SET status = 'pending', turn = ${priorities.replay}, next_attempt_at = now(), completed_at = NULL, end_reason = NULL,
         schedule_start = delivery.attempt_count
       FROM (
         SELECT id, status FROM deliveries
         WHERE webhook_id = $1 AND id = ANY($2) AND status <> 'pending' AND NOT test FOR UPDATE
       ) AS before
       WHERE delivery.webhook_id = $1 AND delivery.id = ANY($2) AND delivery.id = before.id
       RETURNING before.status`,
      [webhookId, ids],
    )
    if (reopened.length === 0) return 0
    const were = (status: StoredStatus) => reopened.filter((each) => each.status === status).length
    await tx.query(
      `UPDATE lanes SET succeeded = succeeded - $2, failed = failed - $3, canceled = canceled - $4 WHERE webhook_id = $1`,
      [webhookId, were('succeeded'), were('failed'), were('canceled')],
    )
    return reopened.length
  }

  /** Makes a pending delivery due now. */
  async hurry(tx: EntityManager, webhookId: string, id: string): Promise<void> {
    await tx.query(
      `UPDATE deliveries SET next_attempt_at = LEAST(next_attempt_at, now())
       WHERE webhook_id = $1 AND id = $2 AND status = 'pending'`,
      [webhookId, id],
    )
  }

  async cancel(tx: EntityManager, webhookId: string, ids: readonly string[], reason: string): Promise<void> {
    const [, canceled]: [unknown[], number] = await tx.query(
      `UPDATE deliveries SET status = 'canceled', end_reason = $3, next_attempt_at = NULL, completed_at = now()
       WHERE webhook_id = $1 AND id = ANY($2) AND status = 'pending'`,
      [webhookId, ids, reason],
    )
    await tx.query('UPDATE lanes SET canceled = canceled + $2 WHERE webhook_id = $1', [webhookId, canceled])
  }
}
