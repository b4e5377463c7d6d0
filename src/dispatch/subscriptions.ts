/** Finds the webhooks that subscribe to an event. */
import type { EntityManager } from 'typeorm'

import { subscribingNames } from '../events/catalog.js'
import type { EventType } from '../events/catalog.js'
import type { FilteringWebhook } from '../events/webhook-filter.js'

export interface Subscription extends FilteringWebhook {
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
       filter, restricted_tags AS "restrictedTags", is_ready AS "isReady", is_proven AS "isProven"
     FROM subscriptions
     WHERE workspace_id = ANY($1) AND events && $2::text[]`,
    [workspaceIds, types.flatMap((type) => subscribingNames(type))],
  )
}

/**
 * Returns which events of a type webhooks want, by workspace: null for all, or those that pass one of the filters. A
 * workspace without a webhook that subscribes to the type is absent.
 */
export async function findWantedEvents(
  tx: EntityManager,
  type: EventType,
  workspaceIds: readonly string[],
): Promise<Map<string, FilteringWebhook[] | null>> {
  const rows: { workspaceId: string; isUnfiltered: boolean; filtering: FilteringWebhook[] }[] =
    await tx.query(
      `SELECT workspace_id AS "workspaceId", bool_or(filter IS NULL AND restricted_tags IS NULL) AS "isUnfiltered",
       json_agg(json_build_object('webhookId', webhook_id, 'filter', filter, 'restrictedTags', restricted_tags))
         FILTER (WHERE filter IS NOT NULL OR restricted_tags IS NOT NULL) AS filtering
     FROM subscriptions WHERE workspace_id = ANY($1) AND events && $2::text[]
     GROUP BY workspace_id`,
      [workspaceIds, subscribingNames(type)],
    )
  return new Map(rows.map((row) => [row.workspaceId, row.isUnfiltered ? null : row.filtering]))
}
