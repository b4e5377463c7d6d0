/**
 * Events in the database. The feed is read in the order of (transaction number, id), and only up to the oldest
 * transaction that is still running: one that commits later can then only bring rows that come later in that order.
 */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager, SelectQueryBuilder } from 'typeorm'

import { feedEnd } from '../database/feed-place.js'
import type { FeedPlace } from '../database/feed-place.js'
import type { EventType } from './catalogue.js'
import { EventRow } from './event.entity.js'

/** Null where it does not narrow. */
export interface EventFilter {
  workspaceId: string
  type: EventType | null
  linkId: string | null
  /** The first id that belongs to it, and the first that no longer does. */
  fromId: string | null
  untilId: string | null
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

  find(workspaceId: string, id: string): Promise<EventRow | null> {
    return this.events.findOneBy({ id, workspaceId })
  }

  newest(filter: EventFilter, before: string | null, limit: number): Promise<EventRow[]> {
    const select = this.select(filter).orderBy('event.id', 'DESC').limit(limit)
    if (before !== null) select.andWhere('event.id < :before', { before })
    return select.getMany()
  }

  feed(filter: EventFilter, after: FeedPlace, limit: number): Promise<EventRow[]> {
    return this.select(filter)
      .andWhere('(event.tx, event.id) > (:tx, :id)', after)
      .andWhere('event.tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint')
      .orderBy('event.tx', 'ASC')
      .addOrderBy('event.id', 'ASC')
      .limit(limit)
      .getMany()
  }

  feedEnd(): Promise<FeedPlace> {
    return feedEnd(this.events.manager)
  }

  private select({ workspaceId, type, linkId, fromId, untilId }: EventFilter): SelectQueryBuilder<EventRow> {
    const select = this.events
      .createQueryBuilder('event')
      .where('event.workspaceId = :workspaceId', { workspaceId })
    if (type !== null) select.andWhere('event.type = :type', { type })
    if (linkId !== null) select.andWhere('event.linkId = :linkId', { linkId })
    if (fromId !== null) select.andWhere('event.id >= :fromId', { fromId })
    if (untilId !== null) select.andWhere('event.id < :untilId', { untilId })
    return select
  }
}
