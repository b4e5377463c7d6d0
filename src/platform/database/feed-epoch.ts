/**
 * Feeds are ordered by transaction ID. After a restore from a dump, the new cluster may assign lower IDs than existing
 * rows have. `feed_epoch` stores an offset that is added to each ID. The offset is raised for each new cluster, so that
 * existing rows and cursors keep their order.
 */
import type { DataSource, EntityManager } from 'typeorm'

import { lockTimeoutMs, retryWhileLocked } from './schema-changes.js'

/** Returns whether the database has moved to another cluster since the last start. */
export async function isRestored(source: DataSource): Promise<boolean> {
  const [row]: { restored: boolean }[] = await source.query(`
    SELECT epoch.cluster <> control.system_identifier AS restored
    FROM feed_epoch AS epoch CROSS JOIN pg_control_system() AS control`)
  return row!.restored
}

/** Raises the offset if the database has moved to another cluster. Several processes may run this at the same time. */
export async function continueFeeds(source: DataSource): Promise<void> {
  if (!(await isRestored(source))) return
  await retryWhileLocked(() =>
    source.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
      // Waits for transactions that have used the old offset.
      await tx.query('LOCK TABLE feed_epoch IN ACCESS EXCLUSIVE MODE')
      await tx.query(`
        UPDATE feed_epoch SET cluster = control.system_identifier, first_tx = first_tx + 2^44
        FROM pg_control_system() AS control WHERE cluster <> control.system_identifier`)
    }),
  )
}

/** More transactions than PostgreSQL can write per second. */
const transactionsPerSecond = 2 ** 20

/**
 * Sets the offset of a database that was restored from a backup. The first new row must follow all rows that consumers
 * have ever read, which may have been written after the backup, in the lost cluster or in an earlier restore. So the
 * place advances by more than any of them can have written in the time since the backup.
 */
export async function moveFeedsBeyond(tx: EntityManager, position: string, takenAt: string): Promise<void> {
  await tx.query(
    `UPDATE feed_epoch SET cluster = control.system_identifier,
       first_tx = $1::bigint - pg_current_xact_id()::text::bigint
         + ceil(greatest(60, extract(epoch FROM clock_timestamp() - $2::timestamptz)))::bigint * $3::bigint
     FROM pg_control_system() AS control`,
    [position, takenAt, transactionsPerSecond],
  )
}
