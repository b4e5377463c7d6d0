/** Erasing a visitor reads only the clicks of one day, however many clicks other weeks have. */
import { DataSource } from 'typeorm'

import { clickPartitions } from '../../../src/clicks/click.entity.js'
import { VisitorErasure } from '../../../src/clicks/visitor-erasure.js'
import { decodeId, encodeId, getIdTime } from '../../../src/platform/database/ids.js'
import { createPartitions, partitionsBetween } from '../../../src/platform/database/partitions.js'
import { makeClick } from '../../support/factories/clicks.js'
import { makeLink } from '../../support/factories/links.js'
import { type Plan, Statements } from '../../support/plans.js'
import { countRounds } from '../../support/rounds.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const weekMs = 7 * 86_400_000
const otherWeeks = 4
const clicksOfWeek = countRounds(12_500_000, 3_000)

let service: Service
let dataSource: DataSource
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'api' } })
  dataSource = service.app.get(DataSource)
  const from = new Date(Date.now() - (otherWeeks + 1) * weekMs)
  const weeks = partitionsBetween(clickPartitions, from, new Date())
  await dataSource.transaction((tx) => createPartitions(tx, weeks))
})
afterAll(() => service.stop())

/** Copies a click to other times, for the same or another visitor. */
async function copyClick(id: string, from: number, count: number, everyMs: number, visitor: string) {
  await service.db.query(
    `INSERT INTO clicks (id, tx, workspace_id, link_id, slug, url, occurred_at, bot, visitor,
       country, utm_source, utm_medium, utm_campaign, utm_term, utm_content, source)
     SELECT (lpad(to_hex($2::bigint + n * $4::bigint), 12, '0') || '7000' || left(replace(gen_random_uuid()::text, '-', ''), 16))::uuid,
       tx, workspace_id, link_id, slug, url, occurred_at, bot, $5,
       country, utm_source, utm_medium, utm_campaign, utm_term, utm_content, source
     FROM (SELECT * FROM clicks WHERE id = $1) AS template, generate_series(1, $3::int) AS n`,
    [id, from, count, everyMs, visitor],
  )
}

it('reads only the week of the click', async () => {
  const link = await makeLink(service)
  const click = await makeClick(service, link)
  const id = decodeId('clk', click)!
  await service.db.query(`UPDATE clicks SET visitor = 'anna' WHERE id = $1`, [id])
  const now = getIdTime(id).getTime()
  for (let week = 2; week <= otherWeeks + 1; week++)
    await copyClick(id, now - week * weekMs, clicksOfWeek, Math.floor(weekMs / clicksOfWeek), 'anna')
  await service.db.query('ANALYZE clicks')

  const statements = new Statements(service)
  const erasure = new VisitorErasure(dataSource)
  const startedAt = performance.now()
  const { plans, result } = await statements.collectPlans(
    () => erasure.eraseVisitorOfClick(click),
    /UPDATE clicks/,
  )
  const took = performance.now() - startedAt
  expect(result).toBe(1)
  expect(plans).toHaveLength(1)
  const [{ rowsRead, blocks }] = plans as [Plan]
  console.log(
    `reads ${rowsRead} of ${otherWeeks * clicksOfWeek + 1} clicks in ${blocks} blocks; ${took.toFixed(0)} ms`,
  )
  expect(rowsRead).toBeLessThan(10)
  expect(blocks).toBeLessThan(50)
}, 3_600_000)

it('erases all clicks of the visitor on that day, with their campaigns, and no others', async () => {
  const link = await makeLink(service)
  const click = await makeClick(service, link)
  const id = decodeId('clk', click)!
  await service.db.query(
    `UPDATE clicks SET visitor = 'bert', utm_source = 'mail', utm_medium = 'email', utm_campaign = 'may',
       utm_term = 'bert', utm_content = 'bert@example.com', source = 'qr', country = 'DE'
     WHERE id = $1`,
    [id],
  )
  const now = getIdTime(id).getTime()
  const midnight = Math.floor(now / 86_400_000) * 86_400_000
  await copyClick(id, midnight, 3, 1_000, 'bert')
  await copyClick(id, midnight, 2, 1_000, 'carla')
  await copyClick(id, midnight - 10_000, 1, 1_000, 'bert')

  expect(await new VisitorErasure(dataSource).eraseVisitorOfClick(click)).toBe(4)
  const unchanged = { source: 'qr', country: 'DE' }
  const erased = { visitor: null, campaign: [null, null, null, null, null], ...unchanged }
  const rows = await service.db.query<{ visitor: string | null }>(
    `SELECT visitor, ARRAY[utm_source, utm_medium, utm_campaign, utm_term, utm_content] AS campaign, source, country
     FROM clicks WHERE link_id = $1 ORDER BY visitor NULLS FIRST`,
    [decodeId('lnk', link.id)],
  )
  expect(rows.slice(0, 4)).toEqual(Array(4).fill(erased))
  expect(rows.slice(4).map(({ visitor }) => visitor)).toEqual(['bert', 'carla', 'carla'])
})

it('returns null for a click that does not exist', async () => {
  const missing = encodeId('clk', '019aa43d-a7e4-7a23-b50f-a7a0985699ae')
  expect(await new VisitorErasure(dataSource).eraseVisitorOfClick(missing)).toBeNull()
})
