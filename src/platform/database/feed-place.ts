/**
 * Places in a feed. A feed is read in the order of (transaction ID, row ID), and only up to the oldest running
 * transaction. So transactions that commit later can only add rows after those that were read.
 */
import type { EntityManager } from 'typeorm'

import { firstId, lastId } from './ids.js'
import type { Conditions } from './statements.js'

export interface FeedPlace {
  tx: string
  id: string
}

export const feedStart: FeedPlace = { tx: '0', id: firstId }

/** Rows of a feed. A feed that is narrowed may have read more rows than it shows. */
export interface FeedRows<Row extends FeedPlace> {
  rows: Row[]
  /** Place of the last row that was read, or where the reading started. */
  end: FeedPlace
  /** Whether more rows may follow although fewer than the limit were found. */
  hasMore: boolean
}

/** Returns rows of a feed that was not narrowed. */
export function toFeedRows<Row extends FeedPlace>(rows: Row[], after: FeedPlace): FeedRows<Row> {
  return { rows, end: rows.at(-1) ?? after, hasMore: false }
}

/**
 * A row of a narrowed feed. Without matches, there is one row whose other columns are null. The end is null if nothing
 * was read.
 */
export interface ScannedRow {
  endTx: string | null
  endId: string | null
  scanned: number | null
}

/** Number of rows that a narrowed feed reads for a page. */
export const scannedRows = 5_000

/** Returns rows of a narrowed feed, whose statement has read up to `scannedRows` rows after `after`. */
export function toNarrowedRows<Row extends FeedPlace>(
  found: readonly (Row & ScannedRow)[],
  after: FeedPlace,
  limit: number,
): FeedRows<Row> {
  const rows: Row[] = found.filter(({ id }: { id: string | null }) => id !== null)
  if (rows.length === limit) return toFeedRows(rows, after)
  const { endTx = null, endId = null, scanned = 0 } = found[0] ?? {}
  if (endTx === null || endId === null) return { rows, end: after, hasMore: false }
  return { rows, end: { tx: endTx, id: endId }, hasMore: scanned === scannedRows }
}

/** The ID of the oldest running transaction. */
export const oldestRunning =
  '(SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + first_tx FROM feed_epoch)'

/**
 * Selects the rows of one owner after a place, ordered by owner, transaction and ID.
 *
 * The range includes the owner for the same reason as in `Conditions.addIdConditions`: otherwise PostgreSQL may scan an index
 * of all owners. The end of the feed is a bound of the range, because PostgreSQL would evaluate a separate condition
 * for each row.
 *
 * A statement with these conditions must not be prepared. A generic plan does not know how many rows the range has, and
 * can read all rows of the owner in the order of another index: a page of a feed of 630,000 events took a second.
 */
export function addFeedConditions(
  where: Conditions,
  owner: string,
  id: string,
  after: FeedPlace,
): Conditions {
  return where
    .addCondition(`(${owner}, tx, id) >= (?, ?, ?)`, id, after.tx, after.id)
    .addCondition('(tx, id) > (?, ?)', after.tx, after.id)
    .addCondition(`(${owner}, tx) <= (?, ${oldestRunning} - 1)`, id)
}

/**
 * Returns the place after all rows that feeds show now. The rows of running transactions, and committed rows that are
 * held back because of them, come after this place.
 */
export async function feedEnd(manager: EntityManager): Promise<FeedPlace> {
  const [row]: { tx: string }[] = await manager.query(`SELECT (${oldestRunning} - 1)::text AS tx`)
  return { tx: row!.tx, id: lastId }
}
