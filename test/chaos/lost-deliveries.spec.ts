/** Whatever dies: what was acknowledged reaches every receiver, in sequences without a gap. */
import { setTimeout as pause } from 'node:timers/promises'

import { createDatabase } from '../support/database.js'
import { OwnPostgres } from '../support/own-postgres.js'
import { describeWithRedis } from '../support/redis.js'
import { DeliveriesRig } from './deliveries-rig.js'
import type { QueueKind } from './deliveries-rig.js'

/** CHAOS_ROUNDS=20 CHAOS_OUTAGE_MS=20000 for the whole measure. */
const rounds = Number(process.env['CHAOS_ROUNDS'] ?? 1)
const outageMs = Number(process.env['CHAOS_OUTAGE_MS'] ?? 4_000)
const someLoadMs = 500
const patienceMs = rounds * (60_000 + outageMs) + 60_000

type Disturbance = readonly [what: string, disturb: (rig: DeliveriesRig) => Promise<void>]

const always: Disturbance[] = [
  [
    'a worker is killed',
    async (rig) => {
      await rig.killWorker()
      await rig.startWorker()
    },
  ],
  [
    'the API is killed right after an answer',
    async (rig) => {
      const before = rig.acknowledged.size
      while (rig.acknowledged.size === before) await pause(1)
      rig.api.kill()
      await rig.api.gone
      await rig.startApi()
    },
  ],
  [
    'every connection to the database breaks',
    async (rig) => {
      for (let i = 0; i < 10; i++) {
        await rig.breakConnections()
        await pause(100)
      }
    },
  ],
]

const withRedis: Disturbance[] = [
  [
    'Redis is emptied',
    async ({ redis }) => {
      await redis?.command('FLUSHALL')
    },
  ],
  [
    'Redis is away for a while',
    async ({ redis }) => {
      await redis?.kill()
      await pause(outageMs)
      await redis?.start()
    },
  ],
]

let rig: DeliveriesRig
afterEach(() => rig.stop())

async function survive(disturb: () => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    rig.startLoad()
    await pause(someLoadMs)
    await disturb()
    await pause(someLoadMs)
    await rig.stopLoad()
    expect(await rig.arrived()).toEqual([])
  }
  expect(rig.acknowledged.size).toBeGreaterThan(rounds)
}

function nothingIsLost(queue: QueueKind, disturbances: Disturbance[]): void {
  it.each(disturbances)(
    '%s',
    async (_what, disturb) => {
      rig = await DeliveriesRig.start(queue, await createDatabase())
      await survive(() => disturb(rig))
    },
    patienceMs,
  )

  it(
    'PostgreSQL crashes and is started again',
    async () => {
      const postgres = await OwnPostgres.start()
      rig = await DeliveriesRig.start(queue, postgres)
      await survive(() => postgres.crashAndRestart())
    },
    patienceMs,
  )
}

describe('with the queue on PostgreSQL nothing is lost when', () => nothingIsLost('postgres', always))

describeWithRedis('with the queue on Redis nothing is lost when', () =>
  nothingIsLost('redis', [...always, ...withRedis]),
)
