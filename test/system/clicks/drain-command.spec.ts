/** `journal drain` writes the clicks of a stopped process to the database. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { makeLink } from '../../support/factories/links.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const clicks = 100

let db: TestDatabase
let proxy: DatabaseProxy
let observer: Service
let dataDir: string
let running: ServiceProcess | null = null
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'link service drain '))
  db = await createDatabase()
  proxy = await DatabaseProxy.before(db.url)
  observer = await startService({ db })
})
afterEach(async () => {
  proxy.heal()
  await running?.stop()
  running = null
  await observer.stop()
  await proxy.stop()
  await db.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

const secrets = { TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey }

async function drain(...operands: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const env = { DATA_DIR: dataDir, DATABASE_URL: db.url, ...secrets }
  const { gone, output, errors } = spawnService(['journal', 'drain', ...operands], env)
  return { code: await gone, out: output(), err: errors() }
}

it('writes the clicks of a killed process once, and refuses the journal of a running process', async () => {
  const link = await makeLink(observer)
  const total = async (): Promise<number> =>
    (await observer.call('GET', `/v1/links/${link.id}`)).body.clicks.total
  running = await startProcess({
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    ROLE: 'api',
    LOG_LEVEL: 'silent',
    ...secrets,
  })
  const visit = async () => {
    const { status } = await fetch(`${running!.origin}/${link.slug}`, { redirect: 'manual' })
    expect(status).toBe(302)
  }
  await visit()
  await waitFor('the first click', async () => (await total()) === 1)
  proxy.refuse()
  for (let i = 0; i < clicks; i++) await visit()

  const refused = await drain()
  expect(refused.code).not.toBe(0)
  expect(refused.err).toMatch(/^A running process writes to .*\. Stop it first\./)

  running.kill()
  await running.gone
  const drained = await drain(join(dataDir, 'clicks'))
  expect(drained).toMatchObject({ code: 0, err: '' })
  expect(drained.out).toMatch(/MiB: [1-9]\d* clicks\n(.*\n)*All clicks are in the database\.\n$/)
  expect(await total()).toBe(1 + clicks)
  expect(readdirSync(join(dataDir, 'clicks'))).toEqual([])

  expect((await drain()).out).toBe('The journals contain no clicks.\n')
  expect(await total()).toBe(1 + clicks)
}, 60_000)

it('names the missing folder', async () => {
  const { code, err } = await drain(join(dataDir, 'nothing-here'))
  expect(code).not.toBe(0)
  expect(err).toMatch(/^The folder .*nothing-here does not exist\./)
})
