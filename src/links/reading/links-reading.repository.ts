import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Caller } from '../../auth/caller.js'
import { runStatement } from '../../platform/database/statements.js'
import { type LinkRow, linkColumns, linksWithCounters } from '../link.entity.js'
import { listLinks } from '../list-links.js'
import type { LinkPosition, ListLinksQuery } from '../list-links.dto.js'

export interface TagLinks {
  tag: string
  links: number
}

/** The links that a caller can access: all of the workspace, or only those with one of the tags. */
export type AccessibleLinks = Pick<Caller, 'workspaceId' | 'tags'>

const findLink = {
  name: 'find-link',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.id = $1 AND link.workspace_id = $2 AND ($3::text[] IS NULL OR link.tags && $3)
      AND link.deleted_at IS NULL`,
}

const findSlugIn = {
  name: 'find-slug-in-workspace',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.slug = $1 AND link.workspace_id = $2 AND ($3::text[] IS NULL OR link.tags && $3)`,
}

const countTags = `
  SELECT tag, count(*)::int AS links FROM links, unnest(tags) AS tag
  WHERE workspace_id = $1 AND deleted_at IS NULL AND ($2::text[] IS NULL OR tags && $2) GROUP BY tag`

const findLinkId = {
  name: 'find-link-id',
  text: 'SELECT FROM links WHERE id = $1 AND workspace_id = $2 AND ($3::text[] IS NULL OR tags && $3)',
}

@Injectable()
export class LinksReadingRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  list(
    links: AccessibleLinks,
    query: ListLinksQuery,
    after: LinkPosition | null,
    limit: number,
  ): Promise<LinkRow[]> {
    return listLinks(this.dataSource.manager, links, query, after, limit)
  }

  async findLink({ workspaceId, tags }: AccessibleLinks, id: string): Promise<LinkRow | null> {
    const values = [id, workspaceId, tags]
    const [found] = await runStatement<LinkRow & object>(this.dataSource.manager, findLink, values)
    return found ?? null
  }

  /** Includes deleted links. */
  async findBySlug({ workspaceId, tags }: AccessibleLinks, slug: string): Promise<LinkRow | null> {
    const values = [slug, workspaceId, tags]
    const [found] = await runStatement<LinkRow & object>(this.dataSource.manager, findSlugIn, values)
    return found ?? null
  }

  /** Returns tags, most used first. Reads all links of the workspace, which takes half a second for a million links. */
  listTags(
    { workspaceId, tags }: AccessibleLinks,
    after: TagLinks | null,
    limit: number,
  ): Promise<TagLinks[]> {
    return this.dataSource.query(
      `SELECT tag, links FROM (${countTags}) AS counted
       WHERE $3::bigint IS NULL OR links < $3 OR (links = $3 AND tag COLLATE "C" > $4)
       ORDER BY links DESC, tag COLLATE "C" LIMIT $5`,
      [workspaceId, tags, after?.links, after?.tag, limit],
    )
  }

  /** Includes deleted links. */
  async hasLink({ workspaceId, tags }: AccessibleLinks, id: string): Promise<boolean> {
    return (await runStatement(this.dataSource.manager, findLinkId, [id, workspaceId, tags])).length > 0
  }
}
