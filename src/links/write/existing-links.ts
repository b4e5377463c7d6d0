/** Reads and locks the links that a write may conflict with. All writes lock links in the order of their IDs. */
import type { EntityManager } from 'typeorm'

import { runStatement } from '../../platform/database/statements.js'
import { type LinkRow, linkColumns, linksWithCounters } from '../link.entity.js'

/** Slugs and external IDs of links to look up. */
export interface LinkKeys {
  slugs: string[]
  externalIds: string[]
}

const byKeys = `
  SELECT ${linkColumns} FROM ${linksWithCounters}
  WHERE link.workspace_id = $1 AND link.deleted_at IS NULL AND link.id = ANY(ARRAY(
    SELECT id FROM links WHERE slug = ANY($2)
    UNION SELECT id FROM links WHERE workspace_id = $1 AND external_id = ANY($3) AND deleted_at IS NULL))`

// Not prepared, so that each execution gets a plan for its values. After the table grew quickly, the planner assumes
// that a workspace has few links, and a generic plan would compare each link with each element of the lists.
const findByKeys = { text: byKeys }
const lockByKeys = { text: `${byKeys} ORDER BY link.id FOR UPDATE OF link` }

/** Returns the links of the workspace that have one of the slugs or external IDs. */
export function linksByKeys(
  db: EntityManager,
  workspaceId: string,
  { slugs, externalIds }: LinkKeys,
  mode: 'read' | 'lock',
): Promise<LinkRow[]> {
  const statement = mode === 'lock' ? lockByKeys : findByKeys
  return runStatement<LinkRow & object>(db, statement, [workspaceId, slugs, externalIds])
}

const lockByIds = {
  name: 'lock-links-by-ids',
  text: `
    SELECT ${linkColumns} FROM ${linksWithCounters}
    WHERE link.workspace_id = $1 AND link.deleted_at IS NULL AND link.id = ANY($2)
    ORDER BY link.id FOR UPDATE OF link`,
}

export function lockLinks(tx: EntityManager, workspaceId: string, ids: string[]): Promise<LinkRow[]> {
  return runStatement<LinkRow & object>(tx, lockByIds, [workspaceId, ids])
}

const findUnavailable = {
  name: 'unavailable-slugs',
  text: 'SELECT slug FROM links WHERE slug = ANY($2) AND (workspace_id <> $1 OR deleted_at IS NOT NULL)',
}

/** Returns the slugs that belong to another workspace or to a deleted link. */
export async function unavailableSlugs(
  db: EntityManager,
  workspaceId: string,
  slugs: string[],
): Promise<Set<string>> {
  const rows = await runStatement<{ slug: string }>(db, findUnavailable, [workspaceId, slugs])
  return new Set(rows.map(({ slug }) => slug))
}

const lockWorkspaceExternalIds = {
  name: 'lock-external-ids',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('external ids of links of ' || $1::uuid, 0))`,
}

/**
 * Serializes the batches of a workspace that have several external IDs. Rows are inserted in the order of their slugs,
 * so two such batches could otherwise deadlock on their external IDs.
 */
export async function lockExternalIds(tx: EntityManager, workspaceId: string): Promise<void> {
  await runStatement(tx, lockWorkspaceExternalIds, [workspaceId])
}
