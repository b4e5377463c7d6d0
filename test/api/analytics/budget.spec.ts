/** Queries that read too many individual clicks are rejected, with the widest range that fits. */
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { makeClick } from '../../support/factories/clicks.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let smallToken: string
beforeAll(async () => {
  service = await startService()
  const world = new ClickWorld(service, new Random(11))
  await world.makeLinks(3)
  await world.recordRandomClicks(400)
  await service.addWorkspace('small')
  smallToken = (await service.mint('clicks:read', 'small')).token
  const { token } = await service.mint('links:write', 'small')
  await makeClick(service, await makeLink(service, {}, token))
  await world.rollAll()
  // The budget depends on these totals, which simulate a busy workspace.
  await service.db.query('UPDATE click_totals SET clicks = 20000 WHERE subject = $1', [
    world.links[0]!.workspaceId,
  ])
})
afterAll(() => service.stop())

const twoDimensions = 'country=DE&browser=Firefox'
const get = (query: string, token?: string) =>
  service.call('GET', `/v1/analytics?${query}`, token === undefined ? {} : { token })

it('rejects filters by several dimensions, and accepts them for the suggested range', async () => {
  const { status, body } = await get(`interval=30d&${twoDimensions}`)
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'range_too_large' })
  const { start, end } = body.fits
  expect(body.detail).toContain(`start=${start}&end=${end}`)
  expect((await get(`start=${start}&end=${end}&${twoDimensions}`)).status).toBe(200)
  const wider = new Date(Date.parse(start) - 10 * dayMs).toISOString()
  expect((await get(`start=${wider}&end=${end}&${twoDimensions}`)).body.code).toBe('range_too_large')
})

it('accepts queries of one dimension for any range', async () => {
  for (const query of ['group_by=country', 'country=DE', 'group_by=time&granularity=day'])
    expect((await get(`interval=12mo&${query}`)).status).toBe(200)
})

it('ignores the clicks of other workspaces, and does not reveal them', async () => {
  const { status, body } = await get(`interval=90d&${twoDimensions}`, smallToken)
  expect([status, body.totals]).toEqual([200, { clicks: 0, human: 0, visitors: null }])
  const ownClicks = 500_001
  await service.db.query(
    'UPDATE click_totals SET clicks = $1 WHERE subject = (SELECT id FROM workspaces WHERE name = $2)',
    [ownClicks, 'small'],
  )
  const refused = await get(`interval=90d&${twoDimensions}`, smallToken)
  expect(refused.body.detail).toContain('about 500,001 individual clicks')
})
