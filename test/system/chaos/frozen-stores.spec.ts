/** PostgreSQL or Redis stops responding: calls and shutdowns end in time, and nothing is lost. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { copyDataFolder } from '../../support/data-folder.js'
import { createDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { describeWithRedis } from '../../support/describe-with.js'
import { OwnPostgres } from '../../support/own-postgres.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import type { ServiceResponse } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

/** A running statement times out after 6 s, and opening a connection after 3 s. */
const maxCallMs = 10_000
/** Half of what docs/health-and-shutdown.md allows. */
const maxShutdownMs = 15_000
const recoversWithinMs = 15_000

interface Store {
  url: string
  freeze(): Promise<void>
  thaw(): Promise<void>
  drop(): Promise<void>
}

async function silentDatabase(): Promise<Store> {
  const db = await createDatabase()
  const proxy = await DatabaseProxy.start(db.url)
  return {
    url: proxy.url,
    freeze: () => Promise.resolve(proxy.silenceConnections('changes', 'queries')),
    thaw: () => Promise.resolve(proxy.restoreConnections()),
    drop: async () => {
      await proxy.stop()
      await db.drop()
    },
  }
}

/** Freezes the PostgreSQL that the service starts. */
async function embeddedDatabase(): Promise<Store> {
  await copyDataFolder(dataDir)
  const signal = async (name: NodeJS.Signals) => {
    const postmaster = parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'))
    const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8')
    for (const pid of [postmaster, ...children.trim().split(/\s+/).map(Number)]) process.kill(pid, name)
  }
  return {
    url: '',
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    drop: () => Promise.resolve(),
  }
}

let dataDir: string
let receiver: Receiver
let db: Store
let running: ServiceProcess
let token: string | null

/** Starts a service that the tests of a block share, because each start takes seconds. */
function serviceWith(open: () => Promise<Store>, startFirst: () => Promise<void>): void {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'link service frozen stores '))
    receiver = await startReceiver()
    token = null
    db = await open()
    await startFirst()
    const body = { url: `${receiver.origin}/hook`, events: ['link.created', 'click'] }
    expect((await api('POST', '/v1/webhooks', body)).status).toBe(201)
  }, 60_000)
  afterAll(async () => {
    await db.thaw()
    await running.stop()
    await db.drop()
    await receiver.stop()
    await rm(dataDir, { recursive: true, force: true })
  })
}

async function start(env: Record<string, string> = {}): Promise<void> {
  running = await startProcess({
    DATA_DIR: dataDir,
    ...(db.url && { DATABASE_URL: db.url, TOKEN_PEPPER: pepper, ENCRYPTION_KEY: encryptionKey }),
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
    ...env,
  })
  token ??= running.firstToken
}

const api = (method: string, path: string, body?: object): Promise<ServiceResponse> =>
  call(running.origin, method, path, { token, ...(body && { body }) })

async function timed(response: Promise<ServiceResponse>): Promise<ServiceResponse & { tookMs: number }> {
  const startedAt = performance.now()
  return { ...(await response), tookMs: performance.now() - startedAt }
}

/** Creates a visited link, and waits for both deliveries. */
async function prepare(): Promise<{ id: string; slug: string }> {
  const { body: link } = await api('POST', '/v1/links', { url: 'https://target.example/' })
  await visit(link)
  await waitFor('the first deliveries', () => bodiesWith(link.id) === 2)
  return link
}

async function visit({ slug }: { slug: string }): Promise<void> {
  const { status } = await fetch(`${running.origin}/${slug}`, { redirect: 'manual' })
  expect(status).toBe(302)
}

const bodiesWith = (text: string) => receiver.received.filter(({ body }) => body.includes(text)).length
const countReceivedClicks = (linkId: string) =>
  receiver.received.filter(({ body }) => body.includes('"click"') && body.includes(linkId)).length

describe.each<[string, () => Promise<Store>]>([
  ['with a frozen PostgreSQL', () => OwnPostgres.start()],
  ['with PostgreSQL behind a silent proxy', silentDatabase],
  ['with a frozen embedded PostgreSQL', embeddedDatabase],
])('%s', (_name, open) => {
  serviceWith(open, start)

  it('fails calls in time, and loses no click and no delivery', async () => {
    const link = await prepare()
    await db.freeze()
    for (let round = 0; round < 2; round++) {
      const calls = [
        api('POST', '/v1/links', { url: 'https://target.example/new' }),
        api('PATCH', `/v1/links/${link.id}`, { title: `Round ${round}` }),
        api('GET', '/v1/links'),
        api('GET', `/v1/links/${link.id}/analytics`),
        api('GET', '/v1/webhooks'),
      ].map(timed)
      const metrics = await timed(api('GET', '/metrics'))
      expect(metrics).toMatchObject({ status: 200 })
      expect(metrics.tookMs).toBeLessThan(2_000)
      const responses = await Promise.all(calls)
      for (const { status, headers, tookMs } of responses) {
        expect([status, headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
        expect(tookMs).toBeLessThan(maxCallMs)
      }
      await visit(link)
    }
    await db.thaw()
    const created = await waitFor(
      'calls to work again',
      async () => {
        const response = await api('POST', '/v1/links', { url: 'https://target.example/after' })
        return response.status === 201 ? response.body : null
      },
      recoversWithinMs,
    )
    await waitFor('the delivery of the new link', () => bodiesWith(created.id) > 0)
    await waitFor('the deliveries of all clicks', () => countReceivedClicks(link.id) === 3, 60_000)
    await waitFor(
      'all clicks to be counted',
      async () => (await api('GET', `/v1/links/${link.id}`)).body.clicks.total === 3,
    )
  }, 120_000)

  it('shuts down in time, and counts the clicks after the next start', async () => {
    const link = await prepare()
    await db.freeze()
    await visit(link)
    const waiting = timed(api('POST', '/v1/links', { url: 'https://target.example/new' })).catch(() => null)
    const startedAt = performance.now()
    expect(await running.stop()).toBe(0)
    const tookMs = performance.now() - startedAt
    expect(tookMs).toBeLessThan(maxShutdownMs)
    await waiting
    await db.thaw()
    await start()
    await waitFor(
      'all clicks to be counted',
      async () => (await api('GET', `/v1/links/${link.id}`)).body.clicks.total === 2,
    )
  }, 120_000)
})

describeWithRedis('with a frozen Redis', () => {
  let redis: TestRedis
  serviceWith(silentDatabase, async () => {
    redis = await startRedis()
    await start({ REDIS_URL: redis.url })
  })

  it('delays neither calls, deliveries nor the shutdown', async () => {
    await prepare()
    redis.freeze()
    const calls = Array.from({ length: 20 }, () =>
      timed(api('POST', '/v1/links', { url: 'https://target.example/new' })),
    )
    const responses = await Promise.all([...calls, timed(api('GET', '/metrics'))])
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(20).fill(201), 200])
    expect(Math.max(...responses.map(({ tookMs }) => tookMs))).toBeLessThan(2_000)
    await waitFor('the deliveries', () => bodiesWith('"link.created"') === 21, 60_000)
    const startedAt = performance.now()
    expect(await running.stop()).toBe(0)
    expect(performance.now() - startedAt).toBeLessThan(maxShutdownMs)
    redis.thaw()
    await redis.close()
  }, 120_000)
})
