/** Finds the webhooks that subscribe to an event. */
import type { EntityManager } from 'typeorm'

import { subscribingNames } from '../events/catalogue.js'
import type { EventType } from '../events/catalogue.js'

export interface Subscription {
  webhookId: string
  workspaceId: string
  events: string[]
  isReady: boolean
  isProven: boolean
}

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
    [workspaceIds, types.flatMap((type) => subscribingNames(type))],
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
    [workspaceIds, subscribingNames(type)],
  )
  return new Set(rows.map(({ workspace_id }) => workspace_id))
}
