/** Reads clicks from the database. `feed-place.ts` explains up to which row a feed can be read. */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import {
  addFeedConditions,
  feedEnd,
  scannedRows,
  toFeedRows,
  toNarrowedRows,
} from '../platform/database/feed-place.js'
import type { FeedPlace, FeedRows, ScannedRow } from '../platform/database/feed-place.js'
import { Conditions, listStatement, runStatement } from '../platform/database/statements.js'
import { type ClickRow, StoredClick } from './click.entity.js'

const withTarget = 'LEFT JOIN click_targets AS target ON target.id = click.target_id'
/** SQL that restores the full values of columns that are stored in a shorter form (see StoredClick). */
const fullValues: Partial<Record<string, string>> = {
  slug: 'coalesce(click.slug, target.slug)',
  url: 'coalesce(click.url, target.url)',
  referrer: `CASE WHEN click.referrer_host IS NOT NULL AND starts_with(click.referrer, '/')
    THEN 'https://' || click.referrer_host || click.referrer ELSE click.referrer END`,
}

@Injectable()
export class ClicksRepository {
  private columnsText: string | null = null

  constructor(@InjectRepository(StoredClick) private readonly clicks: Repository<StoredClick>) {}

  /** Returns the newest clicks of a link, or null if the caller cannot access the link. */
  async findNewestClicks(
    { workspaceId, tags }: Pick<Caller, 'workspaceId' | 'tags'>,
    linkId: string,
    before: string | null,
    limit: number,
  ): Promise<ClickRow[] | null> {
    const text = `
      SELECT ${this.columns}
      FROM (
        SELECT FROM links
        WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL AND ($3::text[] IS NULL OR tags && $3)
      ) AS link
      LEFT JOIN (
        SELECT * FROM clicks WHERE link_id = $1 ${before === null ? '' : 'AND id < $4'} ORDER BY id DESC LIMIT ${limit}
      ) AS click ON true
      ${withTarget}
      ORDER BY click.id DESC`
    const statement = listStatement('newest-clicks', text, limit)
    const values = [linkId, workspaceId, tags, ...(before === null ? [] : [before])]
    const rows = await runStatement<ClickRow & object>(this.clicks.manager, statement, values)
    // The join returns one row of nulls for a link without clicks.
    if (rows.length === 0) return null
    return rows.filter(({ id }: { id: string | null }) => id !== null)
  }

  /** Returns the clicks after this feed position, oldest first. `linkId` limits the feed to one link. */
  async readFeed(
    { workspaceId, tags }: Pick<Caller, 'workspaceId' | 'tags'>,
    linkId: string | null,
    after: FeedPlace,
    limit: number,
  ): Promise<FeedRows<ClickRow>> {
    const [owner, id] = linkId === null ? ['workspace_id', workspaceId] : ['link_id', linkId]
    const where = addFeedConditions(new Conditions(), owner, id, after)
    // Checked once, so that the link of another workspace costs no more than an unknown one.
    if (linkId !== null)
      where.addCondition('? = (SELECT workspace_id FROM links WHERE id = ?)', workspaceId, linkId)
    if (tags !== null) return this.readNarrowedFeed(where, owner, tags, after, limit)
    const text = `
      SELECT ${this.columns}
      FROM (SELECT * FROM clicks WHERE ${where.text} ORDER BY ${owner}, tx, id LIMIT ${limit}) AS click
      ${withTarget}
      ORDER BY click.tx, click.id`
    const rows = await runStatement<ClickRow & object>(this.clicks.manager, { text }, where.values)
    return toFeedRows(rows, after)
  }

  /**
   * Reads a bounded number of clicks, and returns those of links that now have one of the tags. Their condition is a
   * subquery of one value, because the planner would join links with a tag by reading all links.
   */
  private async readNarrowedFeed(
    where: Conditions,
    owner: string,
    tags: readonly string[],
    after: FeedPlace,
    limit: number,
  ): Promise<FeedRows<ClickRow>> {
    const text = `
      WITH scanned AS MATERIALIZED (
        SELECT * FROM clicks WHERE ${where.text} ORDER BY ${owner}, tx, id LIMIT ${scannedRows}
      ), shown AS (
        SELECT * FROM scanned
        WHERE (SELECT tags && $${where.values.length + 1}::text[] FROM links WHERE links.id = scanned.link_id)
        ORDER BY scanned.tx, scanned.id LIMIT ${limit}
      )
      SELECT last.tx AS "endTx", last.id AS "endId", last.scanned, ${this.columns}
      FROM (
        SELECT tx, id, (SELECT count(*)::int FROM scanned) AS scanned FROM scanned ORDER BY tx DESC, id DESC LIMIT 1
      ) AS last
      LEFT JOIN shown AS click ON true
      ${withTarget}
      ORDER BY click.tx, click.id`
    const rows = await runStatement<ClickRow & ScannedRow>(this.clicks.manager, { text }, [
      ...where.values,
      tags,
    ])
    return toNarrowedRows<ClickRow>(rows, after, limit)
  }

  feedEnd(): Promise<FeedPlace> {
    return feedEnd(this.clicks.manager)
  }

  private get columns(): string {
    return (this.columnsText ??= this.clicks.metadata.columns
      .filter(({ propertyName }) => propertyName !== 'targetId')
      .map(
        ({ databaseName: name, propertyName }) =>
          `${fullValues[name] ?? `click.${name}`} AS "${propertyName}"`,
      )
      .join(', '))
  }
}
