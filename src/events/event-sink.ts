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

  /** Of these workspaces, the ones in which someone wants events of this type. */
  abstract wanting(tx: EntityManager, type: EventType, workspaceIds: readonly string[]): Promise<Set<string>>

  /** Says that another thread of this process has committed what these webhooks are to be sent. */
  abstract wake(webhookIds: readonly string[], isProven: boolean): void
}
