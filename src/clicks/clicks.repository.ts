/** Reads clicks from the database. `feed-place.ts` explains up to which row a feed can be read. */
import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'

import { addFeedConditions, feedEnd } from '../platform/database/feed-place.js'
import type { FeedPlace } from '../platform/database/feed-place.js'
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

  /** Returns the newest clicks of a link, or null if the workspace does not have the link. */
  async findNewestClicks(
    workspaceId: string,
    linkId: string,
    before: string | null,
    limit: number,
  ): Promise<ClickRow[] | null> {
    const text = `
      SELECT ${this.columns}
      FROM (SELECT FROM links WHERE id = $1 AND workspace_id = $2 AND deleted_at IS NULL) AS link
      LEFT JOIN (
        SELECT * FROM clicks WHERE link_id = $1 ${before === null ? '' : 'AND id < $3'} ORDER BY id DESC LIMIT ${limit}
      ) AS click ON true
      ${withTarget}
      ORDER BY click.id DESC`
    const statement = listStatement('newest-clicks', text, limit)
    const values = [linkId, workspaceId, ...(before === null ? [] : [before])]
    const rows = await runStatement<ClickRow & object>(this.clicks.manager, statement, values)
    // The join returns one row of nulls for a link without clicks.
    if (rows.length === 0) return null
    return rows.filter(({ id }: { id: string | null }) => id !== null)
  }

  /** Returns the clicks after this feed position, oldest first. `linkId` limits the feed to one link. */
  readFeed(workspaceId: string, linkId: string | null, after: FeedPlace, limit: number): Promise<ClickRow[]> {
    const [owner, id] = linkId === null ? ['workspace_id', workspaceId] : ['link_id', linkId]
    const where = addFeedConditions(new Conditions(), owner, id, after)
    if (linkId !== null) where.addCondition('workspace_id = ?', workspaceId)
    const text = `
      SELECT ${this.columns}
      FROM (SELECT * FROM clicks WHERE ${where.text} ORDER BY ${owner}, tx, id LIMIT ${limit}) AS click
      ${withTarget}
      ORDER BY click.tx, click.id`
    const statement = listStatement('click-feed', text, limit)
    return runStatement<ClickRow & object>(this.clicks.manager, statement, where.values)
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
