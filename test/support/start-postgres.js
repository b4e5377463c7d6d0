/**
 * One PostgreSQL for the whole run; each spec file gets a database of its own, copied from a migrated template.
 * Jest loads this file outside its own transforms, so it takes the built service (`npm test` builds first).
 */
import { mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { history } from '../../dist/migrations/history.js'
import { openEmbeddedDatabase } from '../../dist/platform/database/embedded/embedded-postgres.js'
import { migrate } from '../../dist/platform/database/data-source.js'
import { migrateQueue } from '../../dist/platform/queue/schema.js'

const roomNeeded = 4 * 1024 ** 3

export default async function startPostgres() {
  const dataDir = await mkdtemp(join(await roomyFolder(), 'link-service-test-'))
  const postgres = await openEmbeddedDatabase({ dataDir, use: 'service' })
  globalThis.testPostgres = postgres
  await migrate(postgres.url, history)
  await migrateQueue({ databaseUrl: postgres.url, redisUrl: null })
  await commitWithoutWaiting(postgres.url)
  process.env.TEST_TEMPLATE_URL = postgres.url
}

/** In memory where there is room: a copy of the template has 500 files, for which some disks take a third of a second. */
async function roomyFolder() {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize >= roomNeeded ? memory : tmpdir()
}

/** Specs kill the service, and never this server: what it has committed is there, on the disk or not. */
async function commitWithoutWaiting(url) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('ALTER ROLE CURRENT_USER SET synchronous_commit = off')
  await client.end()
}
