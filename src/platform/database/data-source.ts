import { MigrationExecutor } from 'typeorm'
import type { DataSource, DataSourceOptions, MigrationInterface } from 'typeorm'

import { StartupError } from '../config/startup-error.js'
import { newDataSource } from './guarded-data-source.js'
import { lockFor } from './locks.js'
import { lockMayTakeMs, retryWhileLocked } from './migration-locks.js'
import { clientDeadline, PgClient, PooledClient, statementMayTakeMs } from './pg-client.js'

/** Notices that a database has vanished without a word, as when its machine lost its power. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Opening a connection, or waiting until the pool has a free one. */
export const connectMayTakeMs = 3_000
/** After a failover, connections to the old server are replaced after this time at the latest. */
export const maxLifetimeSeconds = 600

/** The caller passes the migrations, because the code in `platform` knows no tables. */
export type Migrations = (new () => MigrationInterface)[]

/** The options name no entities, because each feature brings its own (`TypeOrmModule.forFeature`). */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  mayTakeMs = statementMayTakeMs,
  isPooled = false,
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'link-service',
    connectTimeoutMS: connectMayTakeMs,
    installExtensions: false,
    extra: {
      Client: isPooled ? PooledClient : PgClient,
      // Statements that one caller sends without waiting in between go out at once (statements.ts).
      pipeline: true,
      ...keptAlive,
      maxLifetimeSeconds,
      query_timeout: clientDeadline(mayTakeMs),
      // A pooler refuses these when a connection starts. There, the role has time limits (docs/database.md).
      ...(isPooled ? {} : { statement_timeout: mayTakeMs, idle_in_transaction_session_timeout: 60_000 }),
    },
  }
}

/** Connects without Nest's modules, for a migration or a single command. */
export async function connect(options: DataSourceOptions, setting = 'DATABASE_URL'): Promise<DataSource> {
  try {
    return await newDataSource(options).initialize()
  } catch (error) {
    const reason = (error as Error).message || (error as { code?: string }).code
    throw new StartupError(
      `The database of ${setting} cannot be reached: ${reason}. Check the address and that it runs.`,
    )
  }
}

/** Applies the pending migrations. If replicas start together, one applies them, and the others wait for it. */
export async function migrate(url: string, migrations: Migrations): Promise<string[]> {
  return withDataSource(url, migrations, async (dataSource) => {
    // The lock belongs to the session, because each migration has a transaction of its own.
    const lock = dataSource.createQueryRunner()
    try {
      // Waiting for this lock blocks nobody else.
      await lock.query('SET lock_timeout = 0')
      await lock.query('SELECT pg_advisory_lock($1)', [lockFor.migrations])
      await rejectOldDatabase(dataSource)
      const pending = await new MigrationExecutor(dataSource).getPendingMigrations()
      await retryWhileLocked(() => dataSource.runMigrations())
      return pending.map(({ name }) => name)
    } finally {
      await lock.release()
    }
  })
}

export async function refusePendingMigrations(url: string, migrations: Migrations): Promise<void> {
  const pending = await withDataSource(url, migrations, async (dataSource) => {
    await rejectOldDatabase(dataSource)
    return dataSource.showMigrations()
  })
  if (pending)
    throw new StartupError(
      'The database has pending migrations. Run `npm run migrate` first, or start with MIGRATE=true.',
    )
}

/** The schema of 0.1.0 is a new start, so a database from before it has other migrations and none of these. */
export async function rejectOldDatabase(dataSource: DataSource): Promise<void> {
  const executor = new MigrationExecutor(dataSource)
  const applied = await executor.getExecutedMigrations()
  const pending = await executor.getPendingMigrations()
  if (applied.length > 0 && pending.length === dataSource.migrations.length)
    throw new StartupError(
      'This database is from a version before 0.1.0 and cannot be upgraded. Export its links with the old version, start with a new database, import them, reissue the tokens and recreate the webhooks: docs/upgrading.md has the steps.',
    )
}

async function withDataSource<T>(
  url: string,
  migrations: Migrations,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  // No time limits, not even those of the role: an index on a large table takes minutes, and so may the wait for the lock.
  const limits = {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: lockMayTakeMs,
  }
  const dataSource = await connect({
    ...dataSourceOptions(url, 2),
    migrations,
    extra: { Client: PgClient, ...limits },
  })
  try {
    return await work(dataSource)
  } finally {
    await dataSource.destroy()
  }
}
