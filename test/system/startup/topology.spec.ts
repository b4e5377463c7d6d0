/** Separate processes as in production: PostgreSQL, Redis, one API and two workers. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { newId } from '../../../src/platform/database/ids.js'
import { startAdder } from '../queue/participants.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { describeWithRedis } from '../../support/describe-with.js'
import { spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let folder: string
let db: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link-service-topology-'))
  db = await createDatabase()
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

const environment = (role: string, redisUrl?: string) => ({
  ROLE: role,
  DATABASE_URL: db.url,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  DATA_DIR: join(folder, role),
  ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
})

/** Returns the lanes that a worker has run, from its log. */
const getWorkerLanes = (worker: ServiceProcess) =>
  [...worker.errors().matchAll(/The job lane webhookId=(\S+) is done/g)].map(([, id]) => id)

/** Waits for the state of the components, which /readyz may report with a delay of half a second. */
const waitForParts = ({ origin }: ServiceProcess, expected: Record<string, string>) =>
  waitFor(JSON.stringify(expected), async () => {
    const { body } = await call(origin, 'GET', '/readyz', {})
    return JSON.stringify(body.parts) === JSON.stringify(expected)
  })

async function expectCleanStop(...processes: ServiceProcess[]): Promise<void> {
  const startedAt = Date.now()
  expect(await Promise.all(processes.map((each) => each.stop()))).toEqual(processes.map(() => 0))
  expect(Date.now() - startedAt).toBeLessThan(10_000)
}

describeWithRedis('one API and two workers, with the jobs in Redis', () => {
  let redis: TestRedis
  let api: ServiceProcess
  let workers: ServiceProcess[]
  beforeAll(async () => {
    redis = await startRedis()
    api = await startProcess(environment('api', redis.url))
    workers = await Promise.all(
      [1, 2].map(() => startProcess({ ...environment('worker', redis.url), LOG_LEVEL: 'debug' })),
    )
  })
  afterAll(async () => {
    for (const each of [api, ...workers]) each.kill()
    await redis.close()
  })

  it('the first token of the API works', async () => {
    const { status } = await call(api.origin, 'GET', '/v1/auth/token/self', { token: api.firstToken })
    expect(status).toBe(200)
  })

  it('a worker prints one line when it is ready, and creates no token', () => {
    for (const worker of workers)
      expect(worker.output()).toMatch(
        /^Link Service worker is ready: jobs from Redis, health at http:\/\/localhost:\d+\/healthz\n$/,
      )
  })

  it('a worker serves only health and metrics', async () => {
    const [worker] = workers
    const get = (path: string, method = 'GET') => call(worker!.origin, method, path, {})
    expect((await get('/healthz')).body).toEqual({ status: 'ok' })
    await waitForParts(worker!, { database: 'ok', migrations: 'ok', change_feed: 'ok', queue: 'ok' })
    const metrics = await get('/metrics')
    expect(metrics.text).toContain('link_service_queue_dropped_hints_total 0')
    expect(metrics.text).toContain('link_service_worker_lanes 0')
    expect(metrics.text).not.toMatch(/link_service_(?:journal|redirect)/)

    for (const path of [
      '/api/v1/auth/token/self',
      '/docs',
      '/openapi.json',
      '/some-slug',
      '/errors/not_found',
      '/',
    ])
      expect(await get(path)).toMatchObject({ status: 404, body: { code: 'not_found', status: 404 } })
    expect(await get('/healthz', 'POST')).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } })
  })

  it('hints reach both workers', async () => {
    const adder = await startAdder({ databaseUrl: db.url, redisUrl: redis.url })
    const ids = Array.from({ length: 100 }, () => newId())
    adder.jobs.addHints(
      'lane',
      ids.map((webhookId) => ({ webhookId })),
    )
    await waitFor('all lanes to run', () => workers.flatMap(getWorkerLanes).length >= ids.length)
    await adder.close()
    expect(workers.flatMap(getWorkerLanes).sort()).toEqual(ids.sort())
    for (const worker of workers) expect(getWorkerLanes(worker).length).toBeGreaterThan(0)
  })

  it('all processes stay ready without Redis, and report that the queue fails', async () => {
    await redis.kill()
    for (const each of [api, ...workers]) {
      await waitForParts(each, { database: 'ok', migrations: 'ok', change_feed: 'ok', queue: 'failing' })
      expect((await call(each.origin, 'GET', '/readyz', {})).status).toBe(200)
    }
    await redis.start()
    for (const each of [api, ...workers])
      await waitForParts(each, { database: 'ok', migrations: 'ok', change_feed: 'ok', queue: 'ok' })
  })

  it('all processes stop cleanly and in time', () => expectCleanStop(api, ...workers))
})

describe('workers with the jobs in the database', () => {
  it('start and stop cleanly', async () => {
    const worker = await startProcess(environment('worker'))
    expect(worker.output()).toContain('worker is ready: jobs from the database')
    await waitForParts(worker, { database: 'ok', migrations: 'ok', change_feed: 'ok', queue: 'ok' })
    await expectCleanStop(worker)
    expect(worker.errors()).toBe('')
  })

  it('need DATABASE_URL', async () => {
    const { gone, errors } = spawnService(['worker'], { DATA_DIR: join(folder, 'embedded') })
    expect(await gone).toBe(1)
    expect(errors()).toMatch(/^ROLE=worker requires DATABASE_URL: [^\n]+\n$/)
  })

  it('refuse to start until migrate has applied the pending migrations of the queue', async () => {
    await db.query('DROP SCHEMA bullmq CASCADE')
    const refused = spawnService(['worker'], environment('worker'))
    expect(await refused.gone).toBe(1)
    expect(refused.errors()).toMatch(
      /^The queue in the database has pending migrations\. [^\n]*npm run migrate[^\n]*\n$/,
    )

    const migrations = [1, 2, 3].map(() => spawnService(['migrate'], environment('worker')))
    expect(await Promise.all(migrations.map(({ gone }) => gone))).toEqual([0, 0, 0])
    expect(migrations.map(({ output }) => output()).sort()).toEqual([
      'Applied: queue migrations\n',
      'Nothing to apply.\n',
      'Nothing to apply.\n',
    ])
    const worker = await startProcess(environment('worker'))
    await expectCleanStop(worker)
  })
})
