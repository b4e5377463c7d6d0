import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { encodeId, newId, getIdTime } from '../platform/database/ids.js'
import { getActiveTraceparent } from '../platform/util/tracing.js'
import type { EventType } from './catalog.js'
import type { EventData } from './payloads.js'
import type { EventRow } from './event.entity.js'
import { EventSink, NoticeOutbox } from './ports.js'
import { EventsRepository } from './events.repository.js'

/** An event to record. `type` determines the type of `data`. */
export type NewEvent = {
  [T in EventType]: {
    type: T
    workspaceId: string
    linkId: string | null
    data: EventData[T]
    /** Default: a new ID. The event of a click has the ID of the click. */
    id?: string
    /** The traceparent of the cause. Default: that of the active span. */
    traceparent?: string | null
  }
}[EventType]

@Injectable()
export class EventRecorder {
  constructor(
    private readonly events: EventsRepository,
    private readonly sink: EventSink,
    private readonly notices: NoticeOutbox,
  ) {}

  /** Records events in the transaction of the change, so that the change and its events commit together. */
  async record(tx: EntityManager, ...events: NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const rows = events.map(eventRow)
    await this.events.insertEvents(tx, rows)
    const recorded = rows.map((row, i) => ({ ...row, data: events[i]!.data }))
    await this.sink.fanOutEvents(tx, recorded)
    await this.notices.queueNotices(tx, recorded)
  }
}

/** Returns a row of the table `events`. The statement that writes the row adds its transaction ID. */
export function eventRow({
  type,
  workspaceId,
  linkId,
  data,
  id = newId(),
  traceparent = getActiveTraceparent(),
}: NewEvent): Omit<EventRow, 'tx'> {
  const event = { id: encodeId('evt', id), type, timestamp: getIdTime(id).toISOString(), data }
  return { id, workspaceId, type, linkId, body: JSON.stringify(event), traceparent }
}
