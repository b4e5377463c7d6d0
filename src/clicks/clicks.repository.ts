/**
 * Clicks in the database. The feed is read in the order of (transaction number, id), and only up to the oldest
 * transaction that is still running: one that commits later can then only bring rows that come later in that order.
 */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { feedEnd } from '../database/feed-place.js'
import type { FeedPlace } from '../database/feed-place.js'
import { ClickRow } from './click.entity.js'
import type { NewClick } from './click.entity.js'

const columns: readonly (readonly [name: string, type: string, value: (click: NewClick) => unknown])[] = [
  ['id', 'uuid', (click) => click.id],
  ['workspace_id', 'uuid', (click) => click.workspaceId],
  ['link_id', 'uuid', (click) => click.linkId],
  ['slug', 'text', (click) => click.slug],
  ['url', 'text', (click) => click.url],
  ['occurred_at', 'timestamptz', (click) => click.occurredAt],
  ['bot', 'boolean', (click) => click.bot],
  ['referrer', 'text', (click) => click.referrer],
  ['referrer_host', 'text', (click) => click.referrerHost],
  ['country', 'text', (click) => click.country],
  ['browser', 'text', (click) => click.browser],
  ['os', 'text', (click) => click.os],
  ['device', 'text', (click) => click.device],
  ['language', 'text', (click) => click.language],
  ['ip', 'text', (click) => click.ip],
  ['visitor', 'text', (click) => click.visitor],
]

const names = columns.map(([name]) => name).join(', ')
const arrays = columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')

const insertAndCount = `
  WITH written AS (
    INSERT INTO clicks (tx, ${names})
    SELECT pg_current_xact_id()::text::bigint, ${names} FROM unnest(${arrays}) AS batch (${names})
    ON CONFLICT (id) DO NOTHING
    RETURNING id, link_id, bot, occurred_at
  ), counted AS (
    SELECT link_id, count(*) AS total, count(*) FILTER (WHERE NOT bot) AS human, max(occurred_at) AS last
    FROM written GROUP BY link_id
  ), counters AS (
    UPDATE link_counters
    SET total = link_counters.total + counted.total,
        human = link_counters.human + counted.human,
        last_clicked_at = GREATEST(link_counters.last_clicked_at, counted.last)
    FROM counted WHERE link_counters.link_id = counted.link_id
  )
  SELECT id FROM written`

@Injectable()
export class ClicksRepository {
  constructor(@InjectRepository(ClickRow) private readonly clicks: Repository<ClickRow>) {}

  /** Writes and counts what is new of a batch, and says what that was; a batch that comes again changes nothing. */
  async write(tx: EntityManager, batch: readonly NewClick[]): Promise<NewClick[]> {
    // All writers take the counters in one order, so that none waits for another in a circle.
    const links = [...new Set(batch.map(({ linkId }) => linkId))].sort()
    await tx.query('SELECT 1 FROM link_counters WHERE link_id = ANY($1) ORDER BY link_id FOR UPDATE', [links])
    const written: { id: string }[] = await tx.query(
      insertAndCount,
      columns.map(([, , value]) => batch.map(value)),
    )
    const fresh = new Set(written.map(({ id }) => id))
    return batch.filter(({ id }) => fresh.has(id))
  }

  newest(linkId: string, before: string | null, limit: number): Promise<ClickRow[]> {
    const select = this.clicks
      .createQueryBuilder('click')
      .where('click.linkId = :linkId', { linkId })
      .orderBy('click.id', 'DESC')
      .limit(limit)
    if (before !== null) select.andWhere('click.id < :before', { before })
    return select.getMany()
  }

  feed(workspaceId: string, linkId: string | null, after: FeedPlace, limit: number): Promise<ClickRow[]> {
    const select = this.clicks
      .createQueryBuilder('click')
      .where('click.workspaceId = :workspaceId', { workspaceId })
      .andWhere('(click.tx, click.id) > (:tx, :id)', after)
      .andWhere('click.tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint')
      .orderBy('click.tx', 'ASC')
      .addOrderBy('click.id', 'ASC')
      .limit(limit)
    if (linkId !== null) select.andWhere('click.linkId = :linkId', { linkId })
    return select.getMany()
  }

  feedEnd(): Promise<FeedPlace> {
    return feedEnd(this.clicks.manager)
  }
}
