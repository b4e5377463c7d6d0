/** The command `doctor` on healthy and broken installations. */
import { access, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { lowestIdAt, newId } from '../../../src/platform/database/ids.js'
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { copyDataFolder } from '../../support/data-folder.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { describeWithRedis } from '../../support/describe-with.js'
import { spawnService, startProcess } from '../../support/process.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { call, encryptionKey, pepper, startService } from '../../support/service.js'
import { makeDeliveries, makeWebhook } from '../../support/factories/webhooks.js'

let folder: string
let db: TestDatabase
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'link service doctor '))
  await mkdir(join(folder, 'data'))
  db = await createDatabase()
})
afterAll(async () => {
  await db.drop()
  await rm(folder, { recursive: true, force: true })
})

type Environment = Record<string, string>

const withDatabase = (): Environment => ({
  DATABASE_URL: db.url,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
})

async function run(args: string[], given: Environment) {
  const env = { DATA_DIR: join(folder, 'data'), ...given }
  const { gone, output, errors } = spawnService(['doctor', ...args], env, folder)
  const result = { code: await gone, out: output() }
  expect(errors()).toBe('')
  for (const secret of secretsIn(env)) expect(result.out).not.toContain(secret)
  return result
}

function secretsIn({ TOKEN_PEPPER, ENCRYPTION_KEY, DATABASE_URL, REDIS_URL }: Environment): string[] {
  const passwords = [DATABASE_URL, REDIS_URL].map((url) => url && URL.parse(url)?.password)
  return [TOKEN_PEPPER, ENCRYPTION_KEY, ...passwords].filter(
    (secret) => secret !== undefined && secret !== '',
  ) as string[]
}

/** Runs `doctor --json`, and returns the status and message of each check by name. */
async function examine(given: Environment) {
  const { code, out } = await run(['--json'], given)
  const { ok, checks } = JSON.parse(out) as {
    ok: boolean
    checks: Record<'name' | 'status' | 'message', string>[]
  }
  expect(ok).toBe(code === 0)
  expect(code).toBe(checks.some(({ status }) => status === 'fail') ? 1 : 0)
  return {
    code,
    status: Object.fromEntries(checks.map(({ name, status }) => [name, status])),
    message: Object.fromEntries(checks.map(({ name, message }) => [name, message])),
  }
}

/** Returns the ID of a click at the given time. */
const idAt = (time: Date) => lowestIdAt(time).slice(0, 13) + newId().slice(13)

const healthy = {
  node: 'ok',
  settings: 'ok',
  public_url: 'ok',
  data_folder: 'ok',
  disk_space: 'ok',
  journal: 'ok',
  database: 'ok',
  connections: 'ok',
  clock: 'ok',
  migrations: 'ok',
  queue: 'ok',
  workers: 'ok',
  deliveries: 'ok',
  notices: 'ok',
  analytics: 'ok',
  feeds: 'ok',
  slugs: 'ok',
  secrets: 'ok',
  key_rotation: 'ok',
  encryption_key: 'ok',
}

describe('with the embedded database', () => {
  it('passes all checks while the service runs, and warns about missing workers when it has stopped', async () => {
    const env = { DATA_DIR: join(folder, 'embedded') }
    await copyDataFolder(env.DATA_DIR)
    const running = await startProcess(env)
    await call(running.origin, 'POST', '/v1/webhooks', {
      token: running.firstToken,
      body: { url: 'https://receiver.example', events: ['*'] },
    })
    const { code, out } = await run([], env)
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => /^ok {4}(\w+) +\S.*\.$/.exec(line)?.[1])).toEqual(Object.keys(healthy))
    expect(await running.stop()).toBe(0)

    const stopped = await examine(env)
    expect(stopped).toMatchObject({ code: 0, status: { ...healthy, workers: 'warn' } })
    expect(stopped.message['workers']).toMatch(/No worker is running.*ROLE=all/)
  })

  it('creates neither a folder nor a database', async () => {
    const missing = join(folder, 'nowhere')
    const [absent, empty] = await Promise.all([examine({ DATA_DIR: missing }), examine({})])
    expect(absent.status).toEqual({ node: 'ok', settings: 'ok', public_url: 'ok', data_folder: 'warn' })
    expect(absent.message['data_folder']).toMatch(/no data folder .*nowhere\..*DATA_DIR/)
    await expect(access(missing)).rejects.toThrow()

    expect(empty.status).toMatchObject({ data_folder: 'ok', database: 'warn' })
    expect(empty.status).not.toHaveProperty('migrations')
    expect(empty.message['database']).toMatch(/no database in .*DATA_DIR/)
  })
})

