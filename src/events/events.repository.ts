/** Reads and writes events. For the order and the end of a feed, see feed-place.ts. */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import {
  addFeedConditions,
  feedEnd,
  feedStart,
  scannedRows,
  toFeedRows,
  toNarrowedRows,
} from '../platform/database/feed-place.js'
import type { FeedPlace, FeedRows, ScannedRow } from '../platform/database/feed-place.js'
import { Conditions, listStatement, runStatement } from '../platform/database/statements.js'
import type { Statement } from '../platform/database/statements.js'
import type { ScannedRows } from '../platform/http/input/page.js'
import type { EventType } from './catalog.js'
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

  async insertEvents(tx: EntityManager, rows: readonly Omit<EventRow, 'tx'>[]): Promise<void> {
    await tx.query(
      `INSERT INTO events (tx, id, workspace_id, type, link_id, body, traceparent)
       SELECT pg_current_xact_id()::text::bigint + feed_epoch.first_tx, event.*
       FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::text[]) AS event, feed_epoch`,
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

  async findEvent(
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

  async newest(filter: EventFilter, before: string | null, limit: number): Promise<ScannedRows<StoredEvent>> {
    const { column, id, where } = indexFor(filter)
    where.addIdConditions(column, id, { from: filter.fromId, until: filter.untilId, before })
    const order = `${column} DESC, id DESC`
    if (!isNarrowed(filter)) {
      const statement = listStatement('newest-events', listText(where, order, limit), limit)
      return { rows: await this.list(statement, where), next: null }
    }
    const found = await this.scan(
      filter,
      where,
      new Conditions(where.values),
      { order, shown: 'shown.id DESC', last: 'id' },
      limit,
    )
    const { rows, end, hasMore } = toNarrowedRows<StoredEvent>(found, feedStart, limit)
    return { rows, next: hasMore ? end.id : null }
  }

  async feed(filter: EventFilter, after: FeedPlace, limit: number): Promise<FeedRows<StoredEvent>> {
    const { column, id, where } = indexFor(filter)
    addFeedConditions(where, column, id, after)
    const order = `${column}, tx, id`
    if (!isNarrowed(filter)) {
      addCreated(where, filter)
      return toFeedRows(await this.list({ text: listText(where, order, limit) }, where), after)
    }
    // The order of a feed has no range of IDs, so the times do not bound which events are read.
    const matching = new Conditions(where.values)
    addCreated(matching, filter)
    const found = await this.scan(
      filter,
      where,
      matching,
      { order, shown: 'shown.tx, shown.id', last: 'tx DESC, id DESC' },
      limit,
    )
    return toNarrowedRows<StoredEvent>(found, after, limit)
  }

  /**
   * Reads a bounded number of the events in `where`, and returns those that meet `matching` and the filters that no index
   * has. Returns the last event that was read only if fewer than the limit were found.
   */
  private scan(
    { linkId, type, tags, hiddenTypes }: EventFilter,
    where: Conditions,
    matching: Conditions,
    { order, shown, last }: Record<'order' | 'shown' | 'last', string>,
    limit: number,
  ): Promise<(StoredEvent & ScannedRow)[]> {
    if (linkId !== null && type !== null) matching.addCondition('type = ?', type)
    if (linkId === null && type === null) matching.addCondition('type <> ALL (?)', hiddenTypes)
    if (tags !== null)
      // A subquery of one value, because the planner would join links with a tag by reading all links.
      matching.addCondition('(SELECT tags && ?::text[] FROM links WHERE links.id = event.link_id)', tags)
    const text = `
      WITH shown AS MATERIALIZED (
        SELECT id, tx, type, body FROM (
          SELECT id, tx, workspace_id, type, link_id, body FROM events
          WHERE ${where.text} ORDER BY ${order} LIMIT ${scannedRows}
        ) AS event
        WHERE ${matching.text} ORDER BY ${order} LIMIT ${limit}
      ), scanned AS (
        SELECT id, tx FROM events
        WHERE ${where.text} AND (SELECT count(*) FROM shown) < ${limit} ORDER BY ${order} LIMIT ${scannedRows}
      ), last AS (
        SELECT tx, id, count(*) OVER ()::int AS scanned FROM scanned ORDER BY ${last} LIMIT 1
      )
      SELECT last.tx AS "endTx", last.id AS "endId", last.scanned, shown.id, shown.tx, shown.type, shown.body
      FROM (VALUES (true)) AS page LEFT JOIN last ON true LEFT JOIN shown ON true
      ORDER BY ${shown}`
    return runStatement(this.events.manager, { text }, matching.values)
  }

  feedEnd(): Promise<FeedPlace> {
    return feedEnd(this.events.manager)
  }

  private list(statement: Statement, where: Conditions): Promise<StoredEvent[]> {
    return runStatement<StoredEvent & object>(this.events.manager, statement, where.values)
  }
}

function listText(where: Conditions, order: string, limit: number): string {
  return `SELECT id, tx, type, body FROM events WHERE ${where.text} ORDER BY ${order} LIMIT ${limit}`
}

function addCreated(where: Conditions, { fromId, untilId }: EventFilter): void {
  if (fromId !== null) where.addCondition('id >= ?', fromId)
  if (untilId !== null) where.addCondition('id < ?', untilId)
}

/** Whether no index has all conditions of the filter. */
function isNarrowed({ linkId, type, tags, hiddenTypes }: EventFilter): boolean {
  if (tags !== null) return true
  return linkId === null ? type === null && hiddenTypes.length > 0 : type !== null
}

/** Returns the first column of the index that fits the filter, and the value of the column. */
function indexFor({ workspaceId, type, linkId, hiddenTypes }: EventFilter): {
  column: string
  id: string
  where: Conditions
} {
  const where = new Conditions()
  if (type !== null && hiddenTypes.includes(type)) where.addCondition('false')
  if (linkId !== null) {
    // The link indexes exclude events without a link. A range does not tell the planner that `link_id` is set.
    where.addCondition('link_id IS NOT NULL')
    // Checked once, so that the link of another workspace costs no more than an unknown one.
    where.addCondition('? = (SELECT workspace_id FROM links WHERE id = ?)', workspaceId, linkId)
    return { column: 'link_id', id: linkId, where }
  }
  if (type === null) return { column: 'workspace_id', id: workspaceId, where }
  where.addCondition('workspace_id = ?', workspaceId)
  return { column: 'type', id: type, where }
}
