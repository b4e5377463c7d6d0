/** Reads and writes events. For the order and the end of a feed, see feed-place.ts. */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import {
  addFeedConditions,
  feedEnd,
  ownTransaction,
  scannedRows,
  toFeedRows,
  toNarrowedRows,
} from '../platform/database/feed-place.js'
import type { FeedPlace, FeedRows, ScannedRow } from '../platform/database/feed-place.js'
import { Conditions, listStatement, runStatement } from '../platform/database/statements.js'
import type { EventType } from './catalogue.js'
import { EventRow } from './event.entity.js'

/** The filters of a list. A null field does not filter. */
export interface EventFilter {
  workspaceId: string
  /** Types that the caller must not read. */
  hiddenTypes: readonly EventType[]
  type: EventType | null
  linkId: string | null
  /** Only events of links that now have one of these tags. */
  tags: readonly string[] | null
  /** `fromId` is inclusive, `untilId` exclusive. */
  fromId: string | null
  untilId: string | null
}

/** The columns needed to show an event and to page. */
export type StoredEvent = Pick<EventRow, 'id' | 'tx' | 'type' | 'body'>

const findEvent = {
  name: 'find-event',
  text: `
    SELECT id, tx, type, body FROM events
    WHERE id = $1 AND workspace_id = $2
      AND ($3::text[] IS NULL OR EXISTS (SELECT FROM links WHERE links.id = events.link_id AND links.tags && $3))`,
}

@Injectable()
export class EventsRepository {
  constructor(@InjectRepository(EventRow) private readonly events: Repository<EventRow>) {}

  async insert(tx: EntityManager, rows: readonly Omit<EventRow, 'tx'>[]): Promise<void> {
    await tx.query(
      `INSERT INTO events (tx, id, workspace_id, type, link_id, body, traceparent)
       SELECT ${ownTransaction}, *
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[])`,
      [
        rows.map(({ id }) => id),
        rows.map(({ workspaceId }) => workspaceId),
        rows.map(({ type }) => type),
        rows.map(({ linkId }) => linkId),
        rows.map(({ body }) => body),
        rows.map(({ traceparent }) => traceparent),
      ],
    )
  }

  async find(
    { workspaceId, tags }: Pick<Caller, 'workspaceId' | 'tags'>,
    id: string,
  ): Promise<StoredEvent | null> {
    const [found] = await runStatement<StoredEvent & object>(this.events.manager, findEvent, [
      id,
      workspaceId,
      tags,
    ])
    return found ?? null
  }

  newest(filter: EventFilter, before: string | null, limit: number): Promise<StoredEvent[]> {
    const { column, id, where } = indexFor(filter)
    addTypeCondition(where, filter)
    where.addIdConditions(column, id, { from: filter.fromId, until: filter.untilId, before })
    if (filter.tags !== null)
      where.addCondition(
        'EXISTS (SELECT FROM links WHERE links.id = events.link_id AND links.tags && ?::text[])',
        filter.tags,
      )
    return this.list('newest-events', where, `${column} DESC, id DESC`, limit)
  }

  async feed(filter: EventFilter, after: FeedPlace, limit: number): Promise<FeedRows<StoredEvent>> {
    const { column, id, where } = indexFor(filter)
    addTypeCondition(where, filter)
    addFeedConditions(where, column, id, after)
    if (filter.fromId !== null) where.addCondition('id >= ?', filter.fromId)
    if (filter.untilId !== null) where.addCondition('id < ?', filter.untilId)
    const order = `${column}, tx, id`
    if (filter.tags !== null) return this.narrowedFeed(where, order, filter.tags, after, limit)
    return toFeedRows(await this.list('event-feed', where, order, limit), after)
  }

  /** Reads a bounded number of events, and returns those of links that now have one of the tags. */
  private async narrowedFeed(
    where: Conditions,
    order: string,
    tags: readonly string[],
    after: FeedPlace,
    limit: number,
  ): Promise<FeedRows<StoredEvent>> {
    const text = `
      WITH scanned AS MATERIALIZED (
        SELECT id, tx, link_id FROM events WHERE ${where.text} ORDER BY ${order} LIMIT ${scannedRows}
      ), shown AS (
        SELECT scanned.id, scanned.tx FROM scanned JOIN links ON links.id = scanned.link_id
        WHERE links.tags && $${where.values.length + 1}::text[]
        ORDER BY scanned.tx, scanned.id LIMIT ${limit}
      )
      SELECT last.tx AS "endTx", last.id AS "endId", last.scanned, shown.id, shown.tx, events.type, events.body
      FROM (
        SELECT tx, id, (SELECT count(*)::int FROM scanned) AS scanned FROM scanned ORDER BY tx DESC, id DESC LIMIT 1
      ) AS last
      LEFT JOIN shown ON true
      LEFT JOIN events ON events.id = shown.id
      ORDER BY shown.tx, shown.id`
    const rows = await runStatement<StoredEvent & ScannedRow>(this.events.manager, { text }, [
      ...where.values,
      tags,
    ])
    return toNarrowedRows<StoredEvent>(rows, after, limit)
  }

  feedEnd(): Promise<FeedPlace> {
    return feedEnd(this.events.manager)
  }

  private list(kind: string, where: Conditions, order: string, limit: number): Promise<StoredEvent[]> {
    const text = `SELECT id, tx, type, body FROM events WHERE ${where.text} ORDER BY ${order} LIMIT ${limit}`
    return runStatement<StoredEvent & object>(
      this.events.manager,
      listStatement(kind, text, limit),
      where.values,
    )
  }
}

function addTypeCondition(where: Conditions, { hiddenTypes }: EventFilter): void {
  if (hiddenTypes.length > 0) where.addCondition('type <> ALL (?)', hiddenTypes)
}

/** Returns the first column of the index that fits the filter, and the value of the column. */
function indexFor({ workspaceId, type, linkId }: EventFilter): {
  column: string
  id: string
  where: Conditions
} {
  const where = new Conditions()
  if (linkId === null && type === null) return { column: 'workspace_id', id: workspaceId, where }
  where.addCondition('workspace_id = ?', workspaceId)
  if (linkId === null) return { column: 'type', id: type!, where }
  // The link indexes exclude events without a link. A range does not tell the planner that `link_id` is set.
  where.addCondition('link_id IS NOT NULL')
  if (type !== null) where.addCondition('type = ?', type)
  return { column: 'link_id', id: linkId, where }
}
