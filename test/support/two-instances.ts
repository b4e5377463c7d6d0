/**
 * Two instances of the service on one database; what stands between the second and the database can be cut. Importing it
 * sets that up for the importing file.
 */
import { ChangeFeed } from '../../src/platform/database/change-feed.js'
import { DatabaseProxy } from './database-proxy.js'
import { createDatabase } from './database.js'
import type { TestDatabase } from './database.js'
import { startService } from './service.js'
import type { Service } from './service.js'
import { waitFor } from './wait-for.js'

let db: TestDatabase
/** Where changes are made. */
export let here: Service
/** Where they have to show. */
export let there: Service
/** Between `there` and the database. */
export let proxy: DatabaseProxy

beforeAll(async () => {
  db = await createDatabase()
  proxy = await DatabaseProxy.before(db.url)
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

/** What was committed until now has been heard there. Twice, as the first may have been under way already. */
export async function changesAreHeard(): Promise<void> {
  for (let i = 0; i < 2; i++) await waitFor('the change feed', () => there.app.get(ChangeFeed).catchUp())
}

/** A crash of the connections that listen to changes; each instance has to notice by itself. */
export async function endListening(): Promise<void> {
  const [row] = await db.query<{ ended: number }>(
    `SELECT count(pg_terminate_backend(pid))::int AS ended FROM pg_stat_activity
     WHERE application_name = 'link-service changes' AND datname = current_database()`,
  )
  expect(row!.ended).toBeGreaterThanOrEqual(1)
}
