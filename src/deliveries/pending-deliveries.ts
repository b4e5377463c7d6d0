/** Inserts pending deliveries, and declares the port that wakes their lanes. */
import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalog.js'
import { newId } from '../platform/database/ids.js'

interface PendingDelivery {
  webhookId: string
  event: { id: string; type: EventType }
}

/**
 * Inserts deliveries that are due now by the clock of the database, with ascending IDs in the order of `rows`.
 */
export async function insertPendingDeliveries(
  tx: EntityManager,
  priority: number,
  rows: readonly PendingDelivery[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(
    `WITH delivery AS (
       INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, next_attempt_at)
       SELECT webhook_id, id, event_id, event_type, 'pending', $5, now()
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS requested (webhook_id, id, event_id, event_type)
       RETURNING webhook_id
     )
     INSERT INTO uncounted_deliveries (webhook_id, count)
     SELECT webhook_id, count(*) FROM delivery GROUP BY webhook_id`,
    [
      rows.map(({ webhookId }) => webhookId),
      rows.map(() => newId()),
      rows.map(({ event }) => event.id),
      rows.map(({ event }) => event.type),
      priority,
    ],
  )
}

/** Hints to workers that deliveries may be due. If a hint is lost, workers find the deliveries in the database. */
export abstract class LaneWaker {
  abstract wake(webhookIds: readonly string[], isProven?: boolean): void
}
