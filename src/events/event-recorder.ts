import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { encodeId, newId, timeOf } from '../database/ids.js'
import type { EventData, EventType } from './catalogue.js'
import type { EventRow } from './event.entity.js'
import { EventSink } from './event-sink.js'
import { EventsRepository } from './events.repository.js'

/** Only payloads that fit their type compile. */
export type NewEvent = {
  [T in EventType]: {
    type: T
    workspaceId: string
    linkId: string | null
    data: EventData[T]
    /** Given where the event is a thing that has an id already: an event of a click has the click's digits. */
    id?: string
    /** The webhook that it is about. */
    notTo?: string
  }
}[EventType]

@Injectable()
export class EventRecorder {
  constructor(
    private readonly events: EventsRepository,
    private readonly sink: EventSink,
  ) {}

  /** Part of the transaction that makes the change: there is no change without its event, and none twice. */
  async record(tx: EntityManager, ...events: NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const rows = events.map(rowOf)
    await this.events.insert(tx, rows)
    await this.sink.accept(
      tx,
      rows.map((row, i) => ({ ...row, notTo: events[i]?.notTo })),
    )
  }

  wanting(tx: EntityManager, type: EventType, workspaceIds: readonly string[]): Promise<Set<string>> {
    return this.sink.wanting(tx, type, workspaceIds)
  }
}

export function rowOf({ type, workspaceId, linkId, data, id = newId() }: NewEvent): Omit<EventRow, 'tx'> {
  const event = { id: encodeId('event', id), type, timestamp: timeOf(id).toISOString(), data }
  return { id, workspaceId, type, linkId, body: JSON.stringify(event) }
}
