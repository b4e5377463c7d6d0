/** Finds, makes, changes or deletes many links with one statement, which also writes their events and audit entries. */
import { Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import type { Actor } from '../../audit/audit.service.js'
import { auditParameter, auditParameterOf, auditPart } from '../../audit/audit.service.js'
import { EventRecorder } from '../../events/event-recorder.js'
import type { ChangeStatement } from '../../events/event-recorder.js'
import { ChangeFeed } from '../../platform/database/change-feed.js'
import { run } from '../../platform/database/statements.js'
import { auditOf } from '../link-rules.js'
import type { LinkEvent } from '../link-rules.js'
import { type LinkRow, counterPart, linkColumns, linksWithCounters } from '../link.entity.js'

/** The columns of a `LinkRow` that is passed as JSON. */
const values = `id uuid, slug text, url text, title text, tags text[], external_id text, redirect_status smallint,
  forward_query boolean, enabled boolean, expires_at timestamptz, created_at timestamptz, updated_at timestamptz`

const insertLinks: ChangeStatement = {
  name: 'insert-links',
  parameters: 3,
  // Inserts in the order of slugs, so that two statements with the same slugs cannot deadlock. Links whose slug or
  // external id is taken by now are left out.
  text: `
    INSERT INTO links (id, workspace_id, slug, url, title, tags, external_id, redirect_status, forward_query, enabled,
      expires_at, created_at, updated_at)
    SELECT id, $1, slug, url, title, tags, external_id, redirect_status, forward_query, enabled, expires_at, created_at,
      updated_at
    FROM json_to_recordset($2) AS row (${values}) ORDER BY slug COLLATE "C"
    ON CONFLICT DO NOTHING RETURNING id, workspace_id`,
  part: `${counterPart}, ${auditPart(3)}`,
}

const updateLinks: ChangeStatement = {
  name: 'update-links',
  parameters: 3,
  text: `
    UPDATE links
    SET url = row.url, title = row.title, tags = row.tags, external_id = row.external_id,
      redirect_status = row.redirect_status, forward_query = row.forward_query, enabled = row.enabled,
      expires_at = row.expires_at, updated_at = row.updated_at
    FROM json_to_recordset($2) AS row (${values})
    WHERE links.id = row.id AND links.workspace_id = $1 AND links.deleted_at IS NULL
    RETURNING links.id, links.slug`,
  part: auditPart(3),
  announcement: ChangeFeed.announcement('link', 'slug'),
}

const deleteLinks: ChangeStatement = {
  name: 'delete-links',
  parameters: 4,
  text: `
    UPDATE links SET deleted_at = $3 WHERE id = ANY($2::uuid[]) AND workspace_id = $1 AND deleted_at IS NULL
    RETURNING id, slug`,
  part: auditPart(4),
  announcement: ChangeFeed.announcement('link', 'slug'),
}

const found = `SELECT ${linkColumns} FROM ${linksWithCounters} WHERE link.workspace_id = $1 AND link.deleted_at IS NULL`
// All batches lock links in the same order, so that two of them cannot deadlock.
const locked = 'ORDER BY link.id FOR UPDATE OF link'

const byKeys = `${found} AND link.id = ANY(ARRAY(
  SELECT id FROM links WHERE slug = ANY($2)
  UNION SELECT id FROM links WHERE workspace_id = $1 AND external_id = ANY($3) AND deleted_at IS NULL))`

// These two have no names, so they are planned for the lists at hand. A generic plan would compare each link with each
// element of a list when the table grew quickly, because the planner then believes that a workspace has few links.
const findByKeys = { text: byKeys }
const lockByKeys = { text: `${byKeys} ${locked}` }
const lockByIds = { name: 'lock-links-by-ids', text: `${found} AND link.id = ANY($2) ${locked}` }

const unavailableSlugs = {
  name: 'unavailable-slugs',
  text: 'SELECT slug FROM links WHERE slug = ANY($2) AND (workspace_id <> $1 OR deleted_at IS NOT NULL)',
}

const lockExternalIds = {
  name: 'lock-external-ids',
  text: `
    SELECT pg_advisory_xact_lock(hashtextextended('external ids of links of ' || $1::uuid, 0)),
      ARRAY(${unavailableSlugs.text}) AS slugs`,
}

@Injectable()
export class LinkBatchesRepository {
  constructor(private readonly events: EventRecorder) {}

  /**
   * Lets only one batch with external ids run at a time in a workspace. Rows are inserted in the order of their slugs,
   * so two batches whose external ids have another order could deadlock. Returns the unavailable slugs, as
   * `unavailable` does. The lock does not protect slugs, so the statement that locks may read them too.
   */
  async lockExternalIds(tx: EntityManager, workspaceId: string, slugs: string[]): Promise<Set<string>> {
    const [found] = await run<{ slugs: string[] }>(tx, lockExternalIds, [workspaceId, slugs])
    return new Set(found!.slugs)
  }

  /** The workspace's links with one of the slugs or external ids. */
  findByKeys(
    tx: EntityManager,
    workspaceId: string,
    keys: LinkKeys,
    willChange: boolean,
  ): Promise<LinkRow[]> {
    return run<LinkRow & object>(tx, willChange ? lockByKeys : findByKeys, [
      workspaceId,
      keys.slugs,
      keys.externalIds,
    ])
  }

  /** Of these slugs, the ones that belong to another workspace or to a deleted link. */
  async unavailable(tx: EntityManager, workspaceId: string, slugs: string[]): Promise<Set<string>> {
    const rows = await run<{ slug: string }>(tx, unavailableSlugs, [workspaceId, slugs])
    return new Set(rows.map(({ slug }) => slug))
  }

  lockByIds(tx: EntityManager, workspaceId: string, ids: string[]): Promise<LinkRow[]> {
    return run<LinkRow & object>(tx, lockByIds, [workspaceId, ids])
  }

  /** Returns the ids of the links that were made. Links whose slug or external id was taken meanwhile are left out. */
  insert(tx: EntityManager, actor: Actor, links: LinkRow[], changes: Changes): Promise<Set<string>> {
    return this.change(tx, insertLinks, actor, [JSON.stringify(links)], changes)
  }

  /** As `insert`, for several callers of one workspace. Outside of a transaction the statement is one by itself. */
  insertOfMany(db: EntityManager, workspaceId: string, links: readonly NewLink[]): Promise<Set<string>> {
    const rows = JSON.stringify(links.map(({ row }) => row))
    const audited = auditParameterOf(links.map(({ actor, event }) => [actor, auditOf(event)]))
    const events = links.map(({ event }) => event)
    return this.events.changeAll(db, insertLinks, [workspaceId, rows, audited], events)
  }

  update(tx: EntityManager, actor: Actor, links: LinkRow[], changes: Changes): Promise<Set<string>> {
    return this.change(tx, updateLinks, actor, [JSON.stringify(links)], changes)
  }

  delete(tx: EntityManager, actor: Actor, ids: string[], at: Date, changes: Changes): Promise<Set<string>> {
    return this.change(tx, deleteLinks, actor, [ids, at], changes)
  }

  private change(
    tx: EntityManager,
    statement: ChangeStatement,
    actor: Actor,
    given: unknown[],
    { recorded, notify }: Changes,
  ): Promise<Set<string>> {
    return this.events.changeAll(
      tx,
      statement,
      [actor.workspaceId, ...given, auditParameter(actor, recorded.map(auditOf))],
      notify ? recorded : [],
    )
  }
}

/** The keys by which links are looked up. */
export interface LinkKeys {
  slugs: string[]
  externalIds: string[]
}

/** A link that is to be made, with who makes it. */
export interface NewLink {
  actor: Actor
  row: LinkRow
  event: LinkEvent
}

/** What is recorded of the changes: always in the audit log, and as events only with `notify`. */
export interface Changes {
  recorded: LinkEvent[]
  notify: boolean
}
