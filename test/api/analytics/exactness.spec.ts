/** Counts are exact immediately, and stay exact when clicks are deleted. */
import { DataSource } from 'typeorm'

import { Comparison } from '../../../src/analytics/comparison.js'
import { lowestIdAt, newId } from '../../../src/platform/database/ids.js'
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { waitForCompleteFeed } from '../../support/factories/events.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let world: ClickWorld
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())
/** Each test starts without clicks. `recordClicks` creates dropped partitions again. */
beforeEach(async () => {
  await service.db.query(
    `TRUNCATE clicks, link_counters, click_counts, click_totals, click_days, analytics_places, counted_visitors`,
  )
  await service.db.query(`UPDATE click_retention SET kept_from = '-infinity'`)
  world = new ClickWorld(service, new Random(5))
  await world.makeLinks(3)
})

const totals = async (path = '/v1/analytics?interval=all') => (await service.call('GET', path)).body.totals

it('counts every visit and matches the counters of the link', async () => {
  const link = await makeLink(service)
  for (let i = 0; i < 3; i++) await visit(service, link.slug)
  const path = `/v1/links/${link.id}/analytics?interval=all`
  await waitFor('three clicks', async () => (await totals(path)).clicks === 3)
  const { clicks } = (await service.call('GET', `/v1/links/${link.id}`)).body
  expect(await totals(path)).toMatchObject({ clicks: clicks.total, human: clicks.human })
})

it('returns the groups with the most human clicks with sort=-human', async () => {
  const clicks = (count: number, browser: string, bot: boolean) =>
    Array.from({ length: count }, () => ({ ...world.createClick(), utmContent: 'sorted', browser, bot }))
  await world.recordClicks([
    ...clicks(5, 'Chrome', true),
    ...clicks(1, 'Chrome', false),
    ...clicks(3, 'Firefox', false),
  ])
  const keys = async (sort: string) => {
    const path = `/v1/analytics?interval=all&group_by=browser&utm_content=sorted&sort=${sort}`
    return (await service.call('GET', path)).body.data.map(({ key }: { key: string }) => key)
  }
  expect(await keys('-clicks')).toEqual(['Chrome', 'Firefox'])
  expect(await keys('-human')).toEqual(['Firefox', 'Chrome'])
})

it('matches no clicks with an empty source', async () => {
  const link = await makeLink(service)
  await visit(service, link.slug)
  const path = `/v1/links/${link.id}/analytics?interval=all`
  await waitFor('the click', async () => (await totals(path)).clicks === 1)
  expect(await totals(`${path}&source=`)).toMatchObject({ clicks: 0 })
  expect(await totals(`${path}&source=link`)).toMatchObject({ clicks: 1 })
})

it('keeps counts when retention drops clicks, and returns 422 for queries that need the clicks', async () => {
  await world.recordRandomClicks(200)
  await world.rollAll()
  const before = await totals()
  const cut = Date.now() - 30 * dayMs
  await world.dropBefore(cut)
  expect(await totals()).toEqual(before)
  const filtered = '/v1/analytics?interval=90d&country=DE&browser=Firefox'
  const { status, body } = await service.call('GET', filtered)
  expect({ status, code: body.code }).toEqual({ status: 422, code: 'range_not_kept' })
  const { start, end } = body.fits
  const again = await service.call(
    'GET',
    `/v1/analytics?start=${start}&end=${end}&country=DE&browser=Firefox`,
  )
  expect(again.status).toBe(200)
  const link = world.links[0]!.id
  const offEdges = `start=${new Date(cut - 20 * dayMs).toISOString().slice(0, 10)}T05:00:00Z&end=2099-01-01&group_by=country`
  const edges = await service.call('GET', `/v1/links/${link}/analytics?${offEdges}`)
  expect(edges.body).toMatchObject({
    code: 'range_not_kept',
    fits: { start: expect.stringMatching(/T00:00:00.000Z$/) },
  })
})

it('counts clicks while the visitor hashes of past days cannot be deleted yet', async () => {
  const createOldClick = (daysAgo: number) => {
    const occurredAt = new Date(Date.now() - daysAgo * dayMs)
    const id = lowestIdAt(occurredAt).slice(0, 13) + newId().slice(13)
    return { ...world.createClick(), id, occurredAt, bot: false, visitor: 'someone' }
  }
  await world.recordClicks([createOldClick(5)])
  await world.rollAll()
  await world.recordClicks([createOldClick(0)])
  await waitForCompleteFeed(service, 'clicks')
  let rolled!: Promise<void>
  await duringTransaction(service, async (tx) => {
    await tx.query('SELECT FROM counted_visitors FOR UPDATE')
    rolled = world.roller.rollWorkspaces(true)
    await waitFor('both clicks to be counted', async () => {
      const [row] = await service.db.query<{ days: number }>('SELECT count(*)::int AS days FROM click_days')
      // Each day has a row for the link and one for the workspace.
      return row!.days === 4
    })
  })
  await rolled
  const [stored] = await service.db.query(
    "SELECT min(day) > now() - interval '2 days' AS recent FROM counted_visitors",
  )
  expect(stored).toEqual({ recent: true })
})

