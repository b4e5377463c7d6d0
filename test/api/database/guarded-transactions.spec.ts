/** Code in a transaction cannot use the pool, because transactions that wait for a second connection could deadlock. */
import { dataSourceOptions, GuardedDataSource } from '../../../src/platform/database/data-source.js'
import { runStatement, runPipelined } from '../../../src/platform/database/statements.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'

let db: TestDatabase
let source: GuardedDataSource
beforeAll(async () => {
  db = await createDatabase()
  source = new GuardedDataSource(dataSourceOptions(db.url, 2))
  await source.initialize()
})
afterAll(async () => {
  await source.destroy()
  await db.drop()
})

it('throws when code in a transaction uses the pool, directly or through a second transaction', async () => {
  for (const work of [
    () => source.query('SELECT 1'),
    () => runStatement(source.manager, { text: 'SELECT 1' }, []),
    () => runPipelined(source, { text: 'SELECT 1' }),
    () => source.transaction(() => Promise.resolve()),
  ])
    await expect(source.transaction(work)).rejects.toThrow('must not be used inside a transaction')
})

it('lets work started in a transaction use the pool after the transaction has ended', async () => {
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const { later } = await source.transaction(() =>
    Promise.resolve({ later: ended.then(() => source.query('SELECT 1 AS one')) }),
  )
  end()
  expect(await later).toEqual([{ one: 1 }])
})
