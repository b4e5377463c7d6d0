import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { Repository } from 'typeorm'
import type { EntityManager, SelectQueryBuilder } from 'typeorm'

import { lowestIdAt } from '../database/ids.js'
import type { Counts } from './link.dto.js'
import { LinkCounter } from './link-counter.entity.js'
import { Link } from './link.entity.js'
import type { ListLinksQuery } from './list-links.dto.js'

export interface CountedLink {
  link: Link
  counts: Counts
}

/** Where a page ended: the id, and with `sort=-clicks` the count before it. */
export interface LinkPosition {
  id: string
  total?: number
}

/** The expression of the index `links_by_text`, to the letter. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`

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
    const select = this.selectIn(workspaceId).limit(limit)
    if (query.q !== undefined)
      select.andWhere(`${searchedText} ILIKE :text`, { text: `%${escapeLike(query.q)}%` })
    if (query.tag !== undefined) select.andWhere('link.tags @> :tags', { tags: [query.tag] })
    if (query.external_id !== undefined)
      select.andWhere('link.externalId = :externalId', { externalId: query.external_id })
    // Written out, for the planner to see that it is the condition of a partial index.
    if (query.enabled !== undefined)
      select.andWhere(query.enabled === 'true' ? 'link.enabled' : 'NOT link.enabled')
    // Said of both tables: a bound on one alone lets the planner read the other from its very end.
    if (query.created_after !== undefined)
      select.andWhere('link.id >= :lowest AND counter.linkId >= :lowest', {
        lowest: lowestIdAt(new Date(Date.parse(query.created_after) + 1)),
      })
    if (query.created_before !== undefined)
      select.andWhere('link.id < :highest AND counter.linkId < :highest', {
        highest: lowestIdAt(new Date(query.created_before)),
      })
    return counted(inOrder(select, query, after))
  }

  private selectIn(workspaceId: string): SelectQueryBuilder<Link> {
    return this.links
      .createQueryBuilder('link')
      .innerJoin(LinkCounter, 'counter', 'counter.linkId = link.id')
      .addSelect(['counter.total', 'counter.human', 'counter.lastClickedAt'])
      .where('link.workspaceId = :workspaceId AND link.deletedAt IS NULL', { workspaceId })
  }
}

function inOrder(
  select: SelectQueryBuilder<Link>,
  { sort = '-created_at' }: ListLinksQuery,
  after: LinkPosition | null,
) {
  switch (sort) {
    case 'created_at':
      if (after) select.andWhere('link.id > :after AND counter.linkId > :after', { after: after.id })
      return select.orderBy('link.id', 'ASC')
    case '-created_at':
      if (after) select.andWhere('link.id < :after AND counter.linkId < :after', { after: after.id })
      return select.orderBy('link.id', 'DESC')
    case '-clicks':
      select.andWhere('counter.workspaceId = :workspaceId')
      if (after)
        select.andWhere('(counter.total, counter.linkId) < (:total, :after)', {
          total: after.total,
          after: after.id,
        })
      return select.orderBy('counter.total', 'DESC').addOrderBy('counter.linkId', 'DESC')
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

function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}
