/** Classifies the errors that PostgreSQL and its driver throw. */
import pg from 'pg'
import { DataSource } from 'typeorm'

import { isConnectionLost, isUnavailable } from '../../../src/platform/database/unavailable.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.drop())

const getRejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error('No error was thrown.')
    },
    (error: unknown) => error,
  )

async function connected(config: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: db.url, ...config })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const lostConnections: [string, () => Promise<unknown>][] = [
  [
    'a port where nothing listens',
    () => getRejection(new pg.Client('postgres://127.0.0.1:1/none').connect()),
  ],
  ['a missing socket', () => getRejection(new pg.Client('/tmp/no-such-folder none').connect())],
  [
    'a session that the server terminated',
    async () => getRejection((await connected()).query('SELECT pg_terminate_backend(pg_backend_pid())')),
  ],
  [
    'a broken connection',
    async () => {
      const client = await connected()
      await getRejection(client.query('SELECT pg_terminate_backend(pg_backend_pid())'))
      return getRejection(client.query('SELECT 1'))
    },
  ],
  [
    'a pool without free connections',
    async () => {
      const pool = new pg.Pool({ connectionString: db.url, max: 1 })
      const held = await pool.connect()
      // The timeout is set now because it must not apply to the first connection.
      pool.options.connectionTimeoutMillis = 100
      const error = await getRejection(pool.connect())
      held.release()
      await pool.end()
      return error
    },
  ],
  [
    'a response that does not arrive',
    async () => {
      const client = await connected({ query_timeout: 20 })
      const error = await getRejection(client.query('SELECT pg_sleep(1)'))
      await client.end()
      return error
    },
  ],
  [
    'a statement of TypeORM whose session the server terminated',
    async () => {
      const dataSource = await new DataSource({ type: 'postgres', url: db.url }).initialize()
      const error = await getRejection(dataSource.query('SELECT pg_terminate_backend(pg_backend_pid())'))
      await dataSource.destroy()
      return error
    },
  ],
  [
    'a connection that TypeORM has released',
    async () => {
      const dataSource = await new DataSource({ type: 'postgres', url: db.url }).initialize()
      const runner = dataSource.createQueryRunner()
      await runner.release()
      const error = await getRejection(runner.query('SELECT 1'))
      await dataSource.destroy()
      return error
    },
  ],
]

it.each(lostConnections)('%s counts as a lost connection', async (_name, fail) => {
  const error = await fail()
  expect({ error, isLost: isConnectionLost(error), isUnavailable: isUnavailable(error) }).toMatchObject({
    isLost: true,
    isUnavailable: true,
  })
})

const temporary: [string, string][] = [
  ['a full disk', '53100'],
  ['a serialization failure', '40001'],
  ['a deadlock', '40P01'],
]

it.each(temporary)('%s is temporary and keeps the connection', async (_name, state) => {
  const client = await connected()
  const error = await getRejection(
    client.query(`DO $$ BEGIN RAISE 'temporary' USING ERRCODE = '${state}'; END $$`),
  )
  expect(error).toMatchObject({ code: state })
  expect([isConnectionLost(error), isUnavailable(error)]).toEqual([false, true])
  await client.end()
})

const unusableConnections: [string, string][] = [
  ['a server that became read-only', '25006'],
  ['a role or a server with too many connections', '53300'],
  ['a server that starts or stops', '57P03'],
]

it.each(unusableConnections)('%s needs a new connection', async (_name, state) => {
  const client = await connected()
  const error = await getRejection(
    client.query(`DO $$ BEGIN RAISE 'unusable' USING ERRCODE = '${state}'; END $$`),
  )
  expect([isConnectionLost(error), isUnavailable(error)]).toEqual([true, true])
  await client.end()
})

it('an error of the statement counts as neither, whatever its message', async () => {
  const client = await connected()
  const raised = `DO $$ BEGIN RAISE 'Connection terminated unexpectedly'; END $$`
  for (const text of ['SELEC 1', 'SELECT 1/0', raised]) {
    const error = await getRejection(client.query(text))
    expect([isConnectionLost(error), isUnavailable(error)]).toEqual([false, false])
  }
  await client.end()
})

it('an error that is not from the database counts as neither', () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' })
  for (const other of [missing, new Error('something else'), 'text', null, undefined])
    expect([isConnectionLost(other), isUnavailable(other)]).toEqual([false, false])
})
