/** Creates deliveries that wait to be sent. */
import type { EntityManager } from 'typeorm'

import type { EventType } from '../events/catalogue.js'
import { newId } from '../platform/database/ids.js'

interface PendingDelivery {
  webhookId: string
  event: { id: string; type: EventType }
}

/**
 * Two parts of a WITH list: one creates deliveries, and one counts them. `rows` selects `webhook_id`, `id`, `event_id`
 * and `event_type`. The database's clock says when they are due, because claims compare with that clock.
 */
export function insertPendingSql(priority: number, rows: string): string {
  return `
    delivery AS (
      INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, turn, next_attempt_at)
      SELECT webhook_id, id, event_id, event_type, 'pending', ${priority}, now() FROM (${rows}) AS row
      RETURNING webhook_id
    ), uncounted AS (
      INSERT INTO uncounted_deliveries (webhook_id, count) SELECT webhook_id, count(*) FROM delivery GROUP BY webhook_id
    )`
}

const givenRows = `
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[]) AS given (webhook_id, id, event_id, event_type)`

/** The ids of the deliveries ascend in the order of `rows`. */
export async function insertPending(
  tx: EntityManager,
  priority: number,
  rows: readonly PendingDelivery[],
): Promise<void> {
  if (rows.length === 0) return
  await tx.query(`WITH ${insertPendingSql(priority, givenRows)} SELECT`, [
    rows.map(({ webhookId }) => webhookId),
    rows.map(() => newId()),
    rows.map(({ event }) => event.id),
    rows.map(({ event }) => event.type),
  ])
}
