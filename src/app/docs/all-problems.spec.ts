import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import type { ProblemKind } from '../../platform/http/problems/problems.js'
import { allFieldErrors, allProblems } from './all-problems.js'

const src = join(import.meta.dirname, '../..')

async function declaredIn(ending: string): Promise<object[]> {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith(ending),
  )
  const modules = await Promise.all(files.map((file) => import(join(src, file)) as Promise<object>))
  return modules.flatMap((each) =>
    Object.entries(each)
      .filter(([name]) => /(?:Problems|FieldErrors|^fieldErrors)$/.test(name) && !name.startsWith('all'))
      .map(([, declared]) => declared as object),
  )
}

it('each problem that a feature declares is in the list, and no two have the same code', async () => {
  const declared = await declaredIn('-problems.ts')
  expect(declared.length).toBeGreaterThan(4)
  const codes = allProblems.map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const kind of declared.flatMap((kinds) => Object.values(kinds) as ProblemKind[]))
    expect(allProblems).toContain(kind)
})

it('each code of a wrong field stands in one place only', async () => {
  const declared = await declaredIn('field-errors.ts')
  expect(declared.flatMap((texts) => Object.keys(texts)).sort()).toEqual(Object.keys(allFieldErrors).sort())
})
