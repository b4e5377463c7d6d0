/** Responses to random queries equal a plain count of the recorded clicks. */
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { sendRandomQueries } from '../../support/random-queries.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
/** The clicks of these tests have ten campaigns. */
const fewValues = 5

let service: Service
let world: ClickWorld
beforeAll(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(seed))
  await world.makeLinks(6)
})
afterAll(() => service.stop())

const sendQueries = (count: number) => sendRandomQueries(service, world, seed, count)
/** Sends random queries, all of which succeed because no clicks were dropped. */
async function expectAllSucceed(count: number): Promise<void> {
  expect(await sendQueries(count)).toBe(count)
}

it(`equals a plain count without clicks (SEED=${seed})`, () => expectAllSucceed(15))

it.each([
  { cap: 'the usual cap', valuesPerDay: 5_000 },
  { cap: 'a low cap', valuesPerDay: fewValues },
])(
  'equals a plain count with $cap, while clicks arrive and the roller counts them',
  async ({ valuesPerDay }) => {
    world.roller.valuesPerDay = valuesPerDay
    for (let round = 0; round < 3; round++) {
      for (let batch = 0; batch < 3; batch++) await world.recordRandomClicks(1 + world.random.nextInteger(60))
      await expectAllSucceed(10)
      await world.roller.rollWorkspaces(true)
      await expectAllSucceed(10)
    }
  },
  180_000,
)

it('truncates a day with more new values than the low cap', async () => {
  const campaigns = Array.from({ length: 2 * fewValues }, (_, i) => `new-${i}`)
  await world.recordClicks(campaigns.map((utmCampaign) => ({ ...world.createClick(0), utmCampaign })))
  await world.rollAll()
  const { meta } = (await service.call('GET', '/v1/analytics?interval=7d&group_by=utm_campaign')).body
  expect(meta.truncated).toBe(true)
  await expectAllSucceed(10)
}, 60_000)

it('equals a plain count after retention dropped clicks', async () => {
  await world.rollAll()
  await world.dropBefore(Date.now() - 40 * dayMs)
  const [{ count }] = (await service.db.query('SELECT count(*)::int FROM clicks')) as [{ count: number }]
  expect(count).toBeLessThan(world.clicks.length)
  let succeeded = await sendQueries(40)
  await world.recordRandomClicks(40, 30)
  succeeded += await sendQueries(20)
  await world.rollAll()
  succeeded += await sendQueries(40)
  expect(succeeded).toBeGreaterThan(30)
}, 180_000)
