/** Two services behind PgBouncer in transaction mode. Only LISTEN, migrations and the queue connect directly. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { describeWithPgBouncer, startPgBouncer } from '../../support/pgbouncer.js'
import type { PgBouncer } from '../../support/pgbouncer.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

/** Makes PgBouncer ignore the parameters that it refuses by default. */
const ignoreParameters = 'ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout'
const revokedWithinMs = 1_000

let folder: string
let db: TestDatabase
let pooler: PgBouncer
const environment = (directUrl?: string) => ({
  DATABASE_URL: pooler.url,
  ...(directUrl ? { DATABASE_DIRECT_URL: directUrl } : {}),
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  RATE_LIMIT: 'off',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-pgbouncer-spec-'))
  db = await createDatabase()
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(args: string[], env: Record<string, string>) {
  const { gone, output, errors } = spawnService(args, env, folder)
  return { code: await gone, output: output(), errors: errors() }
}

describeWithPgBouncer('with DATABASE_DIRECT_URL', () => {
  let here: ServiceProcess
  let there: ServiceProcess
  let receiver: Receiver
  let token: string
  beforeAll(async () => {
    pooler = await startPgBouncer(db.url)
    receiver = await startReceiver()
    await db.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA bullmq CASCADE')
    const migrated = await run(['migrate'], environment(db.url))
    expect(migrated).toMatchObject({ code: 0, errors: '' })
    expect(await run(['migrate'], environment(db.url))).toMatchObject({ output: 'Nothing to apply.\n' })

    here = await startProcess({ ...environment(db.url), DATA_DIR: join(folder, 'here') })
    there = await startProcess({ ...environment(db.url), ROLE: 'api', DATA_DIR: join(folder, 'there') })
    token = here.firstToken!
  })
  afterAll(async () => {
    expect(await Promise.all([here.stop(), there.stop()])).toEqual([0, 0])
    await receiver.stop()
    await pooler.stop()
  })

  const request = (service: ServiceProcess, method: string, path: string, body?: unknown) =>
    call(service.origin, method, path, { token, ...(body === undefined ? {} : { body }) })
  const self = (service: ServiceProcess, value: string) =>
    call(service.origin, 'GET', '/v1/auth/token/self', { token: value })

  it('creates and lists links, and counts their redirects', async () => {
    const created = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        request(i % 2 ? here : there, 'POST', '/v1/links', {
          slug: `pooled-${i}`,
          url: 'https://target.example/',
        }),
      ),
    )
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]))
    const listed = await request(there, 'GET', '/v1/links?limit=100')
    expect(listed.body.data).toHaveLength(60)

    const { id } = created[0]!.body
    for (const service of [here, there, here, there])
      expect((await call(service.origin, 'GET', '/pooled-0', {})).status).toBe(302)
    await waitFor('the clicks', async () => {
      const { body } = await request(here, 'GET', `/v1/links/${id}`)
      return body.clicks.total === 4
    })
    // The feed also waits for older transactions of the other instance.
    const { data } = await waitFor('the feed of clicks', async () => {
      const { body } = await request(there, 'GET', '/v1/clicks')
      return body.data.length >= 4 ? body : null
    })
    expect(data).toHaveLength(4)
    const updated = await request(here, 'PATCH', `/v1/links/${id}`, { url: 'https://target.example/new' })
    expect(updated.status).toBe(200)
  })

  it('delivers events', async () => {
    const webhook = { url: `${receiver.origin}/hook`, events: ['link.created'] }
    expect((await request(there, 'POST', '/v1/webhooks', webhook)).status).toBe(201)
    for (const service of [here, there])
      await request(service, 'POST', '/v1/links', { url: 'https://target.example/' })
    await waitFor('the deliveries', () => receiver.requestsTo('/hook').length === 2)
  })

  it('imports and exports links', async () => {
    const sent = await call(here.origin, 'POST', '/v1/imports', {
      token,
      raw: 'url,slug\nhttps://target.example/,imported\n',
      headers: { 'content-type': 'text/csv' },
    })
    expect(sent.status).toBe(202)
    await waitFor('the import', async () => {
      const { body } = await request(here, 'GET', `/v1/imports/${sent.body.id}`)
      return body.status === 'finished'
    })
    expect((await request(here, 'GET', '/v1/links/export')).text).toContain('imported')
  })

  it('rejects a revoked token on another instance within a second', async () => {
    for (let round = 0; round < 5; round++) {
      const created = (
        await request(here, 'POST', '/v1/auth/token', { name: 'pooled', scopes: ['links:read'] })
      ).body
      expect((await self(there, created.token)).status).toBe(200)
      expect((await request(here, 'DELETE', `/v1/auth/token/${created.id}`)).status).toBe(204)
      await waitFor(
        'the other instance to refuse the token',
        async () => (await self(there, created.token)).status === 401,
        revokedWithinMs,
      )
    }
  })

  it('is ready', async () => {
    for (const service of [here, there])
      expect((await call(service.origin, 'GET', '/readyz', {})).body.parts.change_feed).toBe('ok')
  })

  it('doctor prints the command that sets the missing statement timeouts', async () => {
    const [missing] = await connectionsSeenBy(pooler)
    expect(missing).toMatchObject({ status: 'warn', message: expect.stringContaining('ALTER ROLE') })
    await db.query(/ALTER ROLE.*$/.exec(missing!.message)![0])
    // The open connections of the first pooler keep the former limits.
    const fresh = await startPgBouncer(db.url)
    expect(await connectionsSeenBy(fresh)).toMatchObject([{ status: 'ok' }])
    await fresh.stop()
  })

  async function connectionsSeenBy({ url }: PgBouncer): Promise<{ status: string; message: string }[]> {
    const env = { ...environment(db.url), DATABASE_URL: url, DATA_DIR: join(folder, 'here') }
    const { output } = await run(['doctor', '--json'], env)
    return JSON.parse(output).checks.filter(({ name }: { name: string }) => name === 'connections')
  }
})

describeWithPgBouncer('without DATABASE_DIRECT_URL', () => {
  afterEach(() => pooler.stop())

  it.each([
    ['refuses time limits', []],
    ['ignores time limits', [ignoreParameters]],
  ])('refuses to start behind a pooler that %s, with a one-line error', async (_name, options) => {
    pooler = await startPgBouncer(db.url, options)
    for (const args of [[], ['migrate']])
      expect(await run(args, { ...environment(), PORT: '0' })).toEqual({
        code: 1,
        output: '',
        errors: expect.stringMatching(
          /^DATABASE_URL is the URL of a pooler that .*Set DATABASE_DIRECT_URL to [^\n]+\n$/,
        ),
      })
    expect(
      await db.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND database =
        (SELECT oid FROM pg_database WHERE datname = current_database())`),
    ).toEqual([])
  })
})
