/** Whatever is asked, the answer is a plain count over what was recorded. */
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { askAtRandom } from '../../support/random-questions.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)

let service: Service
let world: ClickWorld
beforeAll(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(seed))
  await world.makeLinks(6)
})
afterAll(() => service.stop())

const ask = (count: number) => askAtRandom(service, world, seed, count)
/** For what is refused as no longer kept, there is nothing to compare. */
async function askWhereAllIsKept(count: number): Promise<void> {
  expect(await ask(count)).toBe(count)
}

it(`with nothing recorded (SEED=${seed})`, () => askWhereAllIsKept(15))

it('while clicks come and the roller follows', async () => {
  for (let round = 0; round < 4; round++) {
    for (let batch = 0; batch < 3; batch++) await world.recordSome(1 + world.random.below(60))
    await askWhereAllIsKept(10)
    await world.roller.run(true)
    await askWhereAllIsKept(10)
  }
}, 180_000)

it('after retention', async () => {
  await world.rollAll()
  await world.dropBefore(Date.now() - 40 * dayMs)
  const [{ count }] = (await service.db.query('SELECT count(*)::int FROM clicks')) as [{ count: number }]
  expect(count).toBeLessThan(world.clicks.length)
  let answered = await ask(40)
  await world.recordSome(40, 30)
  answered += await ask(20)
  await world.rollAll()
  answered += await ask(40)
  expect(answered).toBeGreaterThan(20)
}, 180_000)
