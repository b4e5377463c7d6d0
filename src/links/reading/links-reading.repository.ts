import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { runStatement } from '../../platform/database/statements.js'
import { type LinkRow, linkColumns, linksWithCounters } from '../link.entity.js'
import { listLinks } from '../list-links.js'
import type { LinkPosition, ListLinksQuery } from '../list-links.dto.js'

export interface TagLinks {
  tag: string
  links: number
}

const findLink = {
  name: 'find-link',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.id = $1 AND link.workspace_id = $2 AND link.deleted_at IS NULL`,
}

const findSlugIn = {
  name: 'find-slug-in-workspace',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.slug = $1 AND link.workspace_id = $2`,
}

const countTags = `
  SELECT tag, count(*)::int AS links FROM links, unnest(tags) AS tag
  WHERE workspace_id = $1 AND deleted_at IS NULL GROUP BY tag`

const findLinkId = {
  name: 'find-link-id',
  text: 'SELECT 1 FROM links WHERE id = $1 AND workspace_id = $2',
}

@Injectable()
export class LinksReadingRepository {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  list(
    workspaceId: string,
    query: ListLinksQuery,
    after: LinkPosition | null,
    limit: number,
  ): Promise<LinkRow[]> {
    return listLinks(this.dataSource.manager, workspaceId, query, after, limit)
  }

  async findLink(workspaceId: string, id: string): Promise<LinkRow | null> {
    const [found] = await runStatement<LinkRow & object>(this.dataSource.manager, findLink, [id, workspaceId])
    return found ?? null
  }

  /** Includes deleted links. */
  async findBySlug(workspaceId: string, slug: string): Promise<LinkRow | null> {
    const [found] = await runStatement<LinkRow & object>(this.dataSource.manager, findSlugIn, [
      slug,
      workspaceId,
    ])
    return found ?? null
  }

  /** Returns tags, most used first. Reads all links of the workspace, which takes half a second for a million links. */
  listTags(workspaceId: string, after: TagLinks | null, limit: number): Promise<TagLinks[]> {
    const isLater = after ? 'WHERE links < $2 OR (links = $2 AND tag COLLATE "C" > $3)' : ''
    return this.dataSource.query(
      `SELECT tag, links FROM (${countTags}) AS counted ${isLater} ORDER BY links DESC, tag COLLATE "C" LIMIT ${limit}`,
      [workspaceId, ...(after ? [after.links, after.tag] : [])],
    )
  }

  /** Includes deleted links. */
  async hasLink(workspaceId: string, id: string): Promise<boolean> {
    return (await runStatement(this.dataSource.manager, findLinkId, [id, workspaceId])).length > 0
  }
}
