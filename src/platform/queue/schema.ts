/** Migrates the schema in which BullMQ stores its jobs, with BullMQ's own migrations. */
import {
  assertSchemaCompatibility,
  LATEST_SCHEMA_VERSION,
  MIGRATION_ADVISORY_LOCK_KEY,
  runMigrations,
  SchemaMigrationRequiredError,
} from 'bullmq'
import type pg from 'pg'

import { StartupError } from '../config/startup-error.js'
import { explainMissingPrivilege, lockTimeoutMs, retryWhileLocked } from '../database/schema-changes.js'
import { PgClient } from '../database/pg-client.js'
import { directUrl } from '../database/pooler.js'
import type { QueueAddress } from './backend.js'
import { queueSchema } from './postgres-backend.js'

/** Applies pending migrations, and returns whether there were any. Concurrent processes wait for the first. */
export async function migrateQueue(address: QueueAddress): Promise<boolean> {
  return withClient(address, async (client) => {
    // The migrator takes the same lock again. The lock ends with the connection.
    await client.query('SELECT pg_advisory_lock($1, hashtext($2))', [
      MIGRATION_ADVISORY_LOCK_KEY,
      queueSchema,
    ])
    if (!(await isPending(client))) return false
    await client.query(`SET lock_timeout = ${lockTimeoutMs}`)
    await retryWhileLocked(() => runMigrations(client, queueSchema))
    return true
  })
}

export async function hasPendingQueueMigrations(address: QueueAddress): Promise<boolean> {
  return withClient(address, isPending)
}

export async function refusePendingQueueMigrations(address: QueueAddress): Promise<void> {
  if (await hasPendingQueueMigrations(address))
    throw new StartupError(
      'The queue in the database has pending migrations. Run `npm run migrate` first, or start with MIGRATE=true.',
    )
}

async function isPending(client: pg.Client): Promise<boolean> {
  try {
    return (await assertSchemaCompatibility(client, queueSchema)) < LATEST_SCHEMA_VERSION
  } catch (error) {
    if (error instanceof SchemaMigrationRequiredError) return true
    throw new StartupError((error as Error).message)
  }
}

/** Returns false if the jobs are in Redis, which has no schema. */
async function withClient(
  address: QueueAddress,
  work: (client: pg.Client) => Promise<boolean>,
): Promise<boolean> {
  if (address.redisUrl !== null) return false
  const client = new PgClient({
    connectionString: directUrl(address),
    application_name: 'link-service queue',
    connectionTimeoutMillis: 5_000,
  })
  await client.connect()
  try {
    return await work(client)
  } catch (error) {
    throw explainMissingPrivilege(error)
  } finally {
    await client.end()
  }
}
