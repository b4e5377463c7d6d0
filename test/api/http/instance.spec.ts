/** The settings and doctor's findings, without secrets, for tokens with instance:read. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { FirstToken } from '../../../src/auth/token-commands.js'
import { SignInTokens } from '../../../src/sessions/sign-in-tokens.js'
import { allSettings } from '../../../src/settings.js'
import { cookieFrom, getSignInCode, signIn } from '../dashboard/browser.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let operator: string
beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: 'error', CORS_ORIGINS: 'https://shop.example' } })
  operator = (await service.mint('instance:read,tokens:write,links:read')).token
})
afterAll(() => service.stop())

const read = (token: string) => service.call('GET', '/v1/instance', { token })
const settingIn = ({ body }: { body: any }, name: string) =>
  body.settings.find((each: { name: string }) => each.name === name)

it('returns every setting with its source', async () => {
  const response = await read(operator)
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.body.settings.map(({ name }: { name: string }) => name)).toEqual(
    Object.values(allSettings).map(({ name }) => name),
  )
  expect(settingIn(response, 'CORS_ORIGINS')).toMatchObject({
    value: 'https://shop.example',
    source: 'environment',
    default_value: null,
  })
  expect(settingIn(response, 'CLICK_IP')).toMatchObject({
    value: 'truncate',
    source: 'default',
    group: 'privacy',
  })
})

it('names a file as the source of a secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-instance-'))
  const file = join(folder, 'redis-url')
  await writeFile(file, 'redis://127.0.0.1:1')
  const other = await startService({ db: service.db, env: { REDIS_URL_FILE: file } })
  const response = await other.call('GET', '/v1/instance', { token: operator })
  expect(settingIn(response, 'REDIS_URL')).toMatchObject({ source: 'file', is_set: true, value: null })
  await other.stop()
  await rm(folder, { recursive: true })
})

it('shortens long values', async () => {
  const logo = `data:image/png;base64,${'A'.repeat(2_000)}`
  const other = await startService({ db: service.db, env: { INSTANCE_LOGO: logo } })
  const { value } = settingIn(await other.call('GET', '/v1/instance', { token: operator }), 'INSTANCE_LOGO')
  expect(value).toBe(`${logo.slice(0, 500)}…`)
  await other.stop()
})

it('shows no secrets in settings or findings', async () => {
  const redis = { port: 1, password: 'hunter2-of-redis' }
  const withRedis = await startService({
    db: service.db,
    env: { REDIS_URL: `redis://:${redis.password}@127.0.0.1:${redis.port}` },
  })
  const responses = [await read(operator), await withRedis.call('GET', '/v1/instance', { token: operator })]
  await withRedis.stop()
  const databasePassword = new URL(service.db.url).password
  for (const response of responses) {
    expect(response.status).toBe(200)
    const hidden = response.body.settings.filter(({ secret }: { secret: boolean }) => secret)
    expect(hidden.map(({ name }: { name: string }) => name).sort()).toEqual([
      'DATABASE_DIRECT_URL',
      'DATABASE_URL',
      'ENCRYPTION_KEY',
      'ENCRYPTION_KEY_PREVIOUS',
      'NOTICES',
      'REDIS_URL',
      'TOKEN_PEPPER',
      'TOKEN_PEPPER_PREVIOUS',
      'WEBHOOK_PROXY',
    ])
    for (const { value } of hidden) expect(value).toBeNull()
    for (const secret of [pepper, encryptionKey, service.db.url, databasePassword, redis.password, operator])
      if (secret) expect(response.text).not.toContain(secret)
  }
})

it('returns the findings of doctor', async () => {
  const { body } = await read(operator)
  const found = Object.fromEntries(body.findings.map((each: any) => [each.name, each.status]))
  expect(found).toMatchObject({
    node: 'ok',
    public_url: 'ok',
    data_folder: 'ok',
    database: 'ok',
    migrations: 'ok',
    queue: 'ok',
    slugs: 'ok',
    encryption_key: 'ok',
  })
})

it('reports a wrong encryption key', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-instance-'))
  const other = await startService({
    db: service.db,
    env: { ENCRYPTION_KEY: 'another key than the secrets were sealed with', DATA_DIR: folder },
  })
  await service.call('POST', '/v1/webhooks', {
    body: { url: 'https://receiver.example/', events: ['*'] },
  })
  const { body } = await other.call('GET', '/v1/instance', { token: operator })
  expect(body.findings).toContainEqual({
    name: 'encryption_key',
    status: 'fail',
    message: expect.stringContaining('ENCRYPTION_KEY is not the key'),
  })
  await other.stop()
  await rm(folder, { recursive: true, force: true })
})

describe('instance:read', () => {
  it('is required', async () => {
    const response = await read(service.token)
    expect(response).toMatchObject({
      status: 403,
      body: { code: 'insufficient_scope', required: ['instance:read'] },
    })
  })

  it('is not granted by the command line by default', async () => {
    const { body } = await service.call('GET', '/v1/auth/token/self')
    expect(body.scopes).not.toContain('instance:read')
    expect(body.scopes).toContain('audit:read')
  })

  it('cannot be granted by the API', async () => {
    const response = await service.call('POST', '/v1/auth/token', {
      token: operator,
      body: { name: 'a', scopes: ['links:read', 'instance:read'] },
    })
    expect(response).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    expect(response.body.errors[0].detail).toContain('instance:read can be granted only on the command line')
    const all = await service.call('POST', '/v1/auth/token', { token: operator, body: { name: 'a' } })
    expect(all.body.scopes).toEqual(['tokens:write', 'links:read'])
    expect((await read(all.body.token)).status).toBe(403)
  })

  it("is granted to the first token and the operator's sign-in only", async () => {
    const empty = await startService()
    await empty.db.query('DELETE FROM tokens')
    const first = await empty.app.get(FirstToken).createIfMissing()
    expect(first!.scopes).toContain('instance:read')
    await empty.stop()
    const signIns = service.app.get(SignInTokens)
    const statuses = []
    for (const address of [
      await signIns.createUrlForNewToken('default', { isForOperator: true }),
      await signIns.createUrlForNewToken('default'),
    ]) {
      const cookie = cookieFrom(await signIn(service, { code: getSignInCode(address) }))
      const path = '/dashboard/api/v1/instance'
      statuses.push((await service.call('GET', path, { token: null, headers: { cookie } })).status)
    }
    expect(statuses).toEqual([200, 403])
  })
})
