import type { EntityManager } from 'typeorm'

import type { EventType } from './catalogue.js'

/** An event whose row is written, in a transaction that has not committed yet. */
export interface RecordedEvent {
  id: string
  workspaceId: string
  type: EventType
  /** A webhook that does not get the event, although it may subscribe to its type. */
  notTo?: string | undefined
}

/** A webhook that may be sent its new deliveries now. */
export interface ReadyWebhook {
  webhookId: string
  isProven: boolean
}

/** Adds to the transaction of an event what another feature needs. It knows events, but events do not know it. */
export abstract class EventSink {
  abstract accept(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void>

  /** Call this after a statement that itself wrote deliveries for these webhooks. The transaction may still be open. */
  abstract wakeAfter(db: EntityManager, webhooks: readonly ReadyWebhook[]): void

  /** Call this when another thread of this process has committed deliveries for these webhooks. */
  abstract wake(webhookIds: readonly string[], isProven: boolean): void
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

/** Finds the deliveries of an event. They belong to another feature, which knows events, but events do not know it. */
export abstract class DeliveriesOfEvent {
  /** The deliveries are in the order in which they were made. */
  abstract find(eventId: string): Promise<DeliverySummary[]>
}
