import type { DataSource } from 'typeorm'

import { StartupError } from '../config/startup-error.js'
import { connect, dataSourceOptions, PgClient } from './data-source.js'
import type { Migrations } from './data-source.js'
import { lockFor } from './locks.js'

/** Applies what is pending. Replicas that start together wait for the first; the others then find nothing to do. */
export async function migrate(url: string, migrations: Migrations): Promise<string[]> {
  return withDataSource(url, migrations, async (dataSource) => {
    // A session lock, not a transaction's: each migration has a transaction of its own.
    const lock = dataSource.createQueryRunner()
    try {
      await lock.query('SELECT pg_advisory_lock($1)', [lockFor.migrations])
      const applied = await dataSource.runMigrations()
      return applied.map(({ name }) => name)
    } finally {
      await lock.release()
    }
  })
}

export async function refusePendingMigrations(url: string, migrations: Migrations): Promise<void> {
  const pending = await withDataSource(url, migrations, (dataSource) => dataSource.showMigrations())
  if (pending)
    throw new StartupError(
      'The database has pending migrations. Run `npm run migrate` first, or start with MIGRATE=true.',
    )
}

async function withDataSource<T>(
  url: string,
  migrations: Migrations,
  work: (dataSource: DataSource) => Promise<T>,
): Promise<T> {
  // Without the service's time limits: an index on a large table takes minutes, and so may the wait for another replica.
  const dataSource = await connect({ ...dataSourceOptions(url, 2), migrations, extra: { Client: PgClient } })
  try {
    return await work(dataSource)
  } finally {
    await dataSource.destroy()
  }
}
