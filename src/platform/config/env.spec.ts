import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { dashboardOrigin } from './env.js'

const initialFolder = process.cwd()
const initialDataDir = process.env['DATA_DIR']
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'env-'))
  process.chdir(folder)
  delete process.env['DATA_DIR']
})
afterEach(() => {
  process.chdir(initialFolder)
  if (initialDataDir === undefined) delete process.env['DATA_DIR']
  else process.env['DATA_DIR'] = initialDataDir
  rmSync(folder, { recursive: true })
})

it('does not look for the service in the default folder if the .env file cannot be read', () => {
  mkdirSync(join(folder, '.env'))
  expect(() => dashboardOrigin('http://127.0.0.1:4000/api')).toThrow(/\.env cannot be read \(EISDIR\)/)
})
