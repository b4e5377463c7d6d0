/** What the figures owe: at once, for ever, and whatever happens to the clicks themselves. */
import { DataSource } from 'typeorm'

import { Comparison } from '../../../src/analytics/comparison.js'
import { finishPreparing } from '../../../src/analytics/rolling/preparation.js'
import { lowestIdAt } from '../../../src/platform/database/ids.js'
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { makeLink, visit } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let world: ClickWorld
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())
/** Each test begins without a click; what retention dropped, `record` makes again. */
beforeEach(async () => {
  await service.db.query(`TRUNCATE clicks, link_counters, breakdowns, analytics_places, counted_visitors`)
  await service.db.query(`UPDATE click_retention SET kept_from = '-infinity'`)
  world = new ClickWorld(service, new Random(5))
  await world.makeLinks(3)
})

const totals = async (path = '/v1/analytics?interval=all') => (await service.call('GET', path)).body.totals

it('a visit is counted as soon as it is recorded, and the sum is what the link says', async () => {
  const link = await makeLink(service)
  for (let i = 0; i < 3; i++) await visit(service, link.slug)
  const path = `/v1/links/${link.id}/analytics?interval=all`
  await waitFor('three', async () => (await totals(path)).clicks === 3)
  const { clicks } = (await service.call('GET', `/v1/links/${link.id}`)).body
  expect(await totals(path)).toMatchObject({ clicks: clicks.total, human: clicks.human })
})

