import type { EntityManager } from 'typeorm'

import type { FilteredEvent } from './webhook-filter.js'

/** An event whose row was written in a transaction that is still open. */
export interface RecordedEvent extends FilteredEvent {
  id: string
  workspaceId: string
}

/** A webhook whose new deliveries may be sent now. */
export interface ReadyWebhook {
  webhookId: string
  isProven: boolean
}

/** Creates the deliveries of new events. Another feature implements this, so that `events` does not depend on it. */
export abstract class EventSink {
  /** Creates the deliveries in the transaction that records the events. */
  abstract fanOutEvents(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void>

  /** Wakes the webhooks after the commit. Call this after a statement that wrote deliveries for them. */
  abstract wakeAfterCommit(db: EntityManager, webhooks: readonly ReadyWebhook[]): void

  /** Wakes the webhooks. Call this when another thread of this process has committed deliveries for them. */
  abstract wake(webhookIds: readonly string[], isProven: boolean): void
}

/** Queues notices. Another feature implements this, so that `events` does not depend on it. */
export abstract class NoticeOutbox {
  /** Queues notices in the transaction that records the events. Ignores types that cause no notices. */
  abstract queueNotices(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void>
}

export const deliveryStatuses = ['pending', 'held', 'succeeded', 'failed', 'canceled'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export interface DeliverySummary {
  id: string
  webhookId: string
  status: DeliveryStatus
  attemptCount: number
  nextAttemptAt: Date | null
  completedAt: Date | null
}

/** Reads the deliveries of an event. Another feature implements this, so that `events` does not depend on it. */
export abstract class DeliveriesOfEvent {
  /** Returns the deliveries in creation order. A caller with `tags` gets only those to webhooks it can access. */
  abstract findDeliveries(eventId: string, tags: readonly string[] | null): Promise<DeliverySummary[]>
}
