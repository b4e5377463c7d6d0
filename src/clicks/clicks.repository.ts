/**
 * Clicks in the database. The feed is read in the order of (transaction number, id), and only up to the oldest
 * transaction that is still running: one that commits later can then only bring rows that come later in that order.
 */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'

import { feedEnd } from '../database/feed-place.js'
import type { FeedPlace } from '../database/feed-place.js'
import { ClickRow } from './click.entity.js'

@Injectable()
export class ClicksRepository {
  constructor(@InjectRepository(ClickRow) private readonly clicks: Repository<ClickRow>) {}

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
