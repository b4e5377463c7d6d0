import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalogue.js'

/** What holds for a webhook that wants one of these types, which are an array of text in SQL. */
export function wantsOneOf(types: string): string {
  return `deleted_at IS NULL AND events && ${types}`
}

/** Of these workspaces, the ones in which a webhook wants events of this type. */
export async function workspacesWanting(
  tx: EntityManager,
  type: EventType,
  workspaceIds: readonly string[],
): Promise<Set<string>> {
  const rows: { workspace_id: string }[] = await tx.query(
    `SELECT DISTINCT workspace_id FROM webhooks WHERE workspace_id = ANY($1) AND ${wantsOneOf('$2::text[]')}`,
    [workspaceIds, [type, '*']],
  )
  return new Set(rows.map(({ workspace_id }) => workspace_id))
}
