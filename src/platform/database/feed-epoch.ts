/**
 * Feeds are ordered by transaction ID. A database that was restored from a dump has rows with the IDs of its former
 * cluster, which may be far ahead of those of its new cluster. So `feed_epoch` has a number that is added to each ID. It
 * grows with each cluster by more than any cluster assigns, so all rows and cursors of former clusters stay in order.
 */
import type { DataSource } from 'typeorm'

import { lockMayTakeMs, retryWhileLocked } from './migration-locks.js'

/** True if the database has moved to another cluster since the last start. */
export async function isRestored(source: DataSource): Promise<boolean> {
  const [row]: { restored: boolean }[] = await source.query(`
    SELECT epoch.cluster <> control.system_identifier AS restored
    FROM feed_epoch AS epoch CROSS JOIN pg_control_system() AS control`)
  return row!.restored
}

/** Continues the feeds in a new cluster. This changes one row, and may run in any number of processes at once. */
export async function continueFeeds(source: DataSource): Promise<void> {
  if (!(await isRestored(source))) return
  await retryWhileLocked(() =>
    source.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${lockMayTakeMs}`)
      // Waits for the transactions that have used the former number.
      await tx.query('LOCK TABLE feed_epoch IN ACCESS EXCLUSIVE MODE')
      await tx.query(`
        UPDATE feed_epoch SET cluster = control.system_identifier, first_tx = first_tx + 2^44
        FROM pg_control_system() AS control WHERE cluster <> control.system_identifier`)
    }),
  )
}
