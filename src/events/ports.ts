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

/** Adds to the transaction of an event what another feature needs. It knows events, but events do not know it. */
export abstract class EventSink {
  abstract accept(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void>

  /**
   * Does the work of `accept` inside the statement that makes the change. `parts` belong to its WITH list, after a part
   * `event` with the columns id, workspace_id and type. The value of the expression `result` is given to `accepted`.
   */
  abstract readonly inStatement: { parts: string; result: string }

  /** Call this after a statement with `inStatement`, with the value of `result`. The transaction may still be open. */
  abstract accepted(db: EntityManager, result: unknown): void

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
