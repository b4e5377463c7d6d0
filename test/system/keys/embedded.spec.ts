/** `link-service keys` with the embedded database, whose secrets are files in the data folder. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { cookieFrom, fromPage } from '../../api/dashboard/browser.js'
import { copyDataFolder } from '../../support/data-folder.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { call } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let dataDir: string
let service: ServiceProcess | undefined
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'link-service-keys-'))
  await copyDataFolder(dataDir)
})
afterEach(async () => {
  await service?.stop()
  await rm(dataDir, { recursive: true, force: true })
})

async function keys(...args: string[]) {
  const { gone, output, errors } = spawnService(['keys', ...args], { DATA_DIR: dataDir })
  return { code: await gone, output: output(), errors: errors() }
}

async function statuses(): Promise<any[]> {
  const { code, output, errors } = await keys('status', '--json')
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  return JSON.parse(output).secrets
}

async function readSecrets(): Promise<Record<string, string>> {
  const folder = join(dataDir, 'secrets')
  const names = (await readdir(folder)).filter((name) => name !== 'postgres-password')
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)),
  )
}

const restart = async () => {
  await service?.stop()
  service = await startProcess({ DATA_DIR: dataDir })
}

it('rotates both secrets with one restart, and loses no token', async () => {
  service = await startProcess({ DATA_DIR: dataDir })
  const token = service.firstToken!
  const send = (method: string, path: string, body?: unknown) =>
    call(service!.origin, method, path, { token, body })
  const { body: unused } = await send('POST', '/v1/auth/token', { name: 'unused', scopes: ['links:read'] })
  await send('POST', '/v1/webhooks', {
    url: 'https://receiver.example/',
    events: ['*'],
    headers: { Authorization: 'Bearer secret' },
  })
  for (const url of ['https://one.example/', 'https://two.example/']) await send('POST', '/v1/links', { url })
  const { body: page } = await send('GET', '/v1/links?limit=1')
  const before = await readSecrets()

  const rotated = await keys('rotate')
  expect(rotated).toMatchObject({ code: 0, errors: '' })
  const prepared = await readSecrets()
  expect(prepared).toMatchObject(before)
  for (const name of Object.keys(prepared))
    expect((await stat(join(dataDir, 'secrets', name))).mode & 0o777).toBe(0o600)
  for (const secret of Object.values(prepared)) expect(rotated.output).not.toContain(secret.trim())
  expect((await statuses()).map(({ state }) => state)).toEqual(['prepared', 'prepared'])
  const early = await keys('finish')
  expect(early.output).toContain('TOKEN_PEPPER: a new secret is prepared; restart the service to use it')
  expect(early.output).not.toContain('No rotation')
  expect((await send('GET', '/v1/links')).status).toBe(200)

  await restart()
  expect(await readSecrets()).toEqual({
    'encryption-key': prepared['encryption-key-next'],
    'encryption-key-previous': before['encryption-key'],
    'token-pepper': prepared['token-pepper-next'],
    'token-pepper-previous': before['token-pepper'],
  })
  expect(await send('GET', `/v1/links?limit=1&cursor=${page.next_cursor}`)).toMatchObject({
    status: 200,
    body: { data: [{ url: 'https://one.example/' }] },
  })
  await waitFor(
    'the worker to encrypt all values again',
    async () => (await statuses())[0].dependents.slice(0, 4).every((each: any) => each.count === 0),
    40_000,
  )
  const [, pepper] = await statuses()
  expect(pepper).toMatchObject({
    state: 'rotating',
    can_finish: false,
    dependents: [{ kind: 'tokens', count: 1, newest_use: null }, { count: 0 }, { count: 1 }],
  })
  const refused = await keys('finish')
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('tokens: 1 (never used)')
  expect((await statuses()).map(({ state }) => state)).toEqual(['none', 'rotating'])
  expect((await keys('rotate')).errors).toContain('is not finished')

  expect((await call(service.origin, 'GET', '/v1/links', { token: unused.token })).status).toBe(200)
  expect((await keys('finish', '--yes')).errors).toBe('')
  expect(Object.keys(await readSecrets())).toEqual(['encryption-key', 'token-pepper'])
  await restart()
  for (const each of [token, unused.token])
    expect((await call(service.origin, 'GET', '/v1/links', { token: each })).status).toBe(200)
  expect((await statuses()).map(({ state }) => state)).toEqual(['none', 'none'])
}, 180_000)

/** Rotates TOKEN_PEPPER, and returns a token that still has the hash of the old one. */
async function rotatePepper(): Promise<string> {
  service = await startProcess({ DATA_DIR: dataDir })
  const token = service.firstToken!
  expect((await keys('rotate', 'TOKEN_PEPPER')).errors).toBe('')
  await restart()
  return token
}

const getLinks = (token: string) => call(service!.origin, 'GET', '/v1/links', { token })

it('keeps the old pepper when the secrets are accepted during a rotation', async () => {
  const unused = await rotatePepper()
  const accepted = spawnService(['accept-secrets'], { DATA_DIR: dataDir })
  expect({ code: await accepted.gone, errors: accepted.errors() }).toEqual({ code: 0, errors: '' })

  const refused = await keys('finish')
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('tokens: 1 (never used)')
  expect(Object.keys(await readSecrets())).toContain('token-pepper-previous')
  await restart()
  expect((await getLinks(unused)).status).toBe(200)
}, 60_000)

it('neither deletes nor overwrites a previous secret that no rotation has retired', async () => {
  service = await startProcess({ DATA_DIR: dataDir })
  const secret = 'a secret of an older backup, long enough\n'
  await writeFile(join(dataDir, 'secrets', 'token-pepper-previous'), secret)
  const before = await readSecrets()

  expect((await keys('finish')).code).toBe(0)
  expect(await readSecrets()).toEqual(before)
  const refused = await keys('rotate')
  expect(refused.code).toBe(1)
  expect(refused.errors).toContain('token-pepper-previous contains a secret')
  expect(await readSecrets()).toEqual(before)
}, 60_000)

it('invalidates unconverted tokens and sessions with the restart after `keys finish --yes`', async () => {
  service = await startProcess({ DATA_DIR: dataDir })
  const token = service.firstToken!
  const signedIn = await call(service.origin, 'POST', '/dashboard/session', {
    token: null,
    body: { token },
    headers: fromPage,
  })
  const headers = { ...fromPage, cookie: cookieFrom(signedIn) }
  const expectStatus = async (status: number) => {
    expect((await call(service!.origin, 'GET', '/v1/links', { token })).status).toBe(status)
    const dashboard = await call(service!.origin, 'GET', '/dashboard/api/v1/links', { token: null, headers })
    expect(dashboard.status).toBe(status)
  }

  expect((await keys('rotate', 'TOKEN_PEPPER')).errors).toBe('')
  await restart()
  const finished = await keys('finish', '--yes')
  expect(finished.errors).toBe('')
  expect(finished.output).toContain('Restart the service, which accepts the old TOKEN_PEPPER until then.')
  await expectStatus(200)
  await restart()
  await expectStatus(401)
}, 60_000)
