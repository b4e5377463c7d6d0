/**
 * Tables that grow with time are partitioned by their UUIDv7 id, which begins with the time. A feature describes its
 * table beside the entity, hands it to `declarePartitions`, and its migration says `PARTITION BY RANGE (id)`.
 *
 * The ingest thread makes partitions as well. The framework would double what it loads, so it is in another file.
 */
import type { EntityManager } from 'typeorm'

import { dayMs } from '../util/days.js'
import type { RunningSettings } from '../config/settings.js'
import { lowestIdAt } from './ids.js'
import { lockFor } from './locks.js'

export interface PartitionedTable {
  name: string
  /** Each partition holds this many days, counted from the epoch. */
  days: number
  /** How full pages are made, in per cent, where rows change soon after: then a change stays in its page. */
  fill?: number
  /** Seconds after which a row may go, with all that are as old as it; without it they stay for good. */
  keep?: (settings: RunningSettings) => number
}

const daysAhead = 21

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

/** Makes what is missing. Creating a partition locks its table for a moment, so what exists is left alone. */
export async function makePartitions(tx: EntityManager, wanted: Partition[]): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.partitions])
  const present: { relname: string }[] = await tx.query(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname = ANY($1)`,
    [wanted.map(({ name }) => name)],
  )
  const names = new Set(present.map(({ relname }) => relname))
  for (const { name, table, fill, begin, end } of wanted.filter((partition) => !names.has(partition.name)))
    await tx.query(
      `CREATE TABLE "${name}" PARTITION OF "${table}" FOR VALUES FROM ('${lowestIdAt(begin)}') TO ('${lowestIdAt(end)}')
       WITH (fillfactor = ${fill})`,
    )
}

/** Run at each start and every few hours, so that the partitions of the coming weeks are always there. */
export async function makeUpcomingPartitions(
  tx: EntityManager,
  tables: readonly PartitionedTable[],
  now = new Date(),
): Promise<void> {
  const horizon = new Date(now.getTime() + daysAhead * dayMs)
  await makePartitions(
    tx,
    tables.flatMap((table) => partitionsBetween(table, now, horizon)),
  )
}

/** Says, in the transaction that would drop it, whether a partition may go; it is locked by then. */
export type DropGuard = (tx: EntityManager, partition: Partition) => Promise<boolean>

/** Dropping a partition is how old rows go: at once, and without a trace in the tables that stay. */
export async function dropPartitionsBefore(
  tx: EntityManager,
  table: PartitionedTable,
  time: Date,
  mayDrop: DropGuard = () => Promise.resolve(true),
): Promise<void> {
  const present: { relname: string }[] = await tx.query(
    'SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = to_regclass($1) ORDER BY 1',
    [table.name],
  )
  const [oldestKept] = partitionsBetween(table, time, time)
  const old = present.filter(({ relname }) => oldestKept !== undefined && relname < oldestKept.name)
  if (old.length === 0) return
  // Takes the locks that dropping takes, in the same order. Writers into one of these tables wait until it ends.
  await tx.query(`LOCK TABLE ONLY "${table.name}" IN ACCESS EXCLUSIVE MODE`)
  for (const { relname } of old)
    if (await mayDrop(tx, partitionNamed(table, relname))) await tx.query(`DROP TABLE "${relname}"`)
}

function partitionNamed(table: PartitionedTable, name: string): Partition {
  const [, year, month, day] = /_(\d{4})(\d\d)(\d\d)$/.exec(name) ?? []
  const begin = new Date(`${year}-${month}-${day}T00:00:00Z`)
  const [partition] = partitionsBetween(table, begin, begin)
  return partition!
}
