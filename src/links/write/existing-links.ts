/** Reads the links that a write may meet, and locks them. All writes lock links in the order of their IDs. */
import type { EntityManager } from 'typeorm'

import { run } from '../../platform/database/statements.js'
import { type LinkRow, linkColumns, linksWithCounters } from '../link.entity.js'

/** The keys by which links are looked up. */
export interface LinkKeys {
  slugs: string[]
  externalIds: string[]
}

const byKeys = `
  SELECT ${linkColumns} FROM ${linksWithCounters}
  WHERE link.workspace_id = $1 AND link.deleted_at IS NULL AND link.id = ANY(ARRAY(
    SELECT id FROM links WHERE slug = ANY($2)
    UNION SELECT id FROM links WHERE workspace_id = $1 AND external_id = ANY($3) AND deleted_at IS NULL))`

// These two have no names, so they are planned for the lists at hand. A generic plan would compare each link with each
// element of a list when the table grew quickly, because the planner then believes that a workspace has few links.
const findByKeys = { text: byKeys }
const lockByKeys = { text: `${byKeys} ORDER BY link.id FOR UPDATE OF link` }

/** The workspace's links with one of the slugs or external IDs. */
export function linksByKeys(
  db: EntityManager,
  workspaceId: string,
  { slugs, externalIds }: LinkKeys,
  how: 'read' | 'lock',
): Promise<LinkRow[]> {
  const statement = how === 'lock' ? lockByKeys : findByKeys
  return run<LinkRow & object>(db, statement, [workspaceId, slugs, externalIds])
}

const lockByIds = {
  name: 'lock-links-by-ids',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.workspace_id = $1 AND link.deleted_at IS NULL AND link.id = ANY($2)
    ORDER BY link.id FOR UPDATE OF link`,
}

export function lockLinks(tx: EntityManager, workspaceId: string, ids: string[]): Promise<LinkRow[]> {
  return run<LinkRow & object>(tx, lockByIds, [workspaceId, ids])
}

const findUnavailable = {
  name: 'unavailable-slugs',
  text: 'SELECT slug FROM links WHERE slug = ANY($2) AND (workspace_id <> $1 OR deleted_at IS NOT NULL)',
}

/** Of these slugs, the ones that belong to another workspace or to a deleted link. */
export async function unavailableSlugs(
  db: EntityManager,
  workspaceId: string,
  slugs: string[],
): Promise<Set<string>> {
  const rows = await run<{ slug: string }>(db, findUnavailable, [workspaceId, slugs])
  return new Set(rows.map(({ slug }) => slug))
}

const lockExternalIdsOf = {
  name: 'lock-external-ids',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('external ids of links of ' || $1::uuid, 0))`,
}

/**
 * Lets only one batch with several external IDs run at a time in a workspace. Rows are inserted in the order of their
 * slugs, so two batches whose external IDs have another order could deadlock.
 */
export async function lockExternalIds(tx: EntityManager, workspaceId: string): Promise<void> {
  await run(tx, lockExternalIdsOf, [workspaceId])
}
