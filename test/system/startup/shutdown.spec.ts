/** A process shuts down cleanly after one signal, and immediately after a second one. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { freePort } from '../../support/free-port.js'
import { LiveFollower } from '../../support/live-follower.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startReceiver } from '../../support/receiver.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let db: TestDatabase
let started: ServiceProcess[] = []
let token: string | null = null
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-shutdown-'))
  db = await createDatabase()
})
afterEach(() => {
  for (const each of started) each.kill()
  started = []
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

async function start(env: Record<string, string>): Promise<ServiceProcess> {
  const service = await startProcess({
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    DATA_DIR: join(folder, 'data'),
    ...env,
  })
  started.push(service)
  token ??= service.firstToken
  return service
}

it('keeps serving during SHUTDOWN_DELAY, while it is not ready and closes connections', async () => {
  const service = await start({ ROLE: 'api', SHUTDOWN_DELAY: '3s' })
  const before = await fetch(`${service.origin}/readyz`)
  expect([before.status, before.headers.get('connection')]).toEqual([200, 'keep-alive'])

  const ended = service.stop()
  const probe = () => call(service.origin, 'GET', '/readyz', {})
  await waitFor('the signal to arrive', async () => (await probe()).status === 503)
  const { body } = await probe()
  expect(body).toMatchObject({ code: 'not_ready', detail: 'The process is shutting down.' })
  const served = await fetch(`${service.origin}/no-such-slug`)
  expect([served.status, served.headers.get('connection')]).toEqual([404, 'close'])
  expect(await ended).toBe(0)
})

it('exits immediately after a second signal', async () => {
  const service = await start({ ROLE: 'api', SHUTDOWN_DELAY: '1m' })
  void service.stop()
  await waitFor(
    'the signal to arrive',
    async () => (await call(service.origin, 'GET', '/readyz', {})).status === 503,
  )
  // Within half a second, a second signal may be the first one repeated by npm.
  await pause(1_000)
  const startedAt = performance.now()
  expect(await service.signal('SIGTERM')).toBe(1)
  expect(performance.now() - startedAt).toBeLessThan(5_000)
})

/** Starts a service with a webhook request in flight, which ends when `respond` is called. */
async function whileSending(
  work: (service: ServiceProcess, respond: () => void) => Promise<void>,
): Promise<void> {
  const waiting: (() => void)[] = []
  const receiver = await startReceiver((_request, response) => waiting.push(() => response.end('ok')))
  try {
    const sending = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
    const service = await start({ ...sending, DATA_DIR: join(folder, 'sending') })
    const post = (path: string, body: object) => call(service.origin, 'POST', path, { token, body })
    await post('/v1/webhooks', { url: receiver.origin, events: ['link.created'] })
    await post('/v1/links', { url: 'https://target.example/' })
    await waitFor('the request', () => waiting.length === 1)
    await work(service, waiting[0]!)
  } finally {
    await receiver.stop()
  }
}

it('lets a worker finish a request that takes longer than 4 s', async () => {
  await whileSending(async (service, respond) => {
    const ended = service.stop()
    await pause(5_500)
    respond()
    expect(await ended).toBe(0)
    const deliveries = await db.query('SELECT status, attempt_count FROM deliveries')
    expect(deliveries).toEqual([{ status: 'succeeded', attempt_count: 1 }])
  })
})

it('ends live streams immediately, even while a webhook request is in flight', async () => {
  await whileSending(async (service, respond) => {
    const follow = () =>
      LiveFollower.start(`${service.origin}/api/v1/clicks/live`, { authorization: `Bearer ${token}` })
    const follower = await follow()
    const ended = service.stop()
    await waitFor('the end of the stream', () => follower.isEnded, 2_000)
    expect((await follow()).status).toBe(503)
    respond()
    expect(await ended).toBe(0)
  })
})

it('serves health and metrics on METRICS_PORT only', async () => {
  const metricsPort = await freePort()
  const service = await start({ ROLE: 'api', METRICS_PORT: String(metricsPort) })
  const metricsOrigin = `http://127.0.0.1:${metricsPort}`
  for (const path of ['/healthz', '/readyz', '/readyz?for=api', '/metrics']) {
    expect((await call(metricsOrigin, 'GET', path, {})).status).toBe(200)
    const hidden = await call(service.origin, 'GET', path, { undocumented: true })
    expect([hidden.status, hidden.body.code, hidden.headers.get('x-request-id')]).toEqual([
      404,
      'not_found',
      expect.any(String),
    ])
  }
  for (const path of ['/docs', '/api/v1/links', '/some-slug'])
    expect((await call(metricsOrigin, 'GET', path, { undocumented: true })).status).toBe(404)
  expect(await service.stop()).toBe(0)
})
