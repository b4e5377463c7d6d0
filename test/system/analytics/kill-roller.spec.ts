/** Two rollers count each click once although they are killed repeatedly, and responses are always exact. */
import { ClickWorld, Random } from '../../support/click-world.js'
import { sendRandomQueries } from '../../support/random-queries.js'
import { startRolling } from '../../support/rolling-process.js'
import { countRounds } from '../../support/rounds.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const kills = countRounds(20, 6)
/** The clicks of this test have ten campaigns. */
const valuesPerDay = 5
const queriesPerRound = 60

let service: Service
let world: ClickWorld
beforeAll(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(seed))
  world.roller.valuesPerDay = valuesPerDay
  await world.makeLinks(8)
})
afterAll(() => service.stop())

async function expectAllAnswered(count: number): Promise<void> {
  expect(await sendRandomQueries(service, world, seed, count)).toBe(count)
}

it(`returns exact counts while rollers are killed ${kills} times (SEED=${seed})`, async () => {
  let rollers = [
    await startRolling(service.db.url, valuesPerDay),
    await startRolling(service.db.url, valuesPerDay),
  ]
  try {
    for (let round = 0; round < kills; round++) {
      for (let batch = 0; batch < 4; batch++)
        await world.recordRandomClicks(1 + world.random.nextInteger(150))
      await expectAllAnswered(queriesPerRound / 2)
      const [first, second] = rollers
      await first!.kill()
      await expectAllAnswered(queriesPerRound / 2)
      rollers = [second!, await startRolling(service.db.url, valuesPerDay)]
    }
  } finally {
    for (const roller of rollers) await roller.kill()
  }
  await world.rollAll()
  const [sum] = await service.db.query(
    'SELECT sum(clicks)::int AS total FROM click_days WHERE subject = $1',
    [world.links[0]!.workspaceId],
  )
  expect(sum).toEqual({ total: world.clicks.length })
  await expectAllAnswered(queriesPerRound)
}, 1_800_000)
