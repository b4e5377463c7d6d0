import pg from 'pg'
import { DataSource } from 'typeorm'
import type { DataSourceOptions, MigrationInterface } from 'typeorm'

import { StartupError } from '../config/startup-error.js'

/**
 * A connection whose end is never an error that nobody listens to, for that would end the process. The pool listens while
 * it is idle and TypeORM while it is in use; a server that goes away may report it in between, or twice.
 */
export class PgClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    this.on('error', () => undefined)
  }
}

/** The caller hands these over to migrate a database, or to see whether it is migrated: platform knows no tables. */
export type Migrations = (new () => MigrationInterface)[]

/** Without entities: each feature brings its own (`TypeOrmModule.forFeature`). */
export function dataSourceOptions(url: string, poolSize = 10): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    migrationsTransactionMode: 'each',
    poolSize,
    applicationName: 'link-service',
    connectTimeoutMS: 5_000,
    installExtensions: false,
    extra: {
      Client: PgClient,
      // Statements that one caller sends without waiting in between go out at once (statements.ts).
      pipeline: true,
      statement_timeout: 30_000,
      idle_in_transaction_session_timeout: 60_000,
    },
  }
}

/** Connects without the modules, for a migration or a single command. */
export async function connect(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize()
  } catch (error) {
    const reason = (error as Error).message || (error as { code?: string }).code
    throw new StartupError(
      `The database of DATABASE_URL cannot be reached: ${reason}. Check the address and that it runs.`,
    )
  }
}
