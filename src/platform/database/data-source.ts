import { AsyncLocalStorage } from 'node:async_hooks'

import type pg from 'pg'
import { DataSource, MigrationExecutor } from 'typeorm'
import type {
  DataSourceOptions,
  EntityManager,
  MigrationInterface,
  QueryRunner,
  ReplicationMode,
} from 'typeorm'
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js'

import { StartupError } from '../config/startup-error.js'
import { lockFor } from './locks.js'
import { explainMissingPrivilege, lockTimeoutMs, retryWhileLocked } from './schema-changes.js'
import { clientDeadline, PgClient, PooledClient, statementTimeoutMs } from './pg-client.js'

/** Detects a server that is gone without closing its connections, for example after a power failure. */
export const keptAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 }

/** Time limit for opening a connection, or for waiting until the pool has a free one. */
export const connectTimeoutMs = 3_000
/** Maximum age of a connection. After a failover, no connection to the old server is older than this. */
export const maxLifetimeSeconds = 600

/** Passed by the caller, because `platform` does not import the migrations. */
export type Migrations = (new () => MigrationInterface)[]

/** Lists no entities, because each feature registers its own (`TypeOrmModule.forFeature`). */
export function dataSourceOptions(
  url: string,
  poolSize: number,
  timeoutMs = statementTimeoutMs,
  isPooled = false,
): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'link-service',
    connectTimeoutMS: connectTimeoutMs,
    installExtensions: false,
    extra: {
      Client: isPooled ? PooledClient : PgClient,
      // Sends statements without waiting for the results of earlier ones (statements.ts).
      pipeline: true,
      ...keptAlive,
      maxLifetimeSeconds,
      query_timeout: clientDeadline(timeoutMs),
      // Poolers reject these startup parameters and share sessions, so the role has these settings instead
      // (docs/how-to/postgresql.md).
      ...(isPooled
        ? {}
        : { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: 60_000, onConnect }),
    },
  }
}

/** JIT compilation can take seconds for a statement that runs in milliseconds. */
export const connectStatement = 'SET jit = off'

const onConnect = (client: pg.ClientBase) => client.query(connectStatement)

/** Connects without Nest's modules, for a migration or a single command. */
export async function connectDataSource(
  options: DataSourceOptions,
  setting = 'DATABASE_URL',
): Promise<DataSource> {
  try {
    return await newDataSource(options).initialize()
  } catch (error) {
    const reason = (error as Error).message || (error as { code?: string }).code
    throw new StartupError(
      `The database in ${setting} cannot be reached: ${reason}. Check the URL, and that the server is running.`,
    )
  }
}

/** Applies the pending migrations. If replicas start at the same time, one applies them and the others wait. */
export async function runMigrations(url: string, migrations: Migrations): Promise<string[]> {
  return withDataSource(url, migrations, async (dataSource) => {
    // A session lock, because each migration has its own transaction.
    const lock = dataSource.createQueryRunner()
    try {
      // Waiting for this lock does not block other sessions.
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

/** Rejects a database from before 0.1.0, which has other migrations and none of these. */
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
  // No time limits, not even those of the role: creating an index or waiting for the lock may take minutes.
  const limits = {
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: lockTimeoutMs,
  }
  const dataSource = await connectDataSource({
    ...dataSourceOptions(url, 2),
    migrations,
    extra: { Client: PgClient, ...limits },
  })
  try {
    return await work(dataSource)
  } catch (error) {
    throw explainMissingPrivilege(error)
  } finally {
    await dataSource.destroy()
  }
}

type Work<T> = (tx: EntityManager) => Promise<T>

/** `isOpen` is needed because work that a transaction started may outlive the transaction. */
const currentTransaction = new AsyncLocalStorage<{ isOpen: boolean }>()

/**
 * Rejects use of the pool inside a transaction. If every open transaction waited for a second connection, the pool
 * would be exhausted and none of them could continue.
 */
export class GuardedDataSource extends DataSource {
  /** TypeORM calls this whenever it needs a connection of the pool. */
  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    if (currentTransaction.getStore()?.isOpen)
      throw new Error('The connection pool must not be used inside a transaction. Use its `tx`.')
    return super.createQueryRunner(mode)
  }

  override transaction<T>(work: Work<T>): Promise<T>
  override transaction<T>(isolation: IsolationLevel, work: Work<T>): Promise<T>
  override transaction<T>(...args: [Work<T>] | [IsolationLevel, Work<T>]): Promise<T> {
    const work = args.at(-1) as Work<T>
    const guarded: Work<T> = async (tx) => {
      const transaction = { isOpen: true }
      try {
        return await currentTransaction.run(transaction, () => work(tx))
      } finally {
        transaction.isOpen = false
      }
    }
    const [isolation] = args
    return typeof isolation === 'string' ? super.transaction(isolation, guarded) : super.transaction(guarded)
  }
}

/** Guards the pool only in tests, which run every transaction: on Node 20, AsyncLocalStorage slows calls by a fifth. */
export function newDataSource(options: DataSourceOptions): DataSource {
  return process.env['NODE_ENV'] === 'test' ? new GuardedDataSource(options) : new DataSource(options)
}
