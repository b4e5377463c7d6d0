import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { arrayLiteral } from '../../../src/clicks/ingest/write-clicks.js'

let db: TestDatabase
beforeAll(async () => {
  db = await createDatabase()
})
afterAll(() => db.drop())

it.each([
  [
    'text',
    ['plain', '', ' spaces ', 'NULL', 'null', null, '"quoted"', 'back\\slash\\', '{a,b}', "'", '日本語 🙂'],
  ],
  ['text', [null, null, 'a,b', 'a,b', 'NULL', null, '\\', '\\', '']],
  ['boolean', [true, true, false, null, null]],
  ['text', []],
])('PostgreSQL reads an array of %s unchanged', async (type, items: (string | boolean | null)[]) => {
  const literal = arrayLiteral(items, (item) => item)
  expect(await db.query(`SELECT $1::${type}[] AS items`, [literal])).toEqual([{ items }])
})