describe('with an external database', () => {
  it('reports only that the database cannot be reached', async () => {
    const env = { ...withDatabase(), DATABASE_URL: 'postgres://u:secret-word@127.0.0.1:1/x' }
    const { code, out } = await run([], env)
    expect(code).toBe(1)
    expect(out.trimEnd().split('\n').at(-1)).toMatch(
      /^fail {2}database +.*DATABASE_URL cannot be reached: .*Check/,
    )
  })

  it('reports counts that do not match the clicks, and warns when the roller is behind', async () => {
    const service = await startService({ db })
    const world = new ClickWorld(service, new Random(7))
    await world.makeLinks(1)
    const yesterday = new Date(Date.now() - dayMs)
    await world.recordClicks([{ ...world.createClick(), id: idAt(yesterday), occurredAt: yesterday }])
    await world.rollAll()
    await service.stop()
    expect((await examine(withDatabase())).status['analytics']).toBe('ok')
    const [link] = world.links
    for (const [table, column, one, subject] of [
      ['click_days', 'clicks', '1', link!.id],
      ['link_counters', 'total', '1', link!.id],
      ['clicks', 'occurred_at', "interval '2 days'", 'wsp_'],
    ] as const) {
      await db.query(`UPDATE ${table} SET ${column} = ${column} - ${one}`)
      const { code, status, message } = await examine(withDatabase())
      expect([code, status['analytics']]).toEqual([1, 'fail'])
      expect(message['analytics']).toContain(subject)
      await db.query(`UPDATE ${table} SET ${column} = ${column} + ${one}`)
    }
    await db.query('UPDATE analytics_places SET tx = 0')
    await db.query('TRUNCATE click_days')
    const waiting = await examine(withDatabase())
    expect(waiting).toMatchObject({ code: 0, status: { analytics: 'warn' } })
    expect(waiting.message['analytics']).toMatch(/is 2[345] hours old/)
    await db.query('TRUNCATE analytics_places, click_counts, click_totals, click_days, link_counters, clicks')
  })

  it('fails for pending migrations, and warns when the next start applies them', async () => {
    const [newest] = await db.query<{ id: number; timestamp: string; name: string }>(
      'DELETE FROM migrations WHERE id = (SELECT max(id) FROM migrations) RETURNING *',
    )
    const pending = await examine(withDatabase())
    expect(pending).toMatchObject({ code: 1, status: { migrations: 'fail' } })
    expect(pending.message['migrations']).toContain('npm run migrate')
    expect(Object.keys(pending.status).at(-1)).toBe('migrations')
    const { id, timestamp, name } = newest!
    await db.query('INSERT INTO migrations VALUES ($1, $2, $3)', [id, timestamp, name])

    await db.query('ALTER TABLE migrations RENAME TO migrations_for_now')
    const empty = await examine({ ...withDatabase(), MIGRATE: 'true' })
    expect(empty).toMatchObject({ code: 0, status: { migrations: 'warn' } })
    await db.query('ALTER TABLE migrations_for_now RENAME TO migrations')
  })

  it('reports missing workers, overdue deliveries and a wrong encryption key', async () => {
    const service = await startService({ db })
    await makeDeliveries(service, await makeWebhook(service), 1)
    await service.stop()
    await db.query(`UPDATE deliveries SET next_attempt_at = now() - interval '7 min'`)
    const env = { ...withDatabase(), ENCRYPTION_KEY: 'not the key that the service was run with' }
    const { code, status, message } = await examine(env)
    expect(code).toBe(1)
    expect(status).toEqual({ ...healthy, workers: 'warn', deliveries: 'warn', encryption_key: 'fail' })
    expect(message['deliveries']).toMatch(/^A delivery to wh_\w{26} is 7 minutes overdue\./)
    expect(message['encryption_key']).toMatch(
      /^ENCRYPTION_KEY is not the key that encrypted the secrets: .* of 1 of 1 webhooks /,
    )
  })

  it('warns when every worker is drained', async () => {
    await db.query(
      `INSERT INTO workers (id, alive_until, leaving) VALUES ($1, now() + interval '1 min', true)`,
      [newId()],
    )
    const { status, message } = await examine(withDatabase())
    expect(status['workers']).toBe('warn')
    expect(message['workers']).toMatch(/every worker is drained: 1\. Restart/)
    await db.query('DELETE FROM workers')
  })
})

it('names all invalid settings, and runs no further checks', async () => {
  const [wrong, alone] = await Promise.all([
    examine({ PORT: '99999', DATABASE_URL: 'mysql://u:secret-word@x/y' }),
    examine({ ROLE: 'worker' }),
  ])
  for (const { status } of [wrong, alone]) expect(status).toEqual({ node: 'ok', settings: 'fail' })
  for (const name of ['PORT', 'DATABASE_URL', 'TOKEN_PEPPER', 'ENCRYPTION_KEY'])
    expect(wrong.message['settings']).toContain(name)
  expect(alone.message['settings']).toMatch(/^ROLE=worker requires DATABASE_URL/)
})

it('checks everything that the settings name, and continues after a failure', async () => {
  const { code, status, message } = await examine({
    ...withDatabase(),
    PUBLIC_URL: 'http://links.example',
    GEOIP_DB: join(folder, 'no.mmdb'),
    WEBHOOK_CA_FILE: join(folder, 'no.pem'),
    PAGES_DIR: join(folder, 'no-pages'),
    REDIS_URL: 'redis://:secret-word@127.0.0.1:1',
  })
  expect(code).toBe(1)
  expect(status).toMatchObject({
    public_url: 'warn',
    geoip_db: 'fail',
    webhook_ca_file: 'fail',
    appearance: 'fail',
    database: 'ok',
    queue: 'fail',
    encryption_key: expect.any(String),
  })
  expect(message['queue']).toMatch(/REDIS_URL cannot be reached: connect ECONNREFUSED/)
  // Idle workers are visible only in the queue.
  expect(status).not.toHaveProperty('workers')
})

describeWithRedis('with Redis', () => {
  let redis: TestRedis
  beforeAll(async () => (redis = await startRedis()))
  afterAll(() => redis.close())

  it('finds idle workers in Redis, and warns when Redis may evict jobs', async () => {
    const env = { ...withDatabase(), REDIS_URL: redis.url, ROLE: 'worker' }
    const worker = await startProcess(env)
    expect((await examine(env)).status).toMatchObject({ queue: 'ok', workers: 'ok' })
    expect(await worker.stop()).toBe(0)

    await redis.command('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-lru')
    const { status, message } = await examine(env)
    expect(status).toMatchObject({ queue: 'warn', workers: 'warn' })
    expect(message['queue']).toContain('allkeys-lru')
  })
})
