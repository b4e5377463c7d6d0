/**
 * Places in a feed, which is read in the order of (transaction number, id), and only up to the oldest transaction that is
 * still running: one that commits later can then only bring rows that come later in that order.
 */
import type { EntityManager } from 'typeorm'

import { firstId, lastId } from './ids.js'
import type { Conditions } from './statements.js'

export interface FeedPlace {
  tx: string
  id: string
}

export const feedStart: FeedPlace = { tx: '0', id: firstId }

const oldestRunning = 'pg_snapshot_xmin(pg_current_snapshot())::text::bigint'

/**
 * What comes behind a place, of one owner; the rows are ordered by the owner, the transaction and the id. The owner is part
 * of the range for the reason that `Conditions.addIdsOf` has: else what is rare is looked for in an index of everything.
 * The end of the range stands nowhere else: in a condition of its own it would be worked out anew for each row.
 */
export function addFeedOf(where: Conditions, owner: string, id: string, after: FeedPlace): Conditions {
  return where
    .add(`(${owner}, tx, id) >= (?, ?, ?)`, id, after.tx, after.id)
    .add('(tx, id) > (?, ?)', after.tx, after.id)
    .add(`(${owner}, tx) <= (?, ${oldestRunning} - 1)`, id)
}

/**
 * Behind all that feeds may show at this moment. What transactions that still run will bring comes after it, and so does
 * what is held back because of them.
 */
export async function feedEnd(manager: EntityManager): Promise<FeedPlace> {
  const [row]: { tx: string }[] = await manager.query(`SELECT (${oldestRunning} - 1)::text AS tx`)
  return { tx: row!.tx, id: lastId }
}
