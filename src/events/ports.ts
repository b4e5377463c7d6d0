import type { EntityManager } from 'typeorm'

import type { EventType } from './catalogue.js'

/** An event whose row is written, in a transaction that has not committed yet. */
export interface RecordedEvent {
  id: string
  workspaceId: string
  type: EventType
  /** A webhook that it is not for, though it may want it. */
  notTo?: string | undefined
}

/** What else belongs into the transaction of an event. Who provides it knows of events; events know nothing of it. */
export abstract class EventSink {
  abstract accept(tx: EntityManager, events: readonly RecordedEvent[]): Promise<void>

  /**
   * The same inside the statement that makes the change: further parts of its WITH list, behind a part `event` with the
   * columns id, workspace_id and type, and an expression whose value comes back to `accepted`.
   */
  abstract readonly inStatement: { parts: string; result: string }

  /** Hears of what a statement did once it has committed. */
  abstract accepted(db: EntityManager, result: unknown): void

  /** Says that another thread of this process has committed what these webhooks are to be sent. */
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

/** What became of an event. Deliveries are another feature's, which knows of events; events know nothing of it. */
export abstract class DeliveriesOfEvent {
  /** In the order in which they were made. */
  abstract find(eventId: string): Promise<DeliverySummary[]>
}
