/**
 * Starts one PostgreSQL server per run. Each spec file gets its own database, copied from a migrated template. Specs
 * that need a server of their own copy the data folder of an empty one. Jest does not transform this file, so it imports
 * the built service (`npm test` builds first).
 */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { history } from '../../dist/migrations/history.js'
import { readOrCreateSecret } from '../../dist/platform/config/secret-files.js'
import { createDataFolder } from '../../dist/platform/database/embedded/data-folder.js'
import { openEmbeddedDatabase } from '../../dist/platform/database/embedded/embedded-postgres.js'
import { runMigrations } from '../../dist/platform/database/data-source.js'
import { migrateQueue } from '../../dist/platform/queue/schema.js'
import { allSettings } from '../../dist/settings.js'

export default async function startPostgres() {
  // `npm test` provides a folder. Other runs, such as under a debugger, create one.
  const given = process.env.TEST_POSTGRES_FOLDER
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'link-service-test-')))
  const dataDir = join(folder, 'data')
  const created = await openEmbeddedDatabase({ dataDir, use: 'service' })
  await createSecrets(dataDir)
  await runMigrations(created.url, history)
  await migrateQueue({ databaseUrl: created.url, redisUrl: null })
  await created.release()
  // The files of a running server cannot be copied.
  process.env.TEST_DATA_FOLDER = join(folder, 'template')
  const { status, stderr } = spawnSync('cp', ['-a', dataDir, process.env.TEST_DATA_FOLDER])
  if (status !== 0) throw new Error(`the data folder was not copied: ${stderr}`)

  // Spec files that run at once have several services each, which can open more than the 100 connections of a default.
  await appendFile(createDataFolder(dataDir).cluster + '/postgresql.conf', 'max_connections = 300\n')
  const postgres = await openEmbeddedDatabase({ dataDir, use: 'service' })
  globalThis.testPostgres = { postgres, folder }
  await commitWithoutWaiting(postgres.url)
  process.env.TEST_TEMPLATE_URL = postgres.url
}

/** Creates the secrets of a first start, because a service refuses a migrated database without them. */
async function createSecrets(dataDir) {
  for (const { generated } of Object.values(allSettings))
    if (generated)
      await readOrCreateSecret(dataDir, generated.file, () => randomBytes(32).toString('base64url'))
}

/** Turns off synchronous commits, which is safe because specs never kill this server. */
async function commitWithoutWaiting(url) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off')
  await client.end()
}
