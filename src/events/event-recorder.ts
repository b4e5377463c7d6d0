import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { encodeId, newId, timeOf } from '../platform/database/ids.js'
import { run } from '../platform/database/statements.js'
import type { EventData, EventType } from './catalogue.js'
import type { EventRow } from './event.entity.js'
import { EventSink } from './ports.js'
import { EventsRepository, insertEvents } from './events.repository.js'

/** Only payloads that fit their type compile. */
export type NewEvent = {
  [T in EventType]: {
    type: T
    workspaceId: string
    linkId: string | null
    data: EventData[T]
    /** Absent for a new id. The event of a click has the id of the click. */
    id?: string
    /** The webhook that the event is about. It does not get the event. */
    notTo?: string
  }
}[EventType]

/** A statement that makes a change, or changes no row when it finds another state than it expects. */
export interface ChangeStatement {
  name: string
  /** How many parameters `text` has, from $1 on. */
  parameters: number
  /** An INSERT or UPDATE that returns the rows it changed. When it changes several, each has the `id` of its link. */
  text: string
  /** Another part of the WITH list, after `change`. It reads the last of the parameters. */
  part?: string
  /** A SELECT without its FROM, for the rows of `change`. It tells other processes of them (see ChangeFeed). */
  announcement?: string
}

@Injectable()
export class EventRecorder {
  private readonly texts = new Map<string, string>()

  constructor(
    private readonly events: EventsRepository,
    private readonly sink: EventSink,
  ) {}

  /** Runs in the transaction that makes the change, so a change and its event commit together. */
  async record(tx: EntityManager, ...events: NewEvent[]): Promise<void> {
    if (events.length === 0) return
    const rows = events.map(rowOf)
    await this.events.insert(tx, rows)
    await this.sink.accept(
      tx,
      rows.map((row, i) => ({ ...row, notTo: events[i]?.notTo })),
    )
  }

  /**
   * Makes a change, records its event and gives it to the sink in one statement, which needs no transaction around it.
   * False when nothing was changed; then there is no event either.
   */
  async change(
    db: EntityManager,
    statement: ChangeStatement,
    values: readonly unknown[],
    event: NewEvent,
  ): Promise<boolean> {
    const { id, workspaceId, type, linkId, body } = rowOf(event)
    const [changed] = await run<{ accepted: unknown }>(
      db,
      { name: statement.name, text: this.textOf(statement) },
      [...values, id, workspaceId, type, linkId, body],
    )
    if (changed) this.sink.accepted(db, changed.accepted)
    return changed !== undefined
  }

  /**
   * Like `change`, for many links at once. Only links that were changed get an event, and the ids of these are
   * returned. The rows are sent as JSON, which is the quickest form to write here and to read in PostgreSQL.
   */
  async changeAll(
    db: EntityManager,
    statement: ChangeStatement,
    values: readonly unknown[],
    events: readonly NewEvent[],
  ): Promise<Set<string>> {
    const rows = events.map(({ id = newId(), workspaceId, type, linkId, data }) => {
      // PostgreSQL stores the body byte for byte as it stands in this list.
      const body = eventOf(id, type, data)
      return { id, workspace_id: workspaceId, type, link_id: linkId, body }
    })
    const [answer] = await run<{ accepted: unknown; ids: string[] }>(
      db,
      { name: statement.name, text: this.textForAll(statement) },
      [...values, JSON.stringify(rows)],
    )
    if (!answer) throw new Error(`${statement.name} has no answer`)
    this.sink.accepted(db, answer.accepted)
    return new Set(answer.ids)
  }

  private textForAll({ name, parameters, text, part, announcement }: ChangeStatement): string {
    let whole = this.texts.get(name)
    if (whole === undefined) {
      const { parts, result } = this.sink.inStatement
      const announced =
        announcement === undefined ? '' : `, (SELECT count(*) FROM (${announcement} FROM change) AS each)`
      whole = `
        WITH change AS (${text}), ${part === undefined ? '' : `${part}, `}event AS (
          ${insertEvents}, row.id, row.workspace_id, row.type, row.link_id, row.body::text
          FROM json_to_recordset($${parameters + 1})
            AS row (id uuid, workspace_id uuid, type text, link_id uuid, body json)
          JOIN change ON change.id = row.link_id
          RETURNING id, workspace_id, type
        ), ${parts}
        SELECT ${result} AS accepted, ARRAY(SELECT id FROM change) AS ids${announced}`
      this.texts.set(name, whole)
    }
    return whole
  }

  private textOf({ name, parameters, text, part, announcement }: ChangeStatement): string {
    let whole = this.texts.get(name)
    if (whole === undefined) {
      const [id, workspaceId, type, linkId, body] = [1, 2, 3, 4, 5].map((i) => `$${parameters + i}`)
      const { parts, result } = this.sink.inStatement
      whole = `
        WITH change AS (${text}), ${part === undefined ? '' : `${part}, `}event AS (
          ${insertEvents}, ${id}::uuid, ${workspaceId}::uuid, ${type}, ${linkId}::uuid, ${body}
          FROM change
          RETURNING id, workspace_id, type
        ), ${parts}
        SELECT ${result} AS accepted${announcement === undefined ? '' : `, (${announcement}) AS announced`} FROM change`
      this.texts.set(name, whole)
    }
    return whole
  }
}

export function rowOf({ type, workspaceId, linkId, data, id = newId() }: NewEvent): Omit<EventRow, 'tx'> {
  return { id, workspaceId, type, linkId, body: JSON.stringify(eventOf(id, type, data)) }
}

function eventOf(id: string, type: EventType, data: unknown): object {
  return { id: encodeId('evt', id), type, timestamp: timeOf(id).toISOString(), data }
}
