/** Restores a backup into an empty database. Loads all rows in one transaction, so a failure leaves none behind. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import pgCopy from 'pg-copy-streams'
import type { DataSource, EntityManager } from 'typeorm'

import { auditPartitions } from '../../audit/audit-entry.entity.js'
import { clickPartitions } from '../../clicks/click.entity.js'
import { attemptPartitions } from '../../deliveries/attempt.entity.js'
import { deliveryPartitions } from '../../deliveries/delivery.entity.js'
import { eventPartitions } from '../../events/event.entity.js'
import { history } from '../../migrations/history.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { connectDataSource, dataSourceOptions, runMigrations } from '../../platform/database/data-source.js'
import { moveFeedsBeyond } from '../../platform/database/feed-epoch.js'
import { findDatabase } from '../../platform/database/open-database.js'
import { createPartitions, parsePartition } from '../../platform/database/partitions.js'
import { PgClient } from '../../platform/database/pg-client.js'
import { directUrl, requireSession } from '../../platform/database/pooler.js'
import { findSecretProblem } from '../../platform/database/secret-fingerprints.js'
import { migrateQueue } from '../../platform/queue/schema.js'
import type { RunningSettings, Settings } from '../../settings.js'
import { BackupReader, readToEnd, verifyBackup } from './backup-format.js'
import type { BackupEnd, BackupHeader, BackupTable } from './backup-format.js'
import {
  backedUpTables,
  columnList,
  filledByMigrations,
  isBackedUp,
  listBackupTables,
  quoteName,
} from './backup-tables.js'
import type { Query } from './backup-tables.js'
import {
  getBackupMigrations,
  isNewDatabase,
  requireEmptyDatabase,
  requireNoLaterMigrations,
  requireSecretsOfBackup,
  requireStoppedService,
  restoreName,
} from './restore-checks.js'

const partitionedTables = [
  auditPartitions,
  attemptPartitions,
  clickPartitions,
  deliveryPartitions,
  eventPartitions,
]

export interface RestoredBackup {
  header: BackupHeader
  rows: Record<string, number>
  shownAs: string
  /** Names of tables in the file that do not belong to the service. They were not restored. */
  skipped: string[]
  resumed: ResumedWork
}

/** Work that the service continues after its start. */
interface ResumedWork {
  deliveries: number
  webhooks: number
  replays: number
  imports: number
  notices: number
}

export async function restoreBackup(settings: Settings, file: string): Promise<RestoredBackup> {
  const backup = await verifyBackup(file)
  const migrations = getBackupMigrations(backup, history)
  await requireSecretsOfBackup(backup, settings)
  const isNew = await isNewDatabase(settings)
  // As a service, not a command, so that no other service can start on the embedded database until the restore has ended.
  const database = await findDatabase(settings, 'service')
  try {
    if (!database.isEmbedded) await requireSession(database.settings)
    const url = directUrl(database.settings)
    if (!isNew)
      await withSource(url, async (source) => {
        await requireUnused(source, database.shownAs)
        await requireNoLaterMigrations(createQuery(source), backup, database.shownAs)
      })
    await runMigrations(url, migrations)
    const resumed = await withSource(url, async (source) => {
      await source.transaction((tx) => load(tx, file, backup, database))
      await source.query('ANALYZE')
      return countResumedWork(source)
    })
    // Upgrades a backup of an older version.
    await runMigrations(url, history)
    await migrateQueue(database.settings)
    const skipped = backup.tables.filter((table) => !isBackedUp(table)).map(({ name }) => name)
    return { header: backup, rows: backup.rows, shownAs: database.shownAs, skipped, resumed }
  } finally {
    await database.release()
  }
}

async function withSource<T>(url: string, work: (source: DataSource) => Promise<T>): Promise<T> {
  // Without pipelining, which COPY does not support.
  const source = await connectDataSource({
    ...dataSourceOptions(url, 1),
    extra: {
      Client: PgClient,
      application_name: restoreName,
      statement_timeout: '0',
      idle_in_transaction_session_timeout: '0',
      lock_timeout: 10_000,
    },
  })
  try {
    return await work(source)
  } finally {
    await source.destroy()
  }
}

const createQuery = (db: Pick<EntityManager, 'query'>): Query => {
  return <Row>(sql: string, values?: unknown[]) => db.query<Row[]>(sql, values)
}

async function requireUnused(db: Pick<EntityManager, 'query'>, shownAs: string): Promise<void> {
  await requireStoppedService(createQuery(db))
  await requireEmptyDatabase(createQuery(db), shownAs)
}

