import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { runStatement } from '../platform/database/statements.js'
import { Link } from './link.entity.js'
import type { StoredLink } from './redirect/compiled-link.js'

const findSlugs = {
  name: 'find-slugs',
  text: `
    SELECT id, workspace_id, slug, url, redirect_status, forward_query, enabled, expires_at, deleted_at
    FROM links WHERE slug = ANY($1)`,
}

const findTags = {
  name: 'find-tags',
  text: 'SELECT id, tags FROM links WHERE id = ANY($1::uuid[]) AND tags && $2::text[]',
}

@Injectable()
export class LinksRepository {
  constructor(@InjectRepository(Link) private readonly links: Repository<Link>) {}

  /** Includes deleted links, whose short URLs respond with 410. */
  findBySlugs(slugs: string[]): Promise<StoredLink[]> {
    return runStatement<StoredLink & object>(this.links.manager, findSlugs, [slugs])
  }

  /** Returns the tags of the links that have one of `tags`, by link ID. Includes deleted links. */
  async findTags(
    tx: EntityManager,
    ids: readonly string[],
    tags: readonly string[],
  ): Promise<Map<string, string[]>> {
    const links = await runStatement<{ id: string; tags: string[] }>(tx, findTags, [ids, tags])
    return new Map(links.map((link) => [link.id, link.tags]))
  }

  /** Returns links by their IDs, including deleted links. */
  async findAll(tx: EntityManager, ids: string[]): Promise<Map<string, Link>> {
    const links = await tx.findBy(Link, { id: In(ids) })
    return new Map(links.map((link) => [link.id, link]))
  }
}
