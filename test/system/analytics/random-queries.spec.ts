/** Compares thousands of queries with a plain count while clicks are recorded, rolled up and dropped by retention. */
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { sendRandomQueries } from '../../support/random-queries.js'
import { countRounds } from '../../support/rounds.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const rounds = countRounds(20, 10)
const queriesPerRound = 150

let service: Service
let world: ClickWorld
beforeAll(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(seed))
  await world.makeLinks(10)
})
afterAll(() => service.stop())

const sendQueries = (count: number) => sendRandomQueries(service, world, seed, count)

it(`returns exact counts for ${rounds * queriesPerRound} random queries (SEED=${seed})`, async () => {
  let succeeded = 0
  for (let round = 0; round < rounds; round++) {
    const days = round < rounds / 2 ? world.days : 30
    for (let batch = 0; batch < 3; batch++)
      await world.recordRandomClicks(1 + world.random.nextInteger(120), days)
    succeeded += await sendQueries(queriesPerRound / 2)
    await world.roller.rollWorkspaces(true)
    if (round === rounds / 2 - 1) await world.dropBefore(Date.now() - 40 * dayMs)
    succeeded += await sendQueries(queriesPerRound / 2)
  }
  console.log(`SEED=${seed}: ${succeeded} of ${rounds * queriesPerRound} queries succeeded`)
  expect(succeeded).toBeGreaterThan((rounds * queriesPerRound) / 2)
}, 1_800_000)