async function load(
  tx: EntityManager,
  file: string,
  backup: BackupHeader & BackupEnd,
  { settings, shownAs }: { settings: RunningSettings; shownAs: string },
): Promise<void> {
  // A service that starts now waits for these locks, and then finds the restored rows.
  const names = (await listBackupTables(createQuery(tx))).map(({ name }) => quoteName(name))
  await tx.query(`LOCK TABLE ${names.join(', ')} IN ACCESS EXCLUSIVE MODE`)
  await requireUnused(tx, shownAs)
  for (const name of filledByMigrations) await tx.query(`DELETE FROM ${quoteName(name)}`)
  await createTablePartitions(tx, backup.tables.filter(isBackedUp))
  const reader = new BackupReader(file)
  try {
    const header = await reader.readHeader()
    for await (const [table, rows] of reader.readTables(header)) {
      if (!isBackedUp(table)) await readToEnd(rows)
      else await loadRows(tx, table, rows, backup.rows[table.name] ?? 0)
      if (table.name === 'secret_fingerprints') await requireLoadedSecrets(tx, settings)
    }
    const { sha256 } = await reader.readEnd()
    if (sha256 !== backup.sha256) throw new StartupError(`${file} changed during the restore. Try again.`)
  } finally {
    await reader.close()
  }
  await repairSequences(tx)
  await endLeases(tx)
  await moveFeedsBeyond(tx, backup.feed.position, backup.takenAt)
}

async function createTablePartitions(tx: EntityManager, tables: readonly BackupTable[]): Promise<void> {
  for (const { name, partitions } of tables) {
    if (partitions.length === 0) continue
    const table = partitionedTables.find((each) => each.name === name)
    if (!table) throw new StartupError(`The backup has partitions of the unknown table ${name}.`)
    await createPartitions(
      tx,
      partitions.map((partition) => parsePartition(table, partition)),
    )
  }
}

async function loadRows(
  tx: EntityManager,
  table: BackupTable,
  rows: AsyncIterable<Buffer>,
  expected: number,
): Promise<void> {
  const client = (await tx.queryRunner!.connect()) as PgClient
  const copied = client.query(pgCopy.from(`COPY ${quoteName(table.name)} (${columnList(table)}) FROM STDIN`))
  await pipeline(Readable.from(rows, { objectMode: false }), copied)
  if (copied.rowCount !== expected)
    throw new StartupError(`Loaded ${copied.rowCount} instead of ${expected} rows into ${table.name}.`)
}

async function requireLoadedSecrets(tx: EntityManager, settings: RunningSettings): Promise<void> {
  const problem = await findSecretProblem(tx, settings)
  if (problem !== null) throw new StartupError(problem)
}

async function repairSequences(tx: EntityManager): Promise<void> {
  const columns: { table: string; column: string }[] = await tx.query(
    `SELECT relname AS table, attname AS column
     FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
     WHERE attidentity <> '' AND relnamespace = current_schema()::regnamespace AND relname = ANY ($1)`,
    [backedUpTables],
  )
  for (const { table, column } of columns)
    await tx.query(
      `SELECT setval(pg_get_serial_sequence($1, $2),
         (SELECT COALESCE(max(${quoteName(column)}), 0) + 1 FROM ${quoteName(table)}), false)`,
      [table, column],
    )
}

/** The processes that held these leases have ended. */
async function endLeases(tx: EntityManager): Promise<void> {
  await tx.query('UPDATE lanes SET holder = NULL, woken = false WHERE holder IS NOT NULL OR woken')
  await tx.query('UPDATE imports SET runner = NULL, lease_until = NULL WHERE runner IS NOT NULL')
}

async function countResumedWork(source: DataSource): Promise<ResumedWork> {
  const hasNotices = await source.query<unknown[]>(`SELECT FROM pg_tables WHERE tablename = 'notice_groups'`)
  const notices =
    hasNotices.length === 0
      ? '0'
      : `(SELECT count(*) FROM pending_notices)
         + (SELECT COALESCE(sum(count), 0) FROM notice_groups WHERE next_attempt_at IS NOT NULL)`
  const [row]: ResumedWork[] = await source.query(`
    SELECT count(*)::int AS deliveries, count(DISTINCT webhook_id)::int AS webhooks,
      (SELECT count(*) FROM replays WHERE finished_at IS NULL)::int AS replays,
      (SELECT count(*) FROM imports WHERE status IN ('waiting', 'running'))::int AS imports,
      (${notices})::int AS notices
    FROM deliveries WHERE status = 'pending'`)
  return row!
}
