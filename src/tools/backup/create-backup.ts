/** Copies all data of the database in one snapshot, while the service runs. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'

import pgCopy from 'pg-copy-streams'

import { measureJournals } from '../../clicks/journal/journal-size.js'
import { StartupError } from '../../platform/config/startup-error.js'
import { connectTimeoutMs } from '../../platform/database/data-source.js'
import { endConnection, PgClient } from '../../platform/database/pg-client.js'
import { directUrl } from '../../platform/database/pooler.js'
import { version } from '../../platform/util/program.js'
import type { RunningSettings } from '../../settings.js'
import { writeBackupFile } from './backup-file.js'
import { backupFormat, endOfRows, formatVersion, toLine } from './backup-format.js'
import type { BackupHeader } from './backup-format.js'
import { columnList, listBackupTables, quoteName } from './backup-tables.js'
import type { Query } from './backup-tables.js'

export interface CreatedBackup {
  header: BackupHeader
  rows: Record<string, number>
  bytes: number
}

interface BackupOptions {
  isScheduled?: boolean
  signal?: AbortSignal
}

const lockTimeoutMs = 60_000

export async function createBackup(
  settings: RunningSettings,
  file: string,
  { isScheduled = false, signal }: BackupOptions = {},
): Promise<CreatedBackup> {
  // Without startup parameters, which poolers reject: the limits are set in the transaction.
  const client = new PgClient({
    connectionString: directUrl(settings),
    application_name: 'link-service backup',
    connectionTimeoutMillis: connectTimeoutMs,
  })
  await client.connect().catch((error: Error) => {
    throw new StartupError(`The database cannot be reached: ${error.message}. Check that it is running.`)
  })
  // Ends a statement that waits for a lock, or for a database that does not respond.
  const onAbort = () => void endConnection(client)
  signal?.addEventListener('abort', onAbort)
  try {
    signal?.throwIfAborted()
    const query: Query = async <Row>(sql: string, values: unknown[] = []) =>
      (await client.query(sql, values)).rows as Row[]
    const journal = await measureJournals(join(settings.dataDir, 'clicks'))
    await beginSnapshot(query)
    const header = { ...(await readHeader(query)), isScheduled, journal }
    const rows: Record<string, number> = {}
    const bytes = await writeBackupFile(file, readContent(client, header, rows), signal)
    return { header, rows, bytes }
  } finally {
    signal?.removeEventListener('abort', onAbort)
    // Also ends the transaction. A failed COPY may leave the connection in the middle of a row.
    await endConnection(client)
  }
}

/** Locks the tables first. Otherwise a partition could be dropped before the snapshot is taken. */
async function beginSnapshot(query: Query): Promise<void> {
  const tables = await listBackupTables(query)
  if (!tables.some(({ name }) => name === 'workspaces'))
    throw new StartupError('The database has no tables of the service. Start the service first.')
  await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  await query(`SET LOCAL lock_timeout = ${lockTimeoutMs}`)
  await query('SET LOCAL statement_timeout = 0')
  await query('SET LOCAL idle_in_transaction_session_timeout = 0')
  const names = tables.map(({ name }) => quoteName(name))
  await query(`LOCK TABLE ${names.join(', ')} IN ACCESS SHARE MODE`)
}

async function readHeader(query: Query): Promise<Omit<BackupHeader, 'isScheduled' | 'journal'>> {
  const [place] = await query<{ takenAt: Date; cluster: string; position: string }>(`
    SELECT clock_timestamp() AS "takenAt", system_identifier::text AS cluster,
      (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + first_tx)::text AS position
    FROM feed_epoch CROSS JOIN pg_control_system()`)
  const { takenAt, cluster, position } = place!
  const migrations = await query<{ name: string }>('SELECT name FROM migrations ORDER BY timestamp')
  return {
    format: backupFormat,
    formatVersion,
    version,
    takenAt: takenAt.toISOString(),
    migrations: migrations.map(({ name }) => name),
    feed: { cluster, position },
    secrets: await query('SELECT setting, fingerprint FROM secret_fingerprints ORDER BY setting, created_at'),
    tables: await listBackupTables(query),
  }
}

async function* readContent(
  client: PgClient,
  header: BackupHeader,
  rows: Record<string, number>,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const hashed = (bytes: Buffer) => {
    hash.update(bytes)
    return bytes
  }
  yield hashed(toLine(header))
  for (const table of header.tables) {
    yield hashed(toLine({ name: table.name, columns: table.columns }))
    // COPY reads the rows of partitions only from a query.
    const copied = client.query(
      pgCopy.to(`COPY (SELECT ${columnList(table)} FROM ${quoteName(table.name)}) TO STDOUT`),
    )
    for await (const chunk of copied) yield hashed(chunk as Buffer)
    yield hashed(endOfRows)
    rows[table.name] = copied.rowCount
  }
  yield toLine({ rows, sha256: hash.digest('hex') })
}
