/** Whatever is asked, the answer is a plain count over what was recorded. */
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { expectSameCount } from '../../support/plain-count.js'
import { pathOf, randomQuestion } from '../../support/random-questions.js'
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

async function ask(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const question = randomQuestion(world)
    const path = pathOf(question)
    const { status, body } = await service.call('GET', path)
    try {
      if (status === 422 && body.code === 'range_not_kept') continue
      expect({ status, detail: body.detail }).toEqual({ status: 200, detail: undefined })
      expectSameCount(world, question.link, question.parameters, body)
    } catch (error) {
      throw new Error(`SEED=${seed} ${path}: ${(error as Error).message}`, { cause: error })
    }
  }
}

it(`with nothing recorded (SEED=${seed})`, () => ask(15))

it('while clicks come and the roller follows', async () => {
  for (let round = 0; round < 4; round++) {
    for (let batch = 0; batch < 3; batch++) await world.recordSome(1 + world.random.below(60))
    await ask(10)
    await world.roller.run(true)
    await ask(10)
  }
}, 180_000)

it('after retention', async () => {
  await world.roller.run(true)
  await world.dropBefore(Date.now() - 40 * dayMs)
  const [{ count }] = (await service.db.query('SELECT count(*)::int FROM clicks')) as [{ count: number }]
  expect(count).toBeLessThan(world.clicks.length)
  await ask(40)
  await world.recordSome(40, 30)
  await ask(20)
  await world.roller.run(true)
  await ask(40)
}, 180_000)