it('drops clicks only after they are counted', async () => {
  await world.recordRandomClicks(100)
  const count = async () => (await service.db.query('SELECT count(*)::int AS n FROM clicks'))[0]
  await world.dropBefore(Date.now() - 10 * dayMs)
  expect(await count()).toEqual({ n: 100 })
  await world.rollAll()
  await world.dropBefore(Date.now() - 10 * dayMs)
  expect(await count()).not.toEqual({ n: 100 })
  expect((await totals()).clicks).toBe(100)
})

it('still counts the clicks of deleted links', async () => {
  await world.recordRandomClicks(60)
  await world.rollAll()
  const { id } = world.links[0]!
  const ofLink = `/v1/analytics?interval=all&link_id=${id}`
  const before = await totals(ofLink)
  expect(before.clicks).toBeGreaterThan(0)
  await service.call('DELETE', `/v1/links/${id}`)
  expect((await totals()).clicks).toBe(60)
  expect(await totals(ofLink)).toEqual(before)
  expect(await totals(`${ofLink}&group_by=link`)).toEqual(before)
  expect((await service.call('GET', `/v1/links/${id}/analytics`)).status).toBe(404)
})

it('counts clicks recorded by a clock that was ahead', async () => {
  const ahead = world.createClick()
  const id = lowestIdAt(new Date(Date.now() + 400 * dayMs))
  await world.recordClicks([
    { ...ahead, id, country: 'DE', browser: 'Firefox', occurredAt: new Date(), ahead: true },
  ])
  for (const query of ['interval=24h&country=DE&browser=Firefox', 'interval=24h'])
    expect((await totals(`/v1/analytics?${query}`)).clicks).toBe(1)
})

it('reports a link whose daily counts differ from its counters', async () => {
  await world.recordRandomClicks(80)
  await world.rollAll()
  const comparison = new Comparison(service.app.get(DataSource))
  expect(await comparison.compareCounts()).toEqual([])
  await service.db.query('UPDATE click_days SET clicks = clicks + 1 WHERE subject = $1', [
    world.links[0]!.linkId,
  ])
  expect(await comparison.compareCounts()).toEqual([expect.stringContaining(world.links[0]!.id)])
})

it('returns CSV that is safe in a spreadsheet', async () => {
  await world.recordRandomClicks(40)
  const headers = { accept: 'text/csv' }
  const { text, headers: answered } = await service.call('GET', '/v1/analytics?group_by=utm_source', {
    headers,
  })
  expect(answered.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...rows] = text.trimEnd().split('\r\n')
  expect(head).toBe('row,utm_source,clicks,human,visitors')
  expect(rows.some((row) => row.startsWith("data,'=1+1,"))).toBe(true)
  expect(rows.at(-1)).toMatch(/^total,,\d+,\d+,\d*$/)
})

it('escapes CSV cells like the link export', async () => {
  await world.recordRandomClicks(10)
  const sent = ["'=1+1", 'a;b', ' blank before', 'plain']
  for (const [i, source] of sent.entries())
    await service.db.query(
      `UPDATE clicks SET utm_source = $1 WHERE id = (SELECT id FROM clicks ORDER BY id OFFSET $2 LIMIT 1)`,
      [source, String(i)],
    )
  const { text } = await service.call('GET', '/v1/analytics?interval=all&group_by=utm_source', {
    headers: { accept: 'text/csv' },
  })
  for (const cell of ["''=1+1", '"a;b"', '" blank before"', 'plain'])
    expect(text).toContain(`\r\ndata,${cell},1,`)
})

it.each([
  ['text/csv;q=0', 'json'],
  ['text/csv;q=0.1, application/json', 'json'],
  ['application/json, text/csv', 'json'],
  ['*/*, text/csv;q=0.5', 'json'],
  ['text/html', 'json'],
  ['application/json;q=0.5, Text/CSV ; charset=utf-8', 'csv'],
  ['text/csv, */*;q=0.1', 'csv'],
])('Accept: %s returns %s', async (accept, form) => {
  const { headers } = await service.call('GET', '/v1/analytics', { headers: { accept } })
  expect(headers.get('content-type')).toContain(form)
})
