/**
 * Two APIs behind haproxy and two workers are upgraded from 0.1.0 to this version under load, one process at a time,
 * and two of them are rolled back.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { describeWithHaproxy, describeWithRedis } from '../../support/describe-with.js'
import { freePort } from '../../support/free-port.js'
import { startHaproxy } from '../../support/haproxy.js'
import type { TestHaproxy } from '../../support/haproxy.js'
import { builtProgram, spawnService, startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { startRedis } from '../../support/redis.js'
import type { TestRedis } from '../../support/redis.js'
import { buildRelease, findReleaseCommit } from '../../support/released-version.js'
import { countRounds } from '../../support/rounds.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { reconcile } from '../../support/traffic/reconciliation.js'
import { Traffic } from '../../support/traffic/traffic.js'
import { WebhookLog } from '../../support/traffic/webhook-log.js'

const version = '0.1.0'
const commit = findReleaseCommit(version)
if (!commit)
  process.stderr.write(
    `This checkout does not contain ${version}: the upgrade is tested as a restart of this version.\n`,
  )
const title = commit ? `an upgrade from ${version}` : 'a rolling restart'

// The full rate needs an otherwise idle machine.
const visitsPerSecond = countRounds(400, 100)
const createsPerSecond = 10
const checkEveryMs = 250
const events = ['link.created', 'link.updated', 'click']
const hooks = {
  '/plain': { fields: { events } },
  '/retried': { fields: { events }, rejection: { status: 500, every: 50 } },
}

type Role = 'api' | 'worker'
interface Replica {
  role: Role
  port: number
  process: ServiceProcess
}

let folder: string
let db: TestDatabase
let redis: TestRedis
let haproxy: TestHaproxy
let log: WebhookLog
let oldProgram: string
let token: string
let traffic: Traffic
const apis: Replica[] = []
const workers: Replica[] = []
const stopped: ServiceProcess[] = []
const stops: (() => unknown)[] = []

const environment = (role: Role, port: number) => ({
  ROLE: role,
  PORT: String(port),
  DATABASE_URL: db.url,
  REDIS_URL: redis.url,
  TOKEN_PEPPER: pepper,
  ENCRYPTION_KEY: encryptionKey,
  DATA_DIR: join(folder, String(port)),
  RATE_LIMIT: 'off',
  WEBHOOK_ALLOW_HTTP: 'true',
  WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  WEBHOOK_RETRY_SCHEDULE: '1s,1s,1s,2s,2s,5s,5s,5s',
  // Longer than three failed checks, after which haproxy sends no more requests.
  SHUTDOWN_DELAY: '3s',
})

async function migrate(program: string): Promise<void> {
  const { gone, errors } = spawnService(['migrate'], environment('api', 0), undefined, undefined, program)
  // Under load, a migration may have to wait for locks, and says so.
  expect([await gone, errors().replace(/^Waiting for a table .*\n/gm, '')]).toEqual([0, ''])
}

async function startReplica(role: Role, program: string): Promise<Replica> {
  const port = await freePort()
  return { role, port, process: await startProcess(environment(role, port), program) }
}

/** Replaces a process like an operator: stop, wait for the end, start on the same port and folder. */
async function replaceReplica(replica: Replica, program: string): Promise<void> {
  expect(await replica.process.stop()).toBe(0)
  stopped.push(replica.process)
  replica.process = await startProcess(environment(replica.role, replica.port), program)
  if (replica.role === 'api') await haproxy.allUp()
}

/** The lines of the log at level `error` and above. */
const findLogErrors = (process: ServiceProcess) =>
  process
    .errors()
    .split('\n')
    .filter((line) => /"level":[56]0/.test(line))

describeWithHaproxy('behind haproxy', () =>
  describeWithRedis(title, () => {
    beforeAll(async () => {
      oldProgram = commit ? buildRelease(commit) : builtProgram
      folder = await mkdtemp(join(tmpdir(), 'link-service-upgrade-'))
      stops.push(() => rm(folder, { recursive: true, force: true }))
      db = await createDatabase()
      stops.push(() => db.drop())
      redis = await startRedis()
      stops.push(() => redis.close())
      await db.query('DROP SCHEMA public CASCADE; DROP SCHEMA bullmq CASCADE; CREATE SCHEMA public')
      await migrate(oldProgram)
      for (let i = 0; i < 2; i++) apis.push(await startReplica('api', oldProgram))
      for (let i = 0; i < 2; i++) workers.push(await startReplica('worker', oldProgram))
      haproxy = await startHaproxy(
        apis.map(({ port }) => port),
        checkEveryMs,
      )
      stops.push(() => haproxy.stop())
      token = apis.find(({ process }) => process.firstToken !== null)!.process.firstToken!
      log = await WebhookLog.start(hooks)
      stops.push(() => log.stop())
      for (const path of log.paths) {
        const { status, body } = await call(haproxy.origin, 'POST', '/v1/webhooks', {
          token,
          undocumented: true,
          body: { url: log.getUrl(path), ...log.hooks[path]!.fields },
        })
        expect(status).toBe(201)
        log.verifyWith(path, body.secret as string)
      }
      traffic = new Traffic({
        origin: haproxy.origin,
        token,
        createsPerSecond,
        visitsPerSecond,
        retriesChanges: false,
      })
      stops.push(() => traffic.close())
    }, 180_000)
    afterAll(async () => {
      for (const { process } of [...apis, ...workers]) process.kill()
      // Stops the parts in reverse order, and also after a failed start.
      for (const stop of stops.reverse()) await stop()
    })

    const compare = async () => {
      await traffic.stop()
      const query = <T>(sql: string, values?: unknown[]) => db.query<T>(sql, values)
      return reconcile({ traffic, log, origin: haproxy.origin, token, query })
    }
    const someTraffic = () => traffic.awaitMore(visitsPerSecond, createsPerSecond)

    it('fails no request, and loses no click, event or delivery', async () => {
      traffic.start()
      await someTraffic()
      await migrate(builtProgram)
      await someTraffic()
      for (const replica of [...workers, ...apis]) {
        await replaceReplica(replica, builtProgram)
        await someTraffic()
      }
      const { differences, counts } = await compare()
      expect([traffic.failures, differences]).toEqual([[], []])
      expect(counts).toMatchObject({ 'failed requests': 0, clicks: traffic.redirects })
    }, 300_000)

    it('can be rolled back one process at a time, beside new processes', async () => {
      traffic.start()
      for (const replica of [workers[0]!, apis[0]!]) {
        await replaceReplica(replica, oldProgram)
        await someTraffic()
      }
      const { differences } = await compare()
      expect([traffic.failures, differences]).toEqual([[], []])
    }, 300_000)

    it('logs no error', () => {
      const all = [...stopped, ...[...apis, ...workers].map(({ process }) => process)]
      expect(all.flatMap(findLogErrors)).toEqual([])
    })
  }),
)
