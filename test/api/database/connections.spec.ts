/** Timeouts of statements, and the replacement of broken connections. */
import { dataSourceOptions, GuardedDataSource } from '../../../src/platform/database/data-source.js'
import {
  allowLongerStatements,
  clientDeadline,
  statementTimeoutMs as usualTimeoutMs,
} from '../../../src/platform/database/pg-client.js'
import { runPipelined, runStatement } from '../../../src/platform/database/statements.js'
import { isUnavailable } from '../../../src/platform/database/unavailable.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'

const statementTimeoutMs = 200
const deadlineMs = 1_200

let db: TestDatabase
let proxy: DatabaseProxy
let source: GuardedDataSource
beforeEach(async () => {
  db = await createDatabase()
  proxy = await DatabaseProxy.start(db.url)
  // With a pool of one connection, a broken connection would make every later statement fail.
  source = new GuardedDataSource(dataSourceOptions(proxy.url, 1, statementTimeoutMs))
  await source.initialize()
})
afterEach(async () => {
  await source.destroy()
  await proxy.stop()
  await db.drop()
})

const getRejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  )

async function pid(): Promise<number> {
  const [row]: { pid: number }[] = await source.query('SELECT pg_backend_pid() AS pid')
  return row!.pid
}

async function expectConnectionReplaced(
  work: () => Promise<unknown>,
  expectedMs = deadlineMs,
): Promise<void> {
  const before = await pid()
  proxy.silenceOnText('no response')
  const startedAt = performance.now()
  expect(isUnavailable(await getRejection(work()))).toBe(true)
  const tookMs = performance.now() - startedAt
  expect(tookMs).toBeGreaterThan(expectedMs - 50)
  expect(tookMs).toBeLessThan(expectedMs + 1_000)
  expect(await pid()).not.toBe(before)
  expect(performance.now() - startedAt - tookMs).toBeLessThan(1_000)
}

describe('replaces the connection when a statement gets no response', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['alone', () => source.query(`SELECT 'no response'`)],
    ['prepared', () => runStatement(source.manager, { name: 'a', text: `SELECT 'no response'` }, [])],
    ['in a transaction', () => source.transaction((tx) => tx.query(`SELECT 'no response'`))],
    [
      'at the end of a transaction',
      () =>
        source.transaction(async (tx) => {
          await tx.query('SELECT 1')
          proxy.silenceOnText('COMMIT')
        }),
    ],
  ])('%s', async (_name, work) => {
    await expectConnectionReplaced(work)
  })

  it('in a pipeline', async () => {
    const work = () => runPipelined(source, { text: `SELECT 'no response'` })
    await expectConnectionReplaced(work, clientDeadline(usualTimeoutMs))
  })
})

it('cancels a statement on the server before the client gives up', async () => {
  const before = await pid()
  const error = await getRejection(source.query('SELECT pg_sleep(3)'))
  expect(error).toMatchObject({ code: '57014' })
  expect(isUnavailable(error)).toBe(true)
  expect(await pid()).toBe(before)
})

it('allows a transaction longer statements until the transaction ends', async () => {
  const slow = 'SELECT pg_sleep(1.5)'
  await source.transaction(async (tx) => {
    await allowLongerStatements(tx, 5_000)
    await tx.query(slow)
  })
  expect(await getRejection(source.query(slow))).toMatchObject({ code: '57014' })
  await runPipelined(source, { text: 'SELECT 1' }, { text: 'SELECT 1' })
  expect(await getRejection(source.query(slow))).toMatchObject({ code: '57014' })
  await expectConnectionReplaced(() => source.query(`SELECT 'no response'`))
})

it('replaces a connection after a write fails because the server is read-only', async () => {
  await source.query('SET default_transaction_read_only = on')
  const error = await getRejection(source.query(`INSERT INTO workspaces SELECT`))
  expect(error).toMatchObject({ code: '25006' })
  expect(isUnavailable(error)).toBe(true)
  // A new connection does not have the setting.
  await source.query('CREATE TEMPORARY TABLE written ()')
})

it('keeps PostgreSQL from compiling statements, which takes longer than running them', async () => {
  await db.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); END $$`)
  const later = new GuardedDataSource(dataSourceOptions(db.url, 1))
  await later.initialize()
  const used = await later.query(`SELECT setting, reset_val FROM pg_settings WHERE name = 'jit'`)
  expect(used).toEqual([{ setting: 'off', reset_val: 'on' }])
  await later.destroy()
})
