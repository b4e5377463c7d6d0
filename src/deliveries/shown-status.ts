import type { Webhook } from '../webhooks/webhook.entity.js'
import type { Delivery, StoredStatus } from './delivery.entity.js'

export const shownStatuses = ['pending', 'held', 'succeeded', 'failed', 'canceled'] as const
export type ShownStatus = (typeof shownStatuses)[number]

export type WebhookState = Pick<Webhook, 'status' | 'deletedAt'>

/** What is pending follows its webhook: so pausing, resuming and deleting one changes one row, and not all of these. */
export function shownStatus(stored: StoredStatus, webhook: WebhookState): ShownStatus {
  if (stored !== 'pending') return stored
  if (webhook.deletedAt) return 'canceled'
  return webhook.status === 'active' ? 'pending' : 'held'
}

export function canceledReason(delivery: Delivery, webhook: WebhookState): string | null {
  if (shownStatus(delivery.status, webhook) !== 'canceled') return null
  return delivery.status === 'pending' ? endReasons.webhookDeleted : delivery.endReason
}

export const endReasons = { retention: 'retention', webhookDeleted: 'webhook_deleted' } as const
