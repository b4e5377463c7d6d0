/** Errors of the embedded database. */
import { checkEmbeddedConnection } from '../../../src/platform/database/open-database.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'

let db: TestDatabase
beforeAll(async () => (db = await createDatabase()))
afterAll(() => db.drop())

it('accepts a database that responds', async () => {
  await checkEmbeddedConnection(db.url, '/data')
})

it('reports why the database rejected the connection', async () => {
  const url = new URL(db.url)
  url.pathname = '/missing'
  await expect(checkEmbeddedConnection(url.href, '/data')).rejects.toThrow(
    /^The embedded database in \/data rejected the connection: database "missing" does not exist\.$/,
  )
})

it('says to check the disk if the database does not respond', async () => {
  await expect(checkEmbeddedConnection('postgres://nobody@127.0.0.1:1/none', '/data')).rejects.toThrow(
    /^The embedded database in \/data does not respond: connect ECONNREFUSED [^ ]+\. Check the disk, /,
  )
})