it('the figures stay when retention drops the clicks, and what they no longer answer is refused', async () => {
  await world.recordSome(200)
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

it('retention drops nothing that is not in the figures', async () => {
  await world.recordSome(100)
  const count = async () => (await service.db.query('SELECT count(*)::int AS n FROM clicks'))[0]
  await world.dropBefore(Date.now() - 10 * dayMs)
  expect(await count()).toEqual({ n: 100 })
  await world.rollAll()
  await world.dropBefore(Date.now() - 10 * dayMs)
  expect(await count()).not.toEqual({ n: 100 })
  expect((await totals()).clicks).toBe(100)
})

it('clicks that were dropped before there were figures stand in a row of their own', async () => {
  const [link] = world.links
  await world.recordSome(50)
  await service.db.query('UPDATE link_counters SET total = total + 7, human = human + 5 WHERE link_id = $1', [
    link!.linkId,
  ])
  await world.rollAll()
  await service.app.get(DataSource).transaction((tx) => finishPreparing(tx, link!.workspaceId))
  const { body } = await service.call('GET', `/v1/links/${link!.id}/analytics?interval=all&group_by=country`)
  expect(body.before).toEqual({ clicks: 7, human: 5, visitors: null })
  const { clicks } = (await service.call('GET', `/v1/links/${link!.id}`)).body
  expect(body.totals.clicks).toBe(clicks.total)
  const { body: month } = await service.call('GET', `/v1/links/${link!.id}/analytics?interval=30d`)
  expect(month.before).toBeNull()
})

it('an installation that is being prepared says how far it is, and answers when it is done', async () => {
  await world.recordSome(20)
  await service.db.query(
    `INSERT INTO analytics_places (workspace_id, tx, first_tx, goal_tx, visitors_from, months_link)
     SELECT $1, min(tx), min(tx), max(tx) + 1, '-infinity', '00000000-0000-0000-0000-000000000000' FROM clicks`,
    [world.links[0]!.workspaceId],
  )
  const { status, headers, body } = await service.call('GET', '/v1/analytics')
  expect({ status, code: body.code, progress: body.progress }).toEqual({
    status: 503,
    code: 'analytics_preparing',
    progress: 0,
  })
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  await world.rollAll()
  expect((await totals()).clicks).toBe(20)
})

it('deleted links stay in the figures of the workspace', async () => {
  await world.recordSome(60)
  await world.rollAll()
  await service.call('DELETE', `/v1/links/${world.links[0]!.id}`)
  expect((await totals()).clicks).toBe(60)
})

it('a clock that ran ahead puts no click into the future, and its clicks are found by filters too', async () => {
  const ahead = world.click()
  const id = lowestIdAt(new Date(Date.now() + 400 * dayMs))
  await world.record([
    { ...ahead, id, country: 'DE', browser: 'Firefox', occurredAt: new Date(), ahead: true },
  ])
  for (const query of ['interval=24h&country=DE&browser=Firefox', 'interval=24h'])
    expect((await totals(`/v1/analytics?${query}`)).clicks).toBe(1)
})

it('a difference between the figures and what was recorded is found', async () => {
  await world.recordSome(80)
  await world.rollAll()
  const comparison = new Comparison(service.app.get(DataSource))
  expect(await comparison.run()).toEqual([])
  await service.db.query('UPDATE breakdowns SET total = total + 1 WHERE subject = $1', [
    world.links[0]!.linkId,
  ])
  expect(await comparison.run()).toEqual([expect.stringContaining(world.links[0]!.id)])
})

it('months that are over are put together, and say the same as their days', async () => {
  await world.recordSome(300)
  await waitFor('months', async () => {
    await world.rollAll()
    return (await service.db.query('SELECT FROM breakdowns WHERE grain = 3 LIMIT 1')).length
  })
  const differing = await service.db.query(
    `WITH entries AS (
       SELECT subject, part, grain, date_trunc('month', at, 'UTC') AS month, key, sum(entry.clicks) AS clicks
       FROM breakdowns CROSS JOIN LATERAL unnest(keys, clicks) AS entry (key, clicks)
       WHERE part > 0 AND grain IN (2, 3) GROUP BY 1, 2, 3, 4, 5
     )
     SELECT FROM entries AS month JOIN entries AS days USING (subject, part, month, key)
     WHERE month.grain = 3 AND days.grain = 2 AND month.clicks <> days.clicks`,
  )
  expect(differing).toEqual([])
})

it('running sums say the same as their days, also when clicks come late', async () => {
  await world.recordSome(300)
  await waitFor('running sums', async () => {
    await world.rollAll()
    return (await service.db.query('SELECT FROM breakdowns WHERE grain = 5 LIMIT 1')).length
  })
  await world.recordSome(50)
  await world.rollAll()
  const differing = await service.db.query(
    `WITH entries AS (
       SELECT part, grain, at, unnest(keys) AS key, unnest(clicks) AS clicks, unnest(humans) AS human
       FROM breakdowns WHERE part > 0 AND grain IN (2, 5) AND subject = $1
     ), owed AS (
       SELECT part, key, day.at, sum(clicks) AS clicks, sum(human) AS human
       FROM (SELECT DISTINCT at FROM entries WHERE grain = 5) AS day
       JOIN entries ON grain = 2 AND entries.at BETWEEN date_trunc('month', day.at, 'UTC') AND day.at
       GROUP BY 1, 2, 3
     )
     SELECT * FROM owed FULL JOIN (SELECT * FROM entries WHERE grain = 5) AS sums USING (part, key, at)
     WHERE (owed.clicks, owed.human) IS DISTINCT FROM (sums.clicks, sums.human)`,
    [world.links[0]!.workspaceId],
  )
  expect(differing).toEqual([])
})

const months = () => service.db.query('SELECT FROM breakdowns WHERE grain = 3')

/** Ends before it comes to the months. */
async function rollOneStep(): Promise<void> {
  await world.recordSome(100)
  await waitFor('the first clicks to be in the figures', async () => {
    let looks = 0
    await world.roller.run(true, () => looks++ > 0)
    return (await service.db.query('SELECT FROM breakdowns LIMIT 1')).length
  })
  expect(await months()).toEqual([])
}

it('months are put together also where no click has come since', async () => {
  await rollOneStep()
  await world.roller.run(true)
  expect(await months()).not.toEqual([])
})

it('no month is put together while clicks are left for later', async () => {
  await rollOneStep()
  await world.recordSome(100)
  let looks = 0
  await world.roller.run(true, () => looks++ === 0)
  expect(await months()).toEqual([])
  await world.rollAll()
  expect(await months()).not.toEqual([])
})

it('as a table they are the same, and harmless in a spreadsheet', async () => {
  await world.recordSome(40)
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

it('a cell of the table is written as in the export of links', async () => {
  await world.recordSome(10)
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
])('who accepts %s is given %s', async (accept, form) => {
  const { headers } = await service.call('GET', '/v1/analytics', { headers: { accept } })
  expect(headers.get('content-type')).toContain(form)
})
