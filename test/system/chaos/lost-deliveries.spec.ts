/**
 * Events of acknowledged links reach every receiver, in sequences without gaps, whichever process is killed. The queue is
 * in PostgreSQL: `cluster.spec.ts` has one in Redis.
 */
import { setTimeout as pause } from 'node:timers/promises'

import { countRounds } from '../../support/rounds.js'
import { DeliveriesRig } from './deliveries-rig.js'

const rounds = countRounds(20, 1)
const someLoadMs = 500
const testTimeoutMs = rounds * 60_000 + 60_000

type Disturbance = readonly [name: string, disturb: (rig: DeliveriesRig) => Promise<void>]

const disturbances: Disturbance[] = [
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

describe('no delivery is lost when', () => {
  beforeAll(async () => {
    rig = await DeliveriesRig.start()
  }, 60_000)
  afterAll(() => rig.stop())

  it.each(disturbances)('%s', (_name, disturb) => expectNoLoss(() => disturb(rig)), testTimeoutMs)
})
