/**
 * Starts one PostgreSQL server per run. Each spec file gets its own database, copied from a migrated template. Jest
 * does not transform this file, so it imports the built service (`npm test` builds first).
 */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { history } from '../../dist/migrations/history.js'
import { openEmbeddedDatabase } from '../../dist/platform/database/embedded/embedded-postgres.js'
import { runMigrations } from '../../dist/platform/database/data-source.js'
import { migrateQueue } from '../../dist/platform/queue/schema.js'

export default async function startPostgres() {
  // `npm test` provides a folder. Other runs, such as under a debugger, create one.
  const given = process.env.TEST_POSTGRES_FOLDER
  const dataDir = given ?? (await mkdtemp(join(tmpdir(), 'link-service-test-')))
  const postgres = await openEmbeddedDatabase({ dataDir, use: 'service' })
  globalThis.testPostgres = { postgres, dataDir }
  await runMigrations(postgres.url, history)
  await migrateQueue({ databaseUrl: postgres.url, redisUrl: null })
  await commitWithoutWaiting(postgres.url)
  process.env.TEST_TEMPLATE_URL = postgres.url
}

/** Turns off synchronous commits, which is safe because specs never kill this server. */
async function commitWithoutWaiting(url) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off')
  await client.end()
}
