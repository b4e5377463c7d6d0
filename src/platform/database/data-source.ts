import type { DataSourceOptions, MigrationInterface } from 'typeorm'

import { PgClient } from './pg-client.js'

/** Whoever opens a database to migrate it, or to see whether it is migrated, hands these over: platform knows no tables. */
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
