/**
 * The names of audited objects and actors. Rows outlive deletion and revocation, so names stay available. A webhook
 * without a description is named by the host of its URL, because the rest of the URL can contain credentials.
 */
import type { EntityManager } from 'typeorm'

import { runStatement } from '../platform/database/statements.js'
import type { AuditEntry } from './audit-entry.entity.js'

const statement = {
  name: 'audit-names',
  text: `
    SELECT id, name FROM tokens WHERE workspace_id = $1 AND id = ANY($2::uuid[])
    UNION ALL
    SELECT id, slug FROM links WHERE workspace_id = $1 AND id = ANY($3::uuid[])
    UNION ALL
    SELECT id, COALESCE(description, substring(url FROM '^https?://(?:[^/?#@]*@)?([^/?#]+)'))
    FROM webhooks WHERE workspace_id = $1 AND id = ANY($4::uuid[])`,
}

/** Names by ID. A session has the name of its token, which is its actor. */
export type AuditNames = ReadonlyMap<string, string>

export async function findNames(
  db: EntityManager,
  workspaceId: string,
  entries: readonly AuditEntry[],
): Promise<AuditNames> {
  const getObjectIds = (type: AuditEntry['objectType']) =>
    entries.flatMap(({ objectType, objectId }) => (objectType === type && objectId ? [objectId] : []))
  const actors = entries.flatMap(({ actorTokenId }) => actorTokenId ?? [])
  const ids = [[...actors, ...getObjectIds('token')], getObjectIds('link'), getObjectIds('webhook')].map(
    (each) => [...new Set(each)],
  )
  if (ids.every((each) => each.length === 0)) return new Map()
  const rows = await runStatement<{ id: string; name: string }>(db, statement, [workspaceId, ...ids])
  return new Map(rows.map(({ id, name }) => [id, name]))
}
