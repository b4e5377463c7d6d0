/** `journal drain` writes the clicks of a stopped process to the database. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { makeLink } from '../../support/factories/links.js'
import { spawnService } from '../../support/process.js'
import { waitFor } from '../../support/wait-for.js'
import { JournalingProcess, secrets } from './journaling-process.js'

const clicks = 100

let dataDir: string
let service: JournalingProcess
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'link service drain '))
  service = await JournalingProcess.create(dataDir)
})
afterEach(async () => {
  await service.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function drain(...operands: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: service.db.url, ...secrets }
  const { gone, output, errors } = spawnService(['journal', 'drain', ...operands], env)
  return { code: await gone, out: output(), err: errors() }
}

it('drains the journal of a killed process once, and rejects the journal of a running process', async () => {
  const { id, slug } = await makeLink(service.observer)
  await service.start()
  await service.visit(slug)
  await waitFor('the first click', async () => (await service.countClicks(id)) === 1)
  service.proxy.refuseConnections()
  for (let i = 0; i < clicks; i++) await service.visit(slug)

  const refused = await drain()
  expect(refused.code).not.toBe(0)
  expect(refused.err).toMatch(/^A running process writes to .*\. Stop it first\./)

  await service.kill()
  const drained = await drain(join(dataDir, 'clicks'))
  expect(drained).toMatchObject({ code: 0, err: '' })
  expect(drained.out).toMatch(/MiB: [1-9]\d* clicks\n(.*\n)*All clicks are in the database\.\n$/)
  expect(await service.countClicks(id)).toBe(1 + clicks)
  expect(readdirSync(join(dataDir, 'clicks'))).toEqual([])

  expect((await drain()).out).toBe('The journals contain no clicks.\n')
  expect(await service.countClicks(id)).toBe(1 + clicks)
}, 60_000)

it('does not claim that all clicks are in the database when a segment cannot be read', async () => {
  const unreadable = join(dataDir, 'clicks/01a0b9f8-77ff-7a52-a6ff-6d3f1e0cbb41/00000001.clicks')
  mkdirSync(unreadable, { recursive: true })
  const { code, out, err } = await drain()
  expect(code).not.toBe(0)
  expect(out).not.toMatch(/All clicks|no clicks/)
  expect(err).toMatch(/These journals cannot be read completely: .*01a0b9f8-77ff-7a52-a6ff-6d3f1e0cbb41/)
})

it('names the missing folder in the error', async () => {
  const { code, err } = await drain(join(dataDir, 'nothing-here'))
  expect(code).not.toBe(0)
  expect(err).toMatch(/^The folder .*nothing-here does not exist\./)
})
