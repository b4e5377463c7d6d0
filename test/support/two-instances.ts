/**
 * Two instances of the service on one database, the second one behind a proxy that can cut its connections. Importing
 * this file sets up both.
 */
import { ChangeFeed } from '../../src/platform/database/change-feed.js'
import { DatabaseProxy } from './database-proxy.js'
import { createDatabase } from './database.js'
import type { TestDatabase } from './database.js'
import { startService } from './service.js'
import type { Service } from './service.js'
import { waitFor } from './wait-for.js'

let db: TestDatabase
/** The instance in which specs change data. */
export let here: Service
/** The instance in which the changes must become visible. */
export let there: Service
/** The proxy between `there` and the database. */
export let proxy: DatabaseProxy

beforeAll(async () => {
  db = await createDatabase()
  proxy = await DatabaseProxy.start(db.url)
  here = await startService({ db })
  there = await startService({ db: { ...db, url: proxy.url } })
})
afterAll(async () => {
  await there.stop()
  await here.stop()
  await proxy.stop()
  await db.drop()
})

export const feedIsUp = () => waitFor('the change feed', () => there.app.get(ChangeFeed).confirm())

/** Waits until `there` has received all commits so far. Takes two round trips, because one may have started earlier. */
export async function waitForChangeFeed(): Promise<void> {
  for (let i = 0; i < 2; i++) await waitFor('the change feed', () => there.app.get(ChangeFeed).catchUp())
}

/** Closes the connections that listen for changes. Each instance must detect this. */
export async function endListening(): Promise<void> {
  const [row] = await db.query<{ ended: number }>(
    `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
     WHERE application_name = 'link-service changes' AND datname = current_database()`,
  )
  expect(row!.ended).toBeGreaterThanOrEqual(1)
}
