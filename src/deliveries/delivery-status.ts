/**
 * The status and the times that a delivery shows. What is stored as pending follows its webhook: so pausing, resuming and
 * deleting a webhook change one row, and not each of its deliveries. The rule of the status stands here once for rows
 * that were read and once as SQL.
 */
import type { DeliverySummary, DeliveryStatus } from '../events/ports.js'
import type { Webhook } from '../webhooks/webhook.entity.js'
import type { Delivery, StoredStatus } from './delivery.entity.js'

export type WebhookState = Pick<Webhook, 'status' | 'deletedAt'>

/** Why a delivery was canceled. */
export const endReasons = { retention: 'retention', webhookDeleted: 'webhook_deleted' } as const

export function deliveryStatus(stored: StoredStatus, webhook: WebhookState): DeliveryStatus {
  if (stored !== 'pending') return stored
  if (webhook.deletedAt) return 'canceled'
  return webhook.status === 'active' ? 'pending' : 'held'
}

/** Null for what is not sent before its webhook is active again, or never. */
export function nextAttemptAt(
  delivery: Pick<Delivery, 'status' | 'nextAttemptAt'>,
  webhook: WebhookState,
): Date | null {
  return deliveryStatus(delivery.status, webhook) === 'pending' ? delivery.nextAttemptAt : null
}

/** What its webhook's deletion canceled was completed then, although that is written down later. */
export function completedAt(
  delivery: Pick<Delivery, 'status' | 'completedAt'>,
  webhook: WebhookState,
): Date | null {
  if (deliveryStatus(delivery.status, webhook) !== 'canceled') return delivery.completedAt
  return delivery.completedAt ?? webhook.deletedAt
}

export function summaryOf(
  delivery: Pick<Delivery, 'id' | 'webhookId' | 'status' | 'attemptCount' | 'nextAttemptAt' | 'completedAt'>,
  webhook: WebhookState,
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
 * The condition for a delivery of one webhook to show a status. It compares the column itself, so that indexes fit, and
 * reads the webhook once. The webhook must not be deleted: what is pending would show as canceled.
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
