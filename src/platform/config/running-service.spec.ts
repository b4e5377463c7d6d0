import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { getThisProcess } from '../util/process-identity.js'
import type { ProcessIdentity } from '../util/process-identity.js'
import { readRunningService, removeRunningService, writeRunningService } from './running-service.js'

let dataDir: string
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'running-service-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))

const service = (changes: Partial<ProcessIdentity> = {}) => ({
  ...getThisProcess(),
  ...changes,
  port: 4000,
  apiUrl: 'http://localhost:4000/api',
  publicUrl: 'http://localhost:4000',
})

it('reads the running service until its file is removed', () => {
  writeRunningService(dataDir, service())
  expect(readRunningService(dataDir)).toEqual(service())
  removeRunningService(dataDir)
  expect(readRunningService(dataDir)).toBeNull()
})

it('ignores the file of a process that has ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeRunningService(dataDir, service({ pid }))
  expect(readRunningService(dataDir)).toBeNull()
})

it.each([
  ['that started later', { startTime: '1' }],
  ['after a reboot', { bootId: 'other' }],
])('ignores the file of a process whose PID belongs to another process %s', (_, changes) => {
  writeRunningService(dataDir, service(changes))
  expect(readRunningService(dataDir)).toBeNull()
})

it('checks only the PID of a process in another container', () => {
  const inOtherContainer = service({ pidNamespace: 'pid:[1]' })
  writeRunningService(dataDir, inOtherContainer)
  expect(readRunningService(dataDir)).toEqual(inOtherContainer)
})

it.each([
  ['with another PID', { pid: process.ppid }],
  ['with the same PID that started at another time', { startTime: '1' }],
  ['with the same PID in another container', { pidNamespace: 'pid:[1]' }],
])('does not remove the file of a process %s', (_, changes) => {
  writeRunningService(dataDir, service(changes))
  removeRunningService(dataDir)
  expect(existsSync(join(dataDir, 'service.json'))).toBe(true)
})

it.each(['', '{}', 'null', '{"pid":1,"port":3000,"apiUrl":"x","publicUrl":"y"}'])(
  'ignores a file that contains %j',
  (text) => {
    writeFileSync(join(dataDir, 'service.json'), text)
    expect(readRunningService(dataDir)).toBeNull()
  },
)
