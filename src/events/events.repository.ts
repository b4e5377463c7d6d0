/**
 * Events in the database. The feed is read in the order of (transaction number, id), and only up to the oldest
 * transaction that is still running: one that commits later can then only bring rows that come later in that order.
 */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { feedEnd } from '../platform/database/feed-place.js'
import type { FeedPlace } from '../platform/database/feed-place.js'
import { Conditions, listStatement, run } from '../platform/database/statements.js'
import type { EventType } from './catalogue.js'
import { EventRow } from './event.entity.js'

/** Null means that the list is not filtered by it. */
export interface EventFilter {
  workspaceId: string
  type: EventType | null
  linkId: string | null
  /** The first id that belongs to it, and the first that no longer does. */
  fromId: string | null
  untilId: string | null
}

/** Of an event what it is shown and paged by. */
export type StoredEvent = Pick<EventRow, 'id' | 'tx' | 'body'>

const findEvent = {
  name: 'find-event',
  text: 'SELECT id, tx, body FROM events WHERE id = $1 AND workspace_id = $2',
}

@Injectable()
export class EventsRepository {
  constructor(@InjectRepository(EventRow) private readonly events: Repository<EventRow>) {}

  async insert(tx: EntityManager, rows: readonly Omit<EventRow, 'tx'>[]): Promise<void> {
    await tx.query(
      `INSERT INTO events (tx, id, workspace_id, type, link_id, body)
       SELECT pg_current_xact_id()::text::bigint, * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[])`,
      [
        rows.map(({ id }) => id),
        rows.map(({ workspaceId }) => workspaceId),
        rows.map(({ type }) => type),
        rows.map(({ linkId }) => linkId),
        rows.map(({ body }) => body),
      ],
    )
  }

  async find(workspaceId: string, id: string): Promise<StoredEvent | null> {
    const [found] = await run<StoredEvent & object>(this.events.manager, findEvent, [id, workspaceId])
    return found ?? null
  }

  newest(filter: EventFilter, before: string | null, limit: number): Promise<StoredEvent[]> {
    const where = conditionsOf(filter)
    if (before !== null) where.add('id < ?', before)
    return this.list('newest-events', where, 'id DESC', limit)
  }

  feed(filter: EventFilter, after: FeedPlace, limit: number): Promise<StoredEvent[]> {
    const where = conditionsOf(filter)
      .add('(tx, id) > (?, ?)', after.tx, after.id)
      .add('tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint')
    return this.list('event-feed', where, 'tx, id', limit)
  }

  feedEnd(): Promise<FeedPlace> {
    return feedEnd(this.events.manager)
  }

  private list(kind: string, where: Conditions, order: string, limit: number): Promise<StoredEvent[]> {
    const text = `SELECT id, tx, body FROM events WHERE ${where.text} ORDER BY ${order} LIMIT ${limit}`
    return run<StoredEvent & object>(this.events.manager, listStatement(kind, text, limit), where.values)
  }
}

function conditionsOf({ workspaceId, type, linkId, fromId, untilId }: EventFilter): Conditions {
  const where = new Conditions().add('workspace_id = ?', workspaceId)
  if (type !== null) where.add('type = ?', type)
  if (linkId !== null) where.add('link_id = ?', linkId)
  if (fromId !== null) where.add('id >= ?', fromId)
  if (untilId !== null) where.add('id < ?', untilId)
  return where
}
