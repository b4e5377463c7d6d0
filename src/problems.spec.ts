import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { fieldErrors } from './field-errors.js'
import { problems } from './problems.js'

const src = import.meta.dirname
const tables = ['problems.ts', 'field-errors.ts']
const code = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !tables.includes(file))
  .map((file) => readFileSync(join(src, file), 'utf8'))
  .join('\n')

function unusedOf(table: object): string[] {
  return Object.keys(table).filter((each) => !code.includes(`'${each}'`))
}

it('has no problem that the code does not use', () => {
  expect(unusedOf(problems)).toEqual([])
})

it('has no code of a wrong field that the code does not use', () => {
  expect(unusedOf(fieldErrors)).toEqual([])
})
