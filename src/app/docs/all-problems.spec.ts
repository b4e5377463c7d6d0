import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { ProblemKind } from '../../platform/http/problems/problems.js'
import { allFieldErrors, allProblems } from './all-problems.js'

const src = join(import.meta.dirname, '../..')
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
  .map((file) => ({ file, text: readFileSync(join(src, file), 'utf8') }))

/** The names of constants that are declared like this, whatever their files are called, and their values. */
async function declaredAs(pattern: RegExp): Promise<(readonly [name: string, value: unknown])[]> {
  const found = sources.flatMap(({ file, text }) =>
    [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })),
  )
  return Promise.all(
    found.map(async ({ file, name }) => {
      const declaring = (await import(join(src, file))) as Record<string, unknown>
      return [`${name} of ${file}`, declaring[name]] as const
    }),
  )
}

it('each problem that a feature declares is in the list, and no two have the same code', async () => {
  const declared = await declaredAs(/\b(\w+) = declareProblems\(/g)
  expect(sources.flatMap(({ text }) => text.match(/(?<!function )\bdeclareProblems\(/g) ?? [])).toHaveLength(
    declared.length,
  )
  const listed = new Set<unknown>(allProblems)
  const forgotten = declared.filter(
    ([, kinds]) =>
      !kinds || Object.values(kinds as Record<string, ProblemKind>).some((kind) => !listed.has(kind)),
  )
  expect(forgotten.map(([name]) => name)).toEqual([])

  const codes = allProblems.map(({ code }) => code)
  expect(codes).toEqual([...new Set(codes)])
})

it('each code of a wrong field stands in one place only', async () => {
  const declared = await declaredAs(/interface FieldErrorTexts extends Record<keyof typeof (\w+),/g)
  const codes = declared.flatMap(([, texts]) => Object.keys(texts as object))
  expect(codes.sort()).toEqual(Object.keys(allFieldErrors).sort())
})
