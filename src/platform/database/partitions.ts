/**
 * Tables that grow with time are partitioned by their UUIDv7 id, which begins with the time. A feature describes its
 * table beside the entity, hands it to `declarePartitions`, and its migration says `PARTITION BY RANGE (id)`.
 *
 * The ingest thread makes partitions as well. Nest would double the code that this thread loads, so the part that needs
 * Nest is in partition-maintenance.ts.
 */
import type { EntityManager } from 'typeorm'

import { currentTime } from '../util/clock.js'
import { dayMs } from '../util/days.js'
import type { RunningSettings } from '../../settings.js'
import { lowestIdAt } from './ids.js'
import { lockFor } from './locks.js'

export interface PartitionedTable {
  name: string
  /** Each partition holds this many days, counted from the epoch. */
  days: number
  /** The fill factor of pages, in percent, for rows that soon change. The free space lets a change stay in its page. */
  fill?: number
  /** Seconds after which rows may be dropped, one whole partition at a time. Without it, rows are kept forever. */
  keep?: (settings: RunningSettings) => number
}

const daysAhead = 21
/** Everybody else who uses the table waits behind this lock, and must not wait for somebody who reads for hours. */
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

/** Makes the missing partitions. Creating one locks its table for a moment, so existing ones are left out first. */
export async function makePartitions(tx: EntityManager, wanted: Partition[]): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.partitions])
  const present: { relname: string }[] = await tx.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY($1)`,
    [wanted.map(({ name }) => name)],
  )
  const names = new Set(present.map(({ relname }) => relname))
  const missing = wanted.filter((partition) => !names.has(partition.name))
  if (missing.length > 0) await tx.query(waitForLock)
  for (const { name, table, fill, begin, end } of missing)
    await tx.query(
      `CREATE TABLE "${name}" PARTITION OF "${table}" FOR VALUES FROM ('${lowestIdAt(begin)}') TO ('${lowestIdAt(end)}')
       WITH (fillfactor = ${fill})`,
    )
}

/** Runs at each start and every few hours, so that the partitions of the coming weeks are always there. */
export async function makeUpcomingPartitions(
  tx: EntityManager,
  tables: readonly PartitionedTable[],
  now = currentTime(),
  days = daysAhead,
): Promise<void> {
  const horizon = new Date(now.getTime() + days * dayMs)
  await makePartitions(
    tx,
    tables.flatMap((table) => partitionsBetween(table, now, horizon)),
  )
}

/** Says whether a partition may be dropped. It runs in the transaction that would drop it, with the table locked. */
export type DropGuard = (tx: EntityManager, partition: Partition) => Promise<boolean>

/** Removes old rows by dropping their partitions. This is quick and leaves no dead rows in the other partitions. */
export async function dropPartitionsBefore(
  tx: EntityManager,
  table: PartitionedTable,
  time: Date,
  mayDrop: DropGuard = () => Promise.resolve(true),
): Promise<void> {
  if ((await partitionsOlderThan(tx, table, time)).length === 0) return
  // Dropping a partition locks its table first, so this does too. Writers to the table wait until the transaction ends.
  await tx.query(waitForLock)
  await tx.query(`LOCK TABLE ONLY "${table.name}" IN ACCESS EXCLUSIVE MODE`)
  // Another process may have dropped some of them while this one waited for the lock.
  for (const partition of await partitionsOlderThan(tx, table, time))
    if (await mayDrop(tx, partition)) await tx.query(`DROP TABLE "${partition.name}"`)
}

async function partitionsOlderThan(
  tx: EntityManager,
  table: PartitionedTable,
  time: Date,
): Promise<Partition[]> {
  const present: { relname: string }[] = await tx.query(
    'SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table.name],
  )
  const [oldestKept] = partitionsBetween(table, time, time)
  return present
    .filter(({ relname }) => oldestKept !== undefined && relname < oldestKept.name)
    .map(({ relname }) => partitionNamed(table, relname))
}

function partitionNamed(table: PartitionedTable, name: string): Partition {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  const begin = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const [partition] = partitionsBetween(table, begin, begin)
  return partition!
}
