import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { programNameIn } from './program.js'

let checkout: string
let program: string
beforeAll(() => {
  checkout = realpathSync(mkdtempSync(join(tmpdir(), 'program-')))
  program = join(checkout, 'dist/main.js')
  for (const folder of ['dist', 'docs', 'bin', 'clients/typescript', 'node_modules/.bin'])
    mkdirSync(join(checkout, folder), { recursive: true })
  for (const folder of ['.', 'clients/typescript'])
    writeFileSync(join(checkout, folder, 'package.json'), '{}')
  writeFileSync(program, '')
  chmodSync(program, 0o755)
  for (const folder of ['bin', 'node_modules/.bin'])
    symlinkSync(program, join(checkout, folder, 'link-service'))
})
afterAll(() => rmSync(checkout, { recursive: true }))

const nameIn = (workingFolder: string, path = '/usr/bin') =>
  programNameIn({ program, path, workingFolder: join(checkout, workingFolder) })

it('returns link-service if this program is on the path', () => {
  expect(nameIn('..', `/usr/bin:${join(checkout, 'bin')}`)).toBe('link-service')
})

it('returns an npx command inside the checkout, even if npx runs the program', () => {
  expect(nameIn('.')).toBe('npx --no link-service')
  expect(nameIn('docs')).toBe('npx --no link-service')
  expect(nameIn('.', `${join(checkout, 'node_modules/.bin')}:/usr/bin`)).toBe('npx --no link-service')
})

it('returns a command with the file of the program elsewhere', () => {
  expect(nameIn('..')).toBe(`node ${program}`)
  expect(nameIn('clients/typescript')).toBe(`node ${program}`)
})
