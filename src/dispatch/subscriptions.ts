/** The SQL conditions for which webhooks want an event and may be sent it. All statements share them. */
import type { EntityManager } from 'typeorm'

import { everyEvent } from '../events/catalogue.js'
import type { EventType } from '../events/catalogue.js'
import { isActiveSql } from '../webhooks/webhook.entity.js'

export interface Subscription {
  webhookId: string
  workspaceId: string
  events: string[]
  isReady: boolean
  isProven: boolean
}

const isPast = (column: string) => `(${column} IS NULL OR ${column} <= now())`
/** True for rows of `lanes` whose receiver has asked for no pause that is still in force. */
export const isNotPaused = isPast('paused_until')
/** True for rows of `lanes` to which a new event may be sent: the circuit is closed, or a probe is due. */
export const takesNew = isPast('probe_at')
/** True for rows of `webhooks` with their `lanes` to which a new event may be sent now. */
export const isReady = `(${isActiveSql} AND ${isNotPaused} AND ${takesNew})`
/** True for rows of `lanes` whose last attempt succeeded, after the webhook was last resumed. */
export const isProven = `(failures_in_a_row = 0 AND last_success_at IS NOT NULL
  AND last_success_at > COALESCE(resumed_at, '-infinity'))`

/** As `subscribesTo`: the condition that a webhook wants one of these types. `types` is SQL for an array of text. */
export function wantsOneOf(types: string): string {
  return `deleted_at IS NULL AND events && array_append(${types}, '${everyEvent}')`
}

export function findSubscriptions(
  tx: EntityManager,
  workspaceIds: readonly string[],
  types: readonly EventType[],
): Promise<Subscription[]> {
  return tx.query(
    `SELECT id AS "webhookId", workspace_id AS "workspaceId", events,
       ${isReady} AS "isReady", ${isProven} AS "isProven"
     FROM webhooks JOIN lanes ON webhook_id = id
     WHERE workspace_id = ANY($1) AND ${wantsOneOf('$2::text[]')}`,
    [workspaceIds, types],
  )
}

/** Those of the workspaces in which a webhook wants events of this type. */
export async function workspacesWanting(
  tx: EntityManager,
  type: EventType,
  workspaceIds: readonly string[],
): Promise<Set<string>> {
  const rows: { workspace_id: string }[] = await tx.query(
    `SELECT DISTINCT workspace_id FROM webhooks WHERE workspace_id = ANY($1) AND ${wantsOneOf('$2::text[]')}`,
    [workspaceIds, [type]],
  )
  return new Set(rows.map(({ workspace_id }) => workspace_id))
}
