/**
 * Large tables are partitioned by their UUIDv7 ID, which starts with the time. A feature describes its table next to
 * the entity and passes it to `declarePartitions`. The migration creates the table with `PARTITION BY RANGE (id)`.
 *
 * The ingest thread also creates partitions, and does not load Nest. So the Nest provider is in
 * partition-maintenance.ts.
 */
import type { EntityManager } from 'typeorm'

import { currentTime, dayMs } from '../util/clock.js'
import type { RunningSettings } from '../../settings.js'
import { lowestIdAt } from './ids.js'
import { lockFor } from './locks.js'

export interface PartitionedTable {
  name: string
  /** Number of days in a partition, counted from the Unix epoch. */
  days: number
  /** Fill factor of pages in percent, for rows that are updated soon: free space keeps the update in the same page. */
  fill?: number
  /** Returns the retention in seconds. Whole partitions are dropped. Absent: rows are kept forever. */
  keep?: (settings: RunningSettings) => number
}

const daysAhead = 21
/** All other statements on the table queue behind this lock, so it must not wait for a long-running query. */
const waitForLock = `SET LOCAL lock_timeout = '1s'`

export interface Partition {
  name: string
  table: string
  fill: number
  begin: Date
  end: Date
}

export function partitionsBetween(
  { name: table, days, fill = 100 }: PartitionedTable,
  from: Date,
  to: Date,
): Partition[] {
  const span = days * dayMs
  const partitions: Partition[] = []
  for (let start = Math.floor(from.getTime() / span) * span; start <= to.getTime(); start += span) {
    const begin = new Date(start)
    const name = `${table}_${begin.toISOString().slice(0, 10).replaceAll('-', '')}`
    partitions.push({ name, table, fill, begin, end: new Date(start + span) })
  }
  return partitions
}

/** Creates the missing partitions. Creating a partition briefly locks its table, so existing ones are skipped. */
export async function createPartitions(tx: EntityManager, wanted: Partition[]): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.partitions])
  const existing: { relname: string }[] = await tx.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY($1)`,
    [wanted.map(({ name }) => name)],
  )
  const names = new Set(existing.map(({ relname }) => relname))
  const missing = wanted.filter((partition) => !names.has(partition.name))
  if (missing.length > 0) await tx.query(waitForLock)
  for (const { name, table, fill, begin, end } of missing)
    await tx.query(
      `CREATE TABLE "${name}" PARTITION OF "${table}" FOR VALUES FROM ('${lowestIdAt(begin)}') TO ('${lowestIdAt(end)}')
       WITH (fillfactor = ${fill})`,
    )
}

/** Creates the partitions of the coming weeks. Runs at each start, on each new day and every few hours. */
export async function createUpcomingPartitions(
  tx: EntityManager,
  tables: readonly PartitionedTable[],
  now = currentTime(),
  days = daysAhead,
): Promise<void> {
  const horizon = new Date(now.getTime() + days * dayMs)
  await createPartitions(
    tx,
    tables.flatMap((table) => partitionsBetween(table, now, horizon)),
  )
}

/** Returns whether a partition may be dropped. Runs in the transaction that drops it, with the table locked. */
export type DropGuard = (tx: EntityManager, partition: Partition) => Promise<boolean>

/** Deletes old rows by dropping their partitions, which is fast and leaves no dead rows. */
export async function dropPartitionsBefore(
  tx: EntityManager,
  table: PartitionedTable,
  time: Date,
  mayDrop: DropGuard = () => Promise.resolve(true),
): Promise<void> {
  if ((await findPartitionsBefore(tx, table, time)).length === 0) return
  // Dropping a partition locks its table first, so this does too. Writers wait until the transaction ends.
  await tx.query(waitForLock)
  await tx.query(`LOCK TABLE ONLY "${table.name}" IN ACCESS EXCLUSIVE MODE`)
  // Another process may have dropped some of them while this one waited for the lock.
  for (const partition of await findPartitionsBefore(tx, table, time))
    if (await mayDrop(tx, partition)) await tx.query(`DROP TABLE "${partition.name}"`)
}

async function findPartitionsBefore(
  tx: EntityManager,
  table: PartitionedTable,
  time: Date,
): Promise<Partition[]> {
  const existing: { relname: string }[] = await tx.query(
    'SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table.name],
  )
  const [oldestKept] = partitionsBetween(table, time, time)
  return existing
    .filter(({ relname }) => oldestKept !== undefined && relname < oldestKept.name)
    .map(({ relname }) => parsePartition(table, relname))
}

/** Returns the partition with a name that `partitionsBetween` has created. */
export function parsePartition(table: PartitionedTable, name: string): Partition {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  const begin = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const [partition] = partitionsBetween(table, begin, begin)
  return partition!
}
