/**
 * Places in a feed. A feed is read in the order of (transaction number, id), and only up to the oldest transaction that
 * is still running. So a transaction that commits later can only add rows that come later in that order.
 */
import type { EntityManager } from 'typeorm'

import { firstId, lastId } from './ids.js'
import type { Conditions } from './statements.js'

export interface FeedPlace {
  tx: string
  id: string
}

export const feedStart: FeedPlace = { tx: '0', id: firstId }

/** The number of the transaction that a statement runs in. Rows of a feed keep it in their column `tx`. */
export const ownTransaction = '(SELECT pg_current_xact_id()::text::bigint + first_tx FROM feed_epoch)'
/** The number of the oldest transaction that is still running. */
export const oldestRunning =
  '(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + first_tx FROM feed_epoch)'

/**
 * Selects the rows of one owner after a place. They are ordered by owner, transaction and id.
 *
 * The range includes the owner for the same reason as in `Conditions.addIdsOf`: otherwise PostgreSQL may search for the
 * few rows of an owner in an index of all rows. The end of the feed is a bound of this range and not a condition of its
 * own, because PostgreSQL would compute that again for each row.
 */
export function addFeedOf(where: Conditions, owner: string, id: string, after: FeedPlace): Conditions {
  return where
    .add(`(${owner}, tx, id) >= (?, ?, ?)`, id, after.tx, after.id)
    .add('(tx, id) > (?, ?)', after.tx, after.id)
    .add(`(${owner}, tx) <= (?, ${oldestRunning} - 1)`, id)
}

/**
 * The place after all rows that feeds may show at this moment. The rows of running transactions come after it, and so
 * do the committed rows that are held back because of them.
 */
export async function feedEnd(manager: EntityManager): Promise<FeedPlace> {
  const [row]: { tx: string }[] = await manager.query(`SELECT (${oldestRunning} - 1)::text AS tx`)
  return { tx: row!.tx, id: lastId }
}
