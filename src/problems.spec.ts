import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { fieldErrors } from './field-errors.js'
import { problems } from './problems.js'

const src = import.meta.dirname
const tables = ['problems.ts', 'request-problems.ts', 'field-errors.ts']
const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !tables.includes(file))
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n')

function unusedKeys(table: object): string[] {
  return Object.keys(table).filter((key) => !code.includes(`'${key}'`))
}

it('declares no unused problem', () => {
  expect(unusedKeys(problems)).toEqual([])
})

it('declares no unused field error', () => {
  expect(unusedKeys(fieldErrors)).toEqual([])
})
