import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { readRunningService, removeRunningService, writeRunningService } from './running-service.js'

let dataDir: string
beforeEach(() => (dataDir = mkdtempSync(join(tmpdir(), 'running-service-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))

const service = (pid: number) => ({
  pid,
  port: 4000,
  apiUrl: 'http://localhost:4000/api',
  publicUrl: 'http://localhost:4000',
})

it('is read until the service removes it', () => {
  writeRunningService(dataDir, service(process.pid))
  expect(readRunningService(dataDir)).toEqual(service(process.pid))
  removeRunningService(dataDir)
  expect(readRunningService(dataDir)).toBeNull()
})

it('is ignored after the process has ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeRunningService(dataDir, service(pid))
  expect(readRunningService(dataDir)).toBeNull()
})

it('is not removed by a process that has been replaced', () => {
  writeRunningService(dataDir, service(process.ppid))
  removeRunningService(dataDir)
  expect(existsSync(join(dataDir, 'service.json'))).toBe(true)
})

it.each(['', '{}', 'null', '{"pid":1,"port":3000,"apiUrl":"x","publicUrl":"y"}'])(
  'is ignored if the file contains %j',
  (text) => {
    writeFileSync(join(dataDir, 'service.json'), text)
    expect(readRunningService(dataDir)).toBeNull()
  },
)
