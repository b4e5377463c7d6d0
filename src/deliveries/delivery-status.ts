/**
 * The status and the times that a delivery shows. A stored `pending` is shown as the state of its webhook demands, so
 * pausing, resuming or deleting a webhook changes one row and not each of its deliveries. The rule for the status is
 * here twice: for rows that were read, and as SQL. The rule for the next attempt is here, and as SQL in
 * dispatch/leases.repository.ts.
 */
import type { DeliverySummary, DeliveryStatus } from '../events/ports.js'
import type { Webhook } from '../webhooks/webhook.entity.js'
import { priorities } from './delivery.entity.js'
import type { Delivery, StoredStatus } from './delivery.entity.js'
import type { Lane } from './lane.entity.js'

export type WebhookState = Pick<Webhook, 'status' | 'deletedAt'>
/** The times before which a lane sends nothing, or retries only, although deliveries are due. */
export type LaneWaits = Pick<Lane, 'pausedUntil' | 'probeAt'>

/** Why a delivery was canceled. */
export const endReasons = { retention: 'retention', webhookDeleted: 'webhook_deleted' } as const

export function deliveryStatus(stored: StoredStatus, webhook: WebhookState): DeliveryStatus {
  if (stored !== 'pending') return stored
  if (webhook.deletedAt) return 'canceled'
  return webhook.status === 'active' ? 'pending' : 'held'
}

/** An open circuit holds back all but retries. A pause that the receiver asked for holds back retries too. */
export function waitsForCircuit(priority: number, { probeAt }: LaneWaits): boolean {
  return probeAt !== null && priority !== priorities.retry
}

/** Null for a delivery that is never sent again, or not before its webhook is active again. */
export function nextAttemptAt(
  { status, priority, nextAttemptAt: due }: Pick<Delivery, 'status' | 'priority' | 'nextAttemptAt'>,
  webhook: WebhookState & LaneWaits,
): Date | null {
  if (due === null || deliveryStatus(status, webhook) !== 'pending') return null
  const times = [due, webhook.pausedUntil, waitsForCircuit(priority, webhook) ? webhook.probeAt : null]
  return new Date(Math.max(...times.map((time) => time?.getTime() ?? 0)))
}

/** A delivery that is canceled because its webhook was deleted counts as completed then. The row is updated later. */
export function completedAt(
  delivery: Pick<Delivery, 'status' | 'completedAt'>,
  webhook: WebhookState,
): Date | null {
  if (deliveryStatus(delivery.status, webhook) !== 'canceled') return delivery.completedAt
  return delivery.completedAt ?? webhook.deletedAt
}

export function summaryOf(
  delivery: Pick<
    Delivery,
    'id' | 'webhookId' | 'status' | 'priority' | 'attemptCount' | 'nextAttemptAt' | 'completedAt'
  >,
  webhook: WebhookState & LaneWaits,
): DeliverySummary {
  const { id, webhookId, status, attemptCount } = delivery
  return {
    id,
    webhookId,
    status: deliveryStatus(status, webhook),
    attemptCount,
    nextAttemptAt: nextAttemptAt(delivery, webhook),
    completedAt: completedAt(delivery, webhook),
  }
}

/** The same rule as `deliveryStatus`, in a query that reads `webhooks`. */
const statusOfPendingSql = `CASE WHEN deleted_at IS NOT NULL THEN 'canceled' WHEN status = 'active' THEN 'pending' ELSE 'held' END`

/**
 * The condition that a delivery of one webhook shows a status. It compares the column itself, so that indexes fit, and
 * reads the webhook once. Do not use it for a deleted webhook, whose pending deliveries show as canceled.
 */
export function hasStatusSql(status: DeliveryStatus, webhookId: string): string {
  if (status !== 'pending' && status !== 'held') return `status = '${status}'`
  return `status = 'pending' AND (SELECT ${statusOfPendingSql} FROM webhooks WHERE id = ${webhookId}) = '${status}'`
}

/** How many of a webhook's stored pending deliveries show each status. */
export function countsOfPending(
  count: number,
  webhook: WebhookState,
): Record<'pending' | 'held' | 'canceled', number> {
  const counts = { pending: 0, held: 0, canceled: 0, succeeded: 0, failed: 0 }
  counts[deliveryStatus('pending', webhook)] = count
  return counts
}

export function canceledReason(
  delivery: Pick<Delivery, 'status' | 'endReason'>,
  webhook: WebhookState,
): string | null {
  if (deliveryStatus(delivery.status, webhook) !== 'canceled') return null
  return delivery.status === 'pending' ? endReasons.webhookDeleted : delivery.endReason
}
