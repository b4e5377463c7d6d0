/**
 * A cluster under load loses nothing while each of its parts fails in turn. `npm run test:chaos` runs longer: see
 * CONTRIBUTING.md.
 */
import { setTimeout as pause } from 'node:timers/promises'

import type { Cluster } from '../../support/cluster.js'
import { describeWithHaproxy, describeWithRedis } from '../../support/describe-with.js'
import { seeded } from '../../support/random.js'
import { reconcile } from '../../support/traffic/reconciliation.js'
import { Traffic } from '../../support/traffic/traffic.js'
import { WebhookLog } from '../../support/traffic/webhook-log.js'
import { startChaosCluster } from './chaos-cluster.js'
import { faults } from './faults.js'
import type { Fault } from './faults.js'

const seed = Number(process.env['CHAOS_SEED'] ?? 1)
/** Without a duration, each fault happens once. */
const seconds = Number(process.env['CHAOS_SECONDS'] ?? 0)
const isLong = seconds > 0
const shortFaultMs = 600
/** The longest fault of the long form. */
const longFaultMs = 6_000
const createsPerSecond = 10
const visitsPerSecond = isLong ? 60 : 30
const timeoutMs = 120_000

const events = ['link.created', 'link.updated', 'click']
const batch = { max: 30, within: '1s' }
const hooks = {
  '/plain': { fields: { events } },
  '/retried': { fields: { events }, rejection: { status: 500, every: 100 } },
  '/ordered': { fields: { events, ordered: true }, rejection: { status: 500, every: 300 } },
  '/batches': { fields: { events, batch }, rejection: { status: 413, every: 10 } },
  '/ordered-batches': { fields: { events, batch, ordered: true }, rejection: { status: 500, every: 10 } },
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const keyed = items.map((item) => ({ item, key: random() }))
  return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
}

const say = (line: string) => process.stderr.write(`${line}\n`)

describeWithHaproxy('a cluster', () =>
  describeWithRedis('with all its parts', () => {
    const random = seeded(seed)
    let log: WebhookLog
    let cluster: Cluster
    const stops: (() => Promise<void>)[] = []
    beforeAll(async () => {
      log = await WebhookLog.start(hooks, { hasWrongClocks: true })
      stops.push(() => log.stop())
      cluster = await startChaosCluster(log)
      stops.push(() => cluster.stop())
    }, 120_000)
    afterAll(async () => {
      // Also stops the started parts after a failed start.
      for (const stop of stops.reverse()) await stop()
    }, 60_000)

    it(
      'loses nothing while each part is killed, frozen, restarted, disconnected and slowed',
      async () => {
        say(`Chaos with CHAOS_SEED=${seed}${isLong ? ` CHAOS_SECONDS=${seconds}` : ''}`)
        const { origin } = cluster.haproxy
        const traffic = new Traffic({
          origin,
          token: cluster.token,
          createsPerSecond,
          visitsPerSecond,
          retriesChanges: true,
        })
        const inject = async ([name, fault]: readonly [string, Fault]) => {
          const lastsMs = isLong ? shortFaultMs + random() * (longFaultMs - shortFaultMs) : shortFaultMs
          if (isLong) say(`${new Date().toISOString()} ${name} (${Math.round(lastsMs)} ms)`)
          await fault(cluster, lastsMs)
          // Parts must work again before the next fault.
          await traffic.awaitMore(5, 2, timeoutMs)
          if (isLong) await pause(1_000)
        }
        try {
          const endsAt = Date.now() + seconds * 1_000
          traffic.start()
          await traffic.awaitMore(20, 5)
          do for (const fault of shuffle(faults, random)) await inject(fault)
          while (Date.now() < endsAt)
          await cluster.haproxy.allUp()
          await traffic.stop()
          const query = <T>(sql: string, values?: unknown[]) => cluster.postgres.query<T>(sql, values)
          const { counts, differences } = await reconcile(
            { traffic, log, origin, token: cluster.token, query },
            timeoutMs,
          )
          say(JSON.stringify(counts))
          expect(differences).toEqual([])
        } finally {
          traffic.close()
        }
      },
      (seconds + 600) * 1_000,
    )
  }),
)
