/** Finds the webhooks that subscribe to an event, and the SQL conditions for sending to a lane. */
import type { EntityManager } from 'typeorm'

import { everyEvent } from '../events/catalogue.js'
import type { EventType } from '../events/catalogue.js'

export interface Subscription {
  webhookId: string
  workspaceId: string
  events: string[]
  isReady: boolean
  isProven: boolean
}

const isPast = (column: string) => `(${column} IS NULL OR ${column} <= now())`
/** True for rows of `lanes` whose receiver did not request a pause, or whose pause is over. */
export const isNotPaused = isPast('paused_until')
/** True for rows of `lanes` that may send new events: the circuit is closed, or a probe is due. */
export const takesNew = isPast('probe_at')
/** True for rows of `lanes` whose last attempt succeeded since the webhook was last resumed. */
export const isProven = `(failures_in_a_row = 0 AND last_success_at IS NOT NULL
  AND last_success_at > COALESCE(resumed_at, '-infinity'))`

/** Returns the webhooks that subscribe to one of these types. `isReady` is true if an event may be sent now. */
export function findSubscriptions(
  tx: EntityManager,
  workspaceIds: readonly string[],
  types: readonly EventType[],
): Promise<Subscription[]> {
  return tx.query(
    `SELECT webhook_id AS "webhookId", workspace_id AS "workspaceId", events,
       is_ready AS "isReady", is_proven AS "isProven"
     FROM subscriptions
     WHERE workspace_id = ANY($1) AND events && $2::text[]`,
    [workspaceIds, [...types, everyEvent]],
  )
}

/** Returns the workspaces in which a webhook subscribes to this type. */
export async function findSubscribedWorkspaces(
  tx: EntityManager,
  type: EventType,
  workspaceIds: readonly string[],
): Promise<Set<string>> {
  const rows: { workspace_id: string }[] = await tx.query(
    'SELECT DISTINCT workspace_id FROM subscriptions WHERE workspace_id = ANY($1) AND events && $2::text[]',
    [workspaceIds, [type, everyEvent]],
  )
  return new Set(rows.map(({ workspace_id }) => workspace_id))
}
