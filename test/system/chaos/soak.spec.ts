/**
 * A cluster under steady load, without faults, loses nothing, logs no problem, and needs no more memory over time.
 * `npm run test:soak` runs longer: see CONTRIBUTING.md.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

import { Cluster } from '../../support/cluster.js'
import type { Replica } from '../../support/cluster.js'
import { describeWithHaproxy, describeWithRedis } from '../../support/describe-with.js'
import { call } from '../../support/service.js'
import { reconcile, waitUntilSettled } from '../../support/traffic/reconciliation.js'
import { Traffic } from '../../support/traffic/traffic.js'
import { WebhookLog } from '../../support/traffic/webhook-log.js'

/** Memory is compared only in the long form, and on Linux. In the first minutes, caches and the heap still grow. */
const isLong = process.env['SOAK_SECONDS'] !== undefined
const readsMemory = isLong && process.platform === 'linux'
const seconds = Number(process.env['SOAK_SECONDS'] ?? 15)
const sampleEveryMs = 10_000
/** The median of the last third may exceed that of the second third by this factor. */
const allowedGrowth = 1.1
/** Each click, each new link and each change is delivered once: about 525 deliveries per second. */
const visitsPerSecond = 500
const createsPerSecond = 20
const timeoutMs = 120_000

const path = '/all'
const hooks = { [path]: { fields: { events: ['link.created', 'link.updated', 'click'] } } }

const say = (line: string) => process.stderr.write(`${line}\n`)

describeWithHaproxy('a cluster', () =>
  describeWithRedis('under steady load', () => {
    let log: WebhookLog
    let cluster: Cluster
    const lines: string[] = []
    const stops: (() => Promise<void>)[] = []
    beforeAll(async () => {
      log = await WebhookLog.start(hooks)
      stops.push(() => log.stop())
      cluster = await Cluster.start({
        getSettings: () => ({ LOG_LEVEL: 'warn' }),
        onLogLine: (name, line) => lines.push(`${name}: ${line}`),
      })
      stops.push(() => cluster.stop())
    }, 120_000)
    afterAll(async () => {
      for (const stop of stops.reverse()) await stop()
    }, 60_000)

    it(
      'delivers everything, logs nothing and needs no more memory',
      async () => {
        const { origin } = cluster.haproxy
        const { token } = cluster
        const { status, body } = await call(origin, 'POST', '/v1/webhooks', {
          token,
          body: { url: log.getUrl(path), ...hooks[path].fields },
        })
        expect(status).toBe(201)
        log.verifyWith(path, body.secret as string)
        const traffic = new Traffic({
          origin,
          token,
          createsPerSecond,
          visitsPerSecond,
          retriesChanges: false,
        })
        try {
          traffic.start()
          const memory = await sampleMemory(cluster.replicas)
          await traffic.stop()
          const query = <T>(sql: string, values?: unknown[]) => cluster.postgres.query<T>(sql, values)
          const subject = { traffic, log, origin, token, query }
          await waitUntilSettled(subject, timeoutMs)
          // The comparison of the long form blocks this process for seconds, and with it the proxies of PostgreSQL and
          // Redis, which makes replicas log warnings.
          const logged = [...lines]
          const { counts, differences } = await reconcile(subject, timeoutMs)
          say(JSON.stringify({ counts, memory }))
          expect(differences).toEqual([])
          expect(traffic.failures).toEqual([])
          if (isLong) expect(counts['clicks']).toBeGreaterThan(seconds * visitsPerSecond * 0.9)
          expect(logged).toEqual([])
          const grown = Object.entries(memory).filter(
            ([, { before, after }]) => after > before * allowedGrowth,
          )
          expect(grown).toEqual([])
        } finally {
          for (const line of lines) say(line)
          traffic.close()
        }
      },
      (seconds + 1_200) * 1_000,
    )
  }),
)

interface Memory {
  /** The median of the second and of the last third, in MB. */
  before: number
  after: number
}

/** Samples the memory of each process for the duration of the test. Returns {} if memory is not compared. */
async function sampleMemory(replicas: readonly Replica[]): Promise<Record<string, Memory>> {
  if (!readsMemory) {
    await pause(seconds * 1_000)
    return {}
  }
  const samples = new Map<string, number[]>(replicas.map(({ name }) => [name, []]))
  const endsAt = Date.now() + seconds * 1_000
  while (Date.now() < endsAt) {
    for (const { name, process } of replicas) samples.get(name)!.push(residentMegabytes(process.pid))
    await pause(sampleEveryMs)
  }
  return Object.fromEntries(
    [...samples].map(([name, values]) => {
      const third = Math.floor(values.length / 3)
      return [name, { before: median(values.slice(third, 2 * third)), after: median(values.slice(-third)) }]
    }),
  )
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Math.round(Number(kilobytes) / 1024)
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
