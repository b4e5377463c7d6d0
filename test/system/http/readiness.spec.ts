/** Readiness and redirects while PostgreSQL or Redis is frozen or down. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describeWithHaproxy, describeWithRedis } from '../../support/describe-with.js'
import { firefox } from '../../support/factories/links.js'
import { freePort } from '../../support/free-port.js'
import { startHaproxy } from '../../support/haproxy.js'
import type { TestHaproxy } from '../../support/haproxy.js'
import { OwnPostgres } from '../../support/own-postgres.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { SteadyLoad } from '../../support/steady-load.js'
import { waitFor } from '../../support/wait-for.js'

const outageMs = 3_000
/** A probe takes some milliseconds, while waiting for a frozen store would take seconds. */
const maxProbeMs = 300

let folder: string
let db: OwnPostgres
let redis: TestRedis
let api: ServiceProcess
let worker: ServiceProcess
let haproxy: TestHaproxy
let slug: string

const settings = (role: string, port = 0) => ({
  ROLE: role,
  PORT: String(port),
  DATABASE_URL: db.url,
  REDIS_URL: redis.url,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  DATA_DIR: join(folder, role),
})

const probe = (each: ServiceProcess, query = '') => call(each.origin, 'GET', `/readyz${query}`, {})
const isReady = async (each: ServiceProcess, query = '') => (await probe(each, query)).status === 200

/** Returns the median, because a loaded machine may delay any single response. */
async function medianProbeMs(each: ServiceProcess, query = ''): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 9; i++) {
    const startedAt = performance.now()
    await fetch(`${each.origin}/readyz${query}`)
    times.push(performance.now() - startedAt)
  }
  return times.sort((a, b) => a - b)[4]!
}

/** Visits a cached link through the load balancer during an outage, and returns the failures. */
async function failuresDuring(outage: () => Promise<void>): Promise<string[]> {
  const visit = { url: `${haproxy.origin}/${slug}`, headers: { 'user-agent': firefox }, status: 302 }
  const load = new SteadyLoad(50, [visit])
  try {
    await waitFor('visits', () => load.succeeded > 20)
    await outage()
  } finally {
    await load.stop()
  }
  return load.failures
}

describeWithRedis('with Redis', () => {
  describeWithHaproxy('behind haproxy', () => {
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'link-service-readiness-'))
      db = await OwnPostgres.start()
      redis = await startRedis()
      const port = await freePort()
      ;[api, worker] = await Promise.all([
        startProcess(settings('api', port)),
        startProcess(settings('worker')),
      ])
      haproxy = await startHaproxy([port], 250)
      const { body } = await call(api.origin, 'POST', '/v1/links', {
        token: api.firstToken,
        body: { url: 'https://target.example/' },
      })
      slug = body.slug
    })
    afterAll(async () => {
      for (const each of [api, worker]) each.kill()
      await haproxy.stop()
      await redis.close()
      await db.drop()
      await rm(folder, { recursive: true, force: true })
    })

    const freezeDatabase = [() => db.freeze(), () => db.thaw()] as const
    const cutDatabaseOff = [
      () => Promise.resolve(db.proxy.cut()),
      () => Promise.resolve(db.proxy.restore()),
    ] as const
    it.each([
      ['frozen', ...freezeDatabase],
      ['down', ...cutDatabaseOff],
    ])('keeps redirecting from memory while PostgreSQL is %s', async (_, start, end) => {
      await waitFor('API calls', () => isReady(api, '?for=api'))
      const failures = await failuresDuring(async () => {
        await start()
        try {
          for (const [each, query] of [
            [api, '?for=api'],
            [worker, ''],
          ] as const) {
            await waitFor('the outage to be noticed', async () => {
              const { status, body } = await probe(each, query)
              return status === 503 && body.parts.database === 'failing'
            })
            const { status, body, headers } = await probe(each, query)
            expect([status, headers.get('content-type')]).toEqual([
              503,
              'application/problem+json; charset=utf-8',
            ])
            expect(body).toMatchObject({ code: 'not_ready', parts: { database: 'failing' } })
            expect(await medianProbeMs(each, query)).toBeLessThan(maxProbeMs)
          }
          const startedAt = performance.now()
          while (performance.now() - startedAt < outageMs) {
            expect(await isReady(api)).toBe(true)
            expect(await medianProbeMs(api)).toBeLessThan(maxProbeMs)
          }
        } finally {
          await end()
        }
      })
      expect(failures).toEqual([])
      await waitFor('API calls', () => isReady(api, '?for=api'))
      await waitFor('the worker', () => isReady(worker))
    })

    it('stays ready while Redis is frozen', async () => {
      const failures = await failuresDuring(async () => {
        redis.freeze()
        try {
          for (const each of [api, worker]) {
            await waitFor(
              'the outage to be noticed',
              async () => (await probe(each)).body.parts.queue === 'failing',
            )
            await waitFor('API calls', () => isReady(each, '?for=api'))
            expect(await medianProbeMs(each)).toBeLessThan(maxProbeMs)
          }
        } finally {
          redis.thaw()
        }
      })
      expect(failures).toEqual([])
      await waitFor('Redis', async () => (await probe(api)).body.parts.queue === 'ok')
    })
  })
})
