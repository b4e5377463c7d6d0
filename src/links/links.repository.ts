import { Injectable } from '@nestjs/common'
import { InjectRepository } from '@nestjs/typeorm'
import { In, Repository } from 'typeorm'
import type { EntityManager } from 'typeorm'

import type { Actor } from '../audit/audit.service.js'
import { auditParameter, auditPart } from '../audit/audit.service.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { run } from '../platform/database/statements.js'
import { EventRecorder } from '../events/event-recorder.js'
import type { ChangeStatement } from '../events/event-recorder.js'
import { Link, type LinkRow, counterPart, linkColumns, linksWithCounters } from './link.entity.js'
import { auditOf } from './link-rules.js'
import type { LinkEvent } from './link-rules.js'
import { listLinks } from './list-links.js'
import type { LinkPosition, ListLinksQuery } from './list-links.dto.js'
import type { StoredLink } from './redirect/compiled-link.js'

const insertLink: ChangeStatement = {
  name: 'insert-link',
  parameters: 14,
  // Inserts nothing when the slug is taken, even by a deleted link or by a transaction that commits at this moment.
  text: `
    INSERT INTO links (id, workspace_id, slug, url, title, tags, external_id, redirect_status, forward_query, enabled,
      expires_at, created_at, updated_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
    ON CONFLICT (slug) DO NOTHING RETURNING id, workspace_id`,
  part: `${counterPart}, ${auditPart(14)}`,
}

// Changes and deletions apply only to the version that was read: `updated_at` has to be the same.
const updateLink: ChangeStatement = {
  name: 'update-link',
  parameters: 12,
  text: `
    UPDATE links
    SET url = $3, title = $4, tags = $5, external_id = $6, redirect_status = $7, forward_query = $8, enabled = $9,
      expires_at = $10, updated_at = $11
    WHERE id = $1 AND updated_at = $2 AND deleted_at IS NULL RETURNING id, slug`,
  part: auditPart(12),
  announcement: ChangeFeed.announcement('link', 'slug'),
}

const deleteLink: ChangeStatement = {
  name: 'delete-link',
  parameters: 4,
  text: 'UPDATE links SET deleted_at = $3 WHERE id = $1 AND updated_at = $2 AND deleted_at IS NULL RETURNING id, slug',
  part: auditPart(4),
  announcement: ChangeFeed.announcement('link', 'slug'),
}

const findLink = {
  name: 'find-link',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.id = $1 AND link.workspace_id = $2 AND link.deleted_at IS NULL`,
}

const findSlugs = {
  name: 'find-slugs',
  text: `
    SELECT id, workspace_id AS "workspaceId", slug, url, redirect_status AS "redirectStatus",
      forward_query AS "forwardQuery", enabled, expires_at AS "expiresAt", deleted_at AS "deletedAt"
    FROM links WHERE slug = ANY($1)`,
}

@Injectable()
export class LinksRepository {
  constructor(
    @InjectRepository(Link) private readonly links: Repository<Link>,
    private readonly events: EventRecorder,
  ) {}

  /** False when the slug is taken. Without `tx` the statement is a transaction of its own. */
  insert(actor: Actor, link: LinkRow, event: LinkEvent, tx?: EntityManager): Promise<boolean> {
    const { id, slug, created_at } = link
    return this.events.change(
      tx ?? this.links.manager,
      insertLink,
      [
        id,
        actor.workspaceId,
        slug,
        ...changeableOf(link),
        created_at,
        created_at,
        auditParameter(actor, [auditOf(event)]),
      ],
      event,
    )
  }

  /** False when the link was changed or deleted since it was read. */
  update(actor: Actor, before: LinkRow, after: LinkRow, event: LinkEvent): Promise<boolean> {
    return this.events.change(
      this.links.manager,
      updateLink,
      [
        before.id,
        before.updated_at,
        ...changeableOf(after),
        after.updated_at,
        auditParameter(actor, [auditOf(event)]),
      ],
      event,
    )
  }

  /** False when the link was changed or deleted since it was read. */
  delete(actor: Actor, link: LinkRow, at: Date, event: LinkEvent): Promise<boolean> {
    return this.events.change(
      this.links.manager,
      deleteLink,
      [link.id, link.updated_at, at, auditParameter(actor, [auditOf(event)])],
      event,
    )
  }

  /** Includes deleted links, because the redirect has to know tombstones. */
  findBySlugs(slugs: string[], db = this.links.manager): Promise<StoredLink[]> {
    return run<StoredLink & object>(db, findSlugs, [slugs])
  }

  /** The links by their ids, including deleted ones. */
  async findAll(tx: EntityManager, ids: string[]): Promise<Map<string, Link>> {
    const links = await tx.findBy(Link, { id: In(ids) })
    return new Map(links.map((link) => [link.id, link]))
  }

  async find(workspaceId: string, id: string): Promise<LinkRow | null> {
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

function changeableOf(link: LinkRow): unknown[] {
  return [
    link.url,
    link.title,
    link.tags,
    link.external_id,
    link.redirect_status,
    link.forward_query,
    link.enabled,
    link.expires_at,
  ]
}
