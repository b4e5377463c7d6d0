import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { run } from '../platform/database/statements.js'
import { Link, type LinkRow, linkColumns, linksWithCounters } from './link.entity.js'
import { listLinks } from './list-links.js'
import type { LinkPosition, ListLinksQuery } from './list-links.dto.js'
import type { StoredLink } from './redirect/compiled-link.js'

const findLink = {
  name: 'find-link',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.id = $1 AND link.workspace_id = $2 AND link.deleted_at IS NULL`,
}

const findSlugs = {
  name: 'find-slugs',
  text: `
    SELECT id, workspace_id, slug, url, redirect_status, forward_query, enabled, expires_at, deleted_at
    FROM links WHERE slug = ANY($1)`,
}

@Injectable()
export class LinksRepository {
  constructor(@InjectRepository(Link) private readonly links: Repository<Link>) {}

  /** Includes deleted links, whose short URLs respond with 410. */
  findBySlugs(slugs: string[]): Promise<StoredLink[]> {
    return run<StoredLink & object>(this.links.manager, findSlugs, [slugs])
  }

  /** Returns links by their IDs, including deleted links. */
  async findAll(tx: EntityManager, ids: string[]): Promise<Map<string, Link>> {
    const links = await tx.findBy(Link, { id: In(ids) })
    return new Map(links.map((link) => [link.id, link]))
  }

  async findLink(workspaceId: string, id: string): Promise<LinkRow | null> {
    const [found] = await run<LinkRow & object>(this.links.manager, findLink, [id, workspaceId])
    return found ?? null
  }

  list(
    workspaceId: string,
    query: ListLinksQuery,
    after: LinkPosition | null,
    limit: number,
  ): Promise<LinkRow[]> {
    return listLinks(this.links.manager, workspaceId, query, after, limit)
  }
}
