/** Whatever dies: what was acknowledged reaches every receiver, in sequences without a gap. */
import { setTimeout as pause } from 'node:timers/promises'

import { describeWithRedis } from '../support/redis.js'
import { DeliveriesRig } from './deliveries-rig.js'

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

async function survive(disturb: Disturbance[1]): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    rig.startLoad()
    await pause(someLoadMs)
    await disturb(rig)
    await pause(someLoadMs)
    await rig.stopLoad()
    expect(await rig.arrived()).toEqual([])
  }
  expect(rig.acknowledged.size).toBeGreaterThan(rounds)
}

describe('with the queue on PostgreSQL nothing is lost when', () => {
  beforeEach(async () => (rig = await DeliveriesRig.start('postgres')))
  it.each(always)('%s', (_what, disturb) => survive(disturb), patienceMs)
})

describeWithRedis('with the queue on Redis nothing is lost when', () => {
  beforeEach(async () => (rig = await DeliveriesRig.start('redis')))
  it.each([...always, ...withRedis])('%s', (_what, disturb) => survive(disturb), patienceMs)
})
