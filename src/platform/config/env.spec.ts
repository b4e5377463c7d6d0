import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { getThisProcess } from '../util/process-identity.js'
import { dashboardOrigin } from './env.js'
import { writeRunningService } from './running-service.js'

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

it.each([
  ['http://127.0.0.1:4000/api', 'https://links.example'],
  ['http://localhost:4000/api', 'https://links.example'],
  ['http://[::1]:4000/api', 'https://links.example'],
  ['http://localhost:4001/api', 'http://localhost:4001'],
  ['https://localhost:4000/api', 'https://localhost:4000'],
  ['http://service.example:4000/api', 'http://service.example:4000'],
])('finds the dashboard of %s at %s', (apiUrl, origin) => {
  process.env['DATA_DIR'] = folder
  writeRunningService(folder, {
    ...getThisProcess(),
    port: 4000,
    apiUrl: 'http://127.0.0.1:4000/api',
    publicUrl: 'https://links.example',
  })
  expect(dashboardOrigin(apiUrl)).toBe(origin)
})
