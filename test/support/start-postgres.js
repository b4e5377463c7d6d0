/**
 * Starts a PostgreSQL server for each process of Jest: a feed shows a row only when all older transactions of the server
 * have ended, so spec files that run at the same time would wait for each other. Each spec file gets its own database,
 * copied from a migrated template. Specs that need their own server copy the data folder of an empty one. Jest does not
 * transform this file, so it imports the built service (`npm test` builds first).
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

export default async function startPostgres({ maxWorkers }) {
  // `npm test` provides a folder. Other runs, such as under a debugger, create one.
  const given = process.env.TEST_POSTGRES_FOLDER
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'link-service-test-')))
  const template = join(folder, 'template')
  process.env.TEST_DATA_FOLDER = template
  const created = await openEmbeddedDatabase({ dataDir: template, use: 'service' })
  await createSecrets(template)
  await runMigrations(created.url, history)
  await migrateQueue({ databaseUrl: created.url, redisUrl: null })
  // The files of a running server cannot be copied.
  await created.release()

  const servers = await Promise.all(
    Array.from({ length: maxWorkers }, (_, n) => startServer(template, join(folder, `server ${n + 1}`))),
  )
  globalThis.testPostgres = { servers, folder }
  process.env.TEST_TEMPLATE_URLS = JSON.stringify(servers.map(({ url }) => url))
}

async function startServer(template, dataDir) {
  const { status, stderr } = spawnSync('cp', ['-a', template, dataDir], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the data folder was not copied: ${stderr}`)
  // Services of a spec file together can open more than the 100 connections of a default.
  await appendFile(createDataFolder(dataDir).cluster + '/postgresql.conf', 'max_connections = 300\n')
  const server = await openEmbeddedDatabase({ dataDir, use: 'service' })
  await commitWithoutWaiting(server.url)
  return server
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
