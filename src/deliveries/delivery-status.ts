/**
 * The status and times of a delivery as shown. The status of a pending delivery depends on its webhook, so pausing or
 * deleting a webhook changes a single row. The SQL for the next attempt is in dispatch/leases.repository.ts.
 */
import type { DeliverySummary, DeliveryStatus } from '../events/ports.js'
import type { Webhook } from '../webhooks/webhook.entity.js'
import { priorities } from './delivery.entity.js'
import type { Delivery, StoredStatus } from './delivery.entity.js'
import type { LaneHead } from './lane-head.js'
import type { Lane } from './lane.entity.js'

export type WebhookState = Pick<Webhook, 'status' | 'deletedAt'>
/** What a lane waits for. It sends nothing until `pausedUntil`, and only retries until `probeAt`. */
export interface LaneWaits extends Pick<Lane, 'pausedUntil' | 'probeAt'> {
  /** Null for unordered webhooks, and if nothing is pending. */
  head: LaneHead | null
  /** How long a delivery waits for others of its batch. Null without batches. */
  batchSeconds: number | null
}

/** Why a delivery was canceled. */
export const endReasons = {
  retention: 'retention',
  webhookDeleted: 'webhook_deleted',
  skipped: 'skipped',
} as const

export function getDeliveryStatus(stored: StoredStatus, webhook: WebhookState): DeliveryStatus {
  if (stored !== 'pending') return stored
  if (webhook.deletedAt) return 'canceled'
  return webhook.status === 'active' ? 'pending' : 'held'
}

/** True if an open circuit delays deliveries of this priority. Only retries are not delayed. */
export function waitsForCircuit(priority: number, { probeAt }: LaneWaits): boolean {
  return probeAt !== null && priority !== priorities.retry
}

/** True if a delivery waits for others of its batch. Those that were sent before do not. */
export function waitsForBatch(priority: number, { batchSeconds }: LaneWaits): boolean {
  return batchSeconds !== null && priority !== priorities.retry
}

/** Returns the head of an ordered lane if this delivery waits for it, and is not in the same batch. */
export function getAwaitedHead(
  { id, status, batchId }: Pick<Delivery, 'id' | 'status' | 'batchId'>,
  webhook: WebhookState & LaneWaits,
): LaneHead | null {
  const { head, batchSeconds } = webhook
  if (!head || head.id === id || getDeliveryStatus(status, webhook) !== 'pending') return null
  return batchSeconds !== null && head.batchId === batchId ? null : head
}

/**
 * Returns the earliest time of the next attempt: the time of the head's attempt for a delivery that waits for the head.
 * Null for completed and held deliveries.
 */
export function getNextAttemptAt(
  delivery: Pick<Delivery, 'id' | 'status' | 'priority' | 'batchId' | 'nextAttemptAt'>,
  webhook: WebhookState & LaneWaits,
): Date | null {
  if (delivery.nextAttemptAt === null || getDeliveryStatus(delivery.status, webhook) !== 'pending')
    return null
  const head = getAwaitedHead(delivery, webhook)
  return head
    ? getHeadAttemptAt(head, webhook)
    : getAttemptAt(delivery.priority, delivery.nextAttemptAt.getTime(), webhook)
}

export function getHeadAttemptAt({ priority, nextAttemptMs }: LaneHead, waits: LaneWaits): Date {
  return getAttemptAt(priority, nextAttemptMs, waits)
}

/** Returns when a delivery with this priority and due time is attempted. */
export function getAttemptAt(priority: number, dueMs: number, waits: LaneWaits): Date {
  const { pausedUntil, probeAt } = waits
  const times = [pausedUntil, waitsForCircuit(priority, waits) ? probeAt : null]
  const batchMs = waitsForBatch(priority, waits) ? (waits.batchSeconds ?? 0) * 1000 : 0
  return new Date(Math.max(dueMs + batchMs, ...times.map((time) => time?.getTime() ?? 0)))
}

/** Returns the completion time. Deliveries to a deleted webhook complete at the deletion; their rows change later. */
export function getCompletedAt(
  delivery: Pick<Delivery, 'status' | 'completedAt'>,
  webhook: WebhookState,
): Date | null {
  if (getDeliveryStatus(delivery.status, webhook) !== 'canceled') return delivery.completedAt
  return delivery.completedAt ?? webhook.deletedAt
}

export function toDeliverySummary(
  delivery: Pick<
    Delivery,
    'id' | 'webhookId' | 'status' | 'priority' | 'batchId' | 'attemptCount' | 'nextAttemptAt' | 'completedAt'
  >,
  webhook: WebhookState & LaneWaits,
): DeliverySummary {
  const { id, webhookId, status, attemptCount } = delivery
  return {
    id,
    webhookId,
    status: getDeliveryStatus(status, webhook),
    attemptCount,
    nextAttemptAt: getNextAttemptAt(delivery, webhook),
    completedAt: getCompletedAt(delivery, webhook),
  }
}

/**
 * Returns the SQL condition that a delivery of a webhook has this status. Compares the plain column, so that indexes
 * apply. Does not support deleted webhooks, whose pending deliveries show as canceled.
 */
export function hasStatusSql(status: DeliveryStatus, webhookId: string): string {
  if (status !== 'pending' && status !== 'held') return `status = '${status}'`
  // The same rule as `getDeliveryStatus`.
  return `status = 'pending' AND (
    SELECT CASE WHEN deleted_at IS NOT NULL THEN 'canceled' WHEN status = 'active' THEN 'pending' ELSE 'held' END
    FROM webhooks WHERE id = ${webhookId}) = '${status}'`
}

/** Splits the number of stored pending deliveries of a webhook by the status they show. */
export function splitPendingCount(
  count: number,
  webhook: WebhookState,
): Record<'pending' | 'held' | 'canceled', number> {
  const counts = { pending: 0, held: 0, canceled: 0, succeeded: 0, failed: 0 }
  counts[getDeliveryStatus('pending', webhook)] = count
  return counts
}

export function getCanceledReason(
  delivery: Pick<Delivery, 'status' | 'endReason'>,
  webhook: WebhookState,
): string | null {
  if (getDeliveryStatus(delivery.status, webhook) !== 'canceled') return null
  return delivery.status === 'pending' ? endReasons.webhookDeleted : delivery.endReason
}
