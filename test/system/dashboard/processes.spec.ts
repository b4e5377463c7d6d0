/** The sign-in URLs that processes print, and the processes that serve the dashboard. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'

const fromPage = { 'sec-fetch-site': 'same-origin' }

let folder: string
let db: TestDatabase
let service: ServiceProcess
const env = (more: Record<string, string> = {}) => ({
  DATABASE_URL: db.url,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  MIGRATE: 'true',
  DATA_DIR: folder,
  LOG_LEVEL: 'info',
  ...more,
})
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-dashboard-'))
  db = await createDatabase()
  service = await startProcess(env({ ROLE: 'api' }))
})
afterAll(async () => {
  await service.stop()
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

const urlIn = (output: string) => new URL(/^http\S+\/dashboard#code=\S+$/m.exec(output)![0])
const codeIn = (output: string) => new URLSearchParams(urlIn(output).hash.slice(1)).get('code')!

const signIn = (code: string) =>
  call(service.origin, 'POST', '/dashboard/session', { body: { code }, headers: fromPage })

async function scopesBy(code: string): Promise<string[]> {
  const response = await signIn(code)
  expect(response.status).toBe(204)
  const cookie = response.headers.get('set-cookie')!.split(';')[0]!
  const path = '/dashboard/api/v1/auth/token/self'
  return (await call(service.origin, 'GET', path, { headers: { cookie } })).body.scopes
}

async function run(...args: string[]) {
  const { gone, output, errors } = spawnService(args, env({ PUBLIC_URL: service.origin }))
  return { code: await gone, out: output(), err: errors() }
}

it('the first start prints a URL that signs in once with all scopes, and does not log it', async () => {
  const code = codeIn(service.output())
  expect(urlIn(service.output()).origin.replace('localhost', '127.0.0.1')).toBe(service.origin)
  expect(await scopesBy(code)).toEqual(expect.arrayContaining(['tokens:write', 'instance:read']))
  expect(await signIn(code)).toMatchObject({ status: 401, body: { code: 'invalid_code' } })
  expect(service.errors()).not.toContain(code)
  expect(service.errors()).not.toContain(service.firstToken)
})

it('link-service dashboard prints a new sign-in URL each time while a service runs', async () => {
  const [one, other] = [await run('dashboard'), await run('dashboard', '--json')]
  for (const { code, err } of [one, other]) expect([code, err]).toEqual([0, ''])
  const second = JSON.parse(other.out).url as string
  expect(await scopesBy(codeIn(one.out))).toContain('instance:read')
  expect(await scopesBy(codeIn(second))).toContain('instance:read')
  expect((await signIn(codeIn(one.out))).status).toBe(401)
})

it('a sign-in URL for a workspace does not grant instance:read', async () => {
  const { out } = await run('dashboard', '--workspace', 'default')
  const scopes = await scopesBy(codeIn(out))
  expect(scopes).toContain('links:write')
  expect(scopes).not.toContain('instance:read')
})

it('a worker serves neither the dashboard nor sessions', async () => {
  const worker = await startProcess(env({ ROLE: 'worker' }))
  const body = { token: service.firstToken }
  expect((await call(worker.origin, 'GET', '/dashboard/', {})).status).toBe(404)
  expect((await call(worker.origin, 'POST', '/dashboard/session', { body, headers: fromPage })).status).toBe(
    404,
  )
  expect(await worker.stop()).toBe(0)
})

it('with DASHBOARD=off, nothing is served or printed, and the command says why', async () => {
  const empty = await createDatabase()
  const off = { DATABASE_URL: empty.url, DASHBOARD: 'off', ROLE: 'api' }
  const silent = await startProcess(env(off))
  expect(silent.firstToken).toMatch(/^lsk_/)
  expect(silent.output()).not.toContain('/dashboard')
  expect((await call(silent.origin, 'GET', '/dashboard/', {})).status).toBe(404)
  expect(await silent.stop()).toBe(0)
  const { gone, output, errors } = spawnService(['dashboard'], env(off))
  expect([await gone, output()]).toEqual([1, ''])
  expect(errors()).toContain('The dashboard is off.')
  await empty.drop()
})
