/** Events of acknowledged links reach every receiver, in sequences without gaps, whichever process is killed. */
import { setTimeout as pause } from 'node:timers/promises'

import { describeWithRedis } from '../../support/redis.js'
import { roundsOf } from '../../support/rounds.js'
import { DeliveriesRig } from './deliveries-rig.js'
import type { QueueKind } from './deliveries-rig.js'

const rounds = roundsOf(20, 1)
const outageMs = roundsOf(20_000, 4_000)
const someLoadMs = 500
const testTimeoutMs = rounds * (60_000 + outageMs) + 60_000

type Disturbance = readonly [name: string, disturb: (rig: DeliveriesRig) => Promise<void>]

const commonDisturbances: Disturbance[] = [
  [
    'a worker is killed',
    async (rig) => {
      await rig.killWorker()
      await rig.startWorker()
    },
  ],
  [
    'the API is killed right after a response',
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
  ['PostgreSQL crashes and restarts', (rig) => rig.db.crashAndRestart()],
]

const withRedis: Disturbance[] = [
  [
    'Redis is emptied',
    async ({ redis }) => {
      await redis?.command('FLUSHALL')
    },
  ],
  [
    'Redis is killed and restarted later',
    async ({ redis }) => {
      await redis?.kill()
      await pause(outageMs)
      await redis?.start()
    },
  ],
]

let rig: DeliveriesRig

async function expectNoLoss(disturb: () => Promise<void>): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const before = rig.acknowledged.size
    rig.startLoad()
    await pause(someLoadMs)
    await disturb()
    await pause(someLoadMs)
    await rig.stopLoad()
    expect(await rig.deliveryFaults()).toEqual([])
    expect(rig.acknowledged.size).toBeGreaterThan(before)
  }
}

function testDisturbances(queue: QueueKind, disturbances: Disturbance[]): void {
  beforeAll(async () => {
    rig = await DeliveriesRig.start(queue)
  }, 60_000)
  afterAll(() => rig.stop())

  it.each(disturbances)('%s', (_name, disturb) => expectNoLoss(() => disturb(rig)), testTimeoutMs)
}

describe('with the queue in PostgreSQL, no delivery is lost when', () =>
  testDisturbances('postgres', commonDisturbances))

describeWithRedis('with the queue in Redis, no delivery is lost when', () =>
  testDisturbances('redis', [...commonDisturbances, ...withRedis]),
)
