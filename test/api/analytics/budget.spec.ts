/** What would have to read too many clicks one by one is refused, with the widest range that fits. */
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => {
  service = await startService()
  const world = new ClickWorld(service, new Random(11))
  await world.makeLinks(3)
  await world.recordSome(400)
  await world.rollAll()
  // As a busy workspace has them: the budget goes by these totals.
  await service.db.query('UPDATE breakdowns SET total = 100000 WHERE part = 0 AND grain = 2')
})
afterAll(() => service.stop())

const across = 'country=DE&browser=Firefox'
const ask = (query: string) => service.call('GET', `/v1/analytics?${query}`)

it('a filter across dimensions, and the range that fits is answered', async () => {
  const { status, body } = await ask(`interval=30d&${across}`)
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'range_too_large' })
  const { start, end } = body.fits
  expect(body.detail).toContain(`start=${start}&end=${end}`)
  expect((await ask(`start=${start}&end=${end}&${across}`)).status).toBe(200)
  const wider = new Date(Date.parse(start) - 10 * dayMs).toISOString()
  expect((await ask(`start=${wider}&end=${end}&${across}`)).body.code).toBe('range_too_large')
})

it('not one dimension, whatever the range', async () => {
  for (const query of ['group_by=country', 'country=DE', 'group_by=time&granularity=day'])
    expect((await ask(`interval=12mo&${query}`)).status).toBe(200)
})
