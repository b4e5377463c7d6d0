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

it('reads the running service until its file is removed', () => {
  writeRunningService(dataDir, service(process.pid))
  expect(readRunningService(dataDir)).toEqual(service(process.pid))
  removeRunningService(dataDir)
  expect(readRunningService(dataDir)).toBeNull()
})

it('ignores the file of a process that has ended', () => {
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeRunningService(dataDir, service(pid))
  expect(readRunningService(dataDir)).toBeNull()
})

it('does not remove the file of another process', () => {
  writeRunningService(dataDir, service(process.ppid))
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
