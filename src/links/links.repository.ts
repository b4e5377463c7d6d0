import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import type { EntityManager, SelectQueryBuilder } from 'typeorm'

import type { Counts } from './link.dto.js'
import { LinkCounter } from './link-counter.entity.js'
import { Link } from './link.entity.js'
import { idsOfPage, orderOf } from './links-page.js'
import type { LinkPosition } from './links-page.js'
import type { ListLinksQuery } from './list-links.dto.js'

export interface CountedLink {
  link: Link
  counts: Counts
}

@Injectable()
export class LinksRepository {
  constructor(@InjectRepository(Link) private readonly links: Repository<Link>) {}

  /** False when the slug is taken, also by a transaction that commits at this moment or by a deleted link. */
  async insert(tx: EntityManager, link: Link): Promise<boolean> {
    const inserted: unknown[] = await tx.query(
      `INSERT INTO links (id, workspace_id, slug, url, title, tags, external_id, redirect_status, forward_query, enabled,
         expires_at, created_at, updated_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (slug) DO NOTHING RETURNING id`,
      [
        link.id,
        link.workspaceId,
        link.slug,
        link.url,
        link.title,
        link.tags,
        link.externalId,
        link.redirectStatus,
        link.forwardQuery,
        link.enabled,
        link.expiresAt,
        link.createdAt,
        link.updatedAt,
      ],
    )
    if (inserted.length === 0) return false
    await tx.insert(LinkCounter, { linkId: link.id, workspaceId: link.workspaceId, total: '0', human: '0' })
    return true
  }

  async update(tx: EntityManager, link: Link): Promise<void> {
    await tx.update(Link, { id: link.id }, link)
  }

  findForUpdate(tx: EntityManager, workspaceId: string, id: string): Promise<Link | null> {
    return tx
      .createQueryBuilder(Link, 'link')
      .setLock('pessimistic_write')
      .where('link.id = :id AND link.workspaceId = :workspaceId AND link.deletedAt IS NULL', {
        id,
        workspaceId,
      })
      .getOne()
  }

  /** Also deleted ones: the redirect has to know tombstones. */
  findBySlug(slug: string): Promise<Link | null> {
    return this.links.findOneBy({ slug })
  }

  /** By their ids; deleted ones too. */
  async findAll(tx: EntityManager, ids: string[]): Promise<Map<string, Link>> {
    const links = await tx.findBy(Link, { id: In(ids) })
    return new Map(links.map((link) => [link.id, link]))
  }

  async find(workspaceId: string, id: string): Promise<CountedLink | null> {
    const [found] = await counted(this.selectIn(workspaceId).andWhere('link.id = :id', { id }))
    return found ?? null
  }

  async countsOf(tx: EntityManager, id: string): Promise<Counts> {
    const counter = await tx.findOneByOrFail(LinkCounter, { linkId: id })
    return {
      total: Number(counter.total),
      human: Number(counter.human),
      lastClickedAt: counter.lastClickedAt,
    }
  }

  list(
    workspaceId: string,
    query: ListLinksQuery,
    after: LinkPosition | null,
    limit: number,
  ): Promise<CountedLink[]> {
    const page = idsOfPage(workspaceId, query, after, limit)
    const select = this.selectIn(workspaceId).andWhere(`link.id = ANY(ARRAY(${page.text}))`, page.parameters)
    const { keys, direction } = orderOf(query)
    for (const key of keys) select.addOrderBy(key, direction)
    return counted(select)
  }

  private selectIn(workspaceId: string): SelectQueryBuilder<Link> {
    return this.links
      .createQueryBuilder('link')
      .innerJoin(LinkCounter, 'counter', 'counter.linkId = link.id')
      .addSelect(['counter.total', 'counter.human', 'counter.lastClickedAt'])
      .where('link.workspaceId = :workspaceId AND link.deletedAt IS NULL', { workspaceId })
  }
}

async function counted(select: SelectQueryBuilder<Link>): Promise<CountedLink[]> {
  const { entities, raw } = await select.getRawAndEntities<{
    counter_total: string
    counter_human: string
    counter_last_clicked_at: Date | null
  }>()
  return entities.map((link, i) => ({
    link,
    counts: {
      total: Number(raw[i]!.counter_total),
      human: Number(raw[i]!.counter_human),
      lastClickedAt: raw[i]!.counter_last_clicked_at,
    },
  }))
}
