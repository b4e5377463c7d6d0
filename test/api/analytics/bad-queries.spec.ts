/** Invalid analytics queries are rejected with advice. */
import { makeLink } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
let link: string
beforeAll(async () => {
  service = await shareService()
  link = (await makeLink(service)).id
})
afterAll(() => service.stop())

const manyFilters = Array.from({ length: 1_000 }, (_, i) => `city=C${i}`).join('&')

it.each([
  ['timezone=Mars/Olympus', 'timezone', 'Europe/Berlin'],
  ['timezone=%2B02:00', 'timezone', 'Europe/Berlin'],
  ['start=2026-02-01&end=2026-01-01', 'end', 'later than start'],
  ['start=2026-02-01&end=2026-02-01', 'end', 'later than start'],
  ['start=2026-02-01', 'end', 'start and end'],
  ['end=2026-02-01', 'start', 'start and end'],
  ['start=2026-02-30&end=2026-03-01', 'start', '2026-01-31T12:00:00Z'],
  ['start=yesterday&end=2026-03-01', 'start', '2026-01-31T12:00:00Z'],
  ['start=0000-01-01&end=9999-12-31', 'start', '1990'],
  ['interval=7d&start=2026-01-01&end=2026-01-02', 'interval', 'either'],
  ['interval=1y', 'interval', '12mo'],
  ['group_by=colour', 'group_by', 'country'],
  ['granularity=day', 'granularity', 'group_by=time'],
  ['granularity=minute&group_by=time', 'granularity', 'hour, day'],
  ['start=2016-01-01&end=2026-01-01&group_by=time&granularity=hour', 'granularity', '2000 points'],
  ['interval=all&compare=previous', 'compare', 'interval=all'],
  ['compare=next', 'compare', 'previous'],
  ['limit=0', 'limit', '1 to 1000'],
  ['limit=1001', 'limit', '1 to 1000'],
  ['limit=many', 'limit', '1 to 1000'],
  ['source=radio', 'source', 'link, qr'],
  ['city=%00', 'city', 'control characters'],
  ['country=de', 'country', 'such as DE'],
  ['country=DE&country=Germany', 'country', 'such as DE'],
  [`city=${'x'.repeat(301)}`, 'city', '300'],
  [manyFilters, 'filters', 'at most 100'],
  ['contry=DE', 'contry', 'country'],
  ['interval=7d&interval=30d', 'interval', 'once'],
])('rejects %.60s', async (query, parameter, advice) => {
  const { status, body } = await service.call('GET', `/v1/analytics?${query}`)
  expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_query' })
  expect(body.errors[0]).toMatchObject({ parameter, detail: expect.stringContaining(advice) })
})

it.each(['link_id=lnk_x', 'tag=sale', 'group_by=link', 'group_by=tag'])(
  'rejects %s for a single link',
  async (query) => {
    const { status, body } = await service.call('GET', `/v1/links/${link}/analytics?${query}`)
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_query' })
  },
)

it.each(['lnk_01kaj3v9z4f8hva3x7m2c5d6ne', 'nonsense'])('returns 404 for the link %s', async (id) => {
  expect((await service.call('GET', `/v1/links/${id}/analytics`)).status).toBe(404)
})

it('returns 404 for a link of another workspace, and no clicks when filtering by that link', async () => {
  await service.addWorkspace('other')
  const { token } = await service.mint('clicks:read', 'other')
  expect((await service.call('GET', `/v1/links/${link}/analytics`, { token })).status).toBe(404)
  const { status, body } = await service.call('GET', `/v1/analytics?link_id=${link}`, { token })
  expect([status, body.totals]).toEqual([200, { clicks: 0, human: 0, visitors: null }])
})

it('requires clicks:read', async () => {
  const { token } = await service.mint('links:read')
  expect((await service.call('GET', '/v1/analytics', { token })).status).toBe(403)
})
