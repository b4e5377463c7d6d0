/** The number of values with their own count is limited per dimension, link or workspace, and day. */
import { DataSource } from 'typeorm'

import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { createClick } from '../../support/factories/clicks.js'
import { lowestIdAt, newId } from '../../../src/platform/database/ids.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const cap = 10

let service: Service
let world: ClickWorld
beforeAll(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(3))
  world.roller.valuesPerDay = cap
  await world.makeLinks(1)
})
afterAll(() => service.stop())

const today = Math.floor(Date.now() / dayMs) * dayMs

/** Records clicks of one day with these campaigns, and counts them. */
async function recordCampaigns(day: number, campaigns: string[]): Promise<void> {
  const occurredAt = new Date(day + 60_000)
  const { linkId, workspaceId, slug } = world.links[0]!
  await world.recordClicks(
    campaigns.map((utmCampaign) =>
      createClick(
        { linkId, workspaceId, slug },
        { id: lowestIdAt(occurredAt).slice(0, 13) + newId().slice(13), occurredAt, utmCampaign },
      ),
    ),
  )
  await world.rollAll()
}

const junkCampaigns = (name: string) =>
  Array.from({ length: 30 }, (_, i) => `${name}-${String(i).padStart(2, '0')}`)
const get = async (query: string) =>
  (await service.call('GET', `/v1/analytics?start=${iso(today)}&end=${iso(today + dayMs)}&${query}`)).body
const iso = (time: number) => new Date(time).toISOString()

it('keeps a campaign of earlier days, and counts the other values in `other`', async () => {
  await recordCampaigns(today - dayMs, ['spring', ...junkCampaigns('before').slice(0, 4)])
  await recordCampaigns(today, junkCampaigns('first'))
  await recordCampaigns(today, ['spring', ...junkCampaigns('second'), 'spring'])

  const { meta, totals, data, other } = await get('group_by=utm_campaign')
  expect(meta.truncated).toBe(true)
  expect(totals.clicks).toBe(62)
  expect(data[0]).toMatchObject({ key: 'spring', clicks: 2 })
  // A fifth of the values is reserved for values of the days before.
  expect(data).toHaveLength(1 + (cap * 4) / 5)
  expect(other.clicks).toBe(62 - 2 - 8)
  expect((await get('utm_campaign=spring')).totals.clicks).toBe(2)
})

it('counts a value without its own count exactly in a filter', async () => {
  for (const value of ['first-00', 'first-29', 'second-15'])
    expect((await get(`utm_campaign=${value}`)).totals.clicks).toBe(1)
  const { meta, data, totals } = await get('group_by=utm_campaign&utm_campaign=first-29&utm_campaign=spring')
  expect([meta.truncated, totals.clicks]).toEqual([false, 3])
  expect(data.map(({ key }: { key: string }) => key)).toEqual(['spring', 'first-29'])
})

it('does not truncate totals, series and links', async () => {
  for (const query of ['', 'group_by=time&granularity=hour', 'group_by=link', 'group_by=country']) {
    const { meta, totals } = await get(query)
    expect([meta.truncated, totals.clicks]).toEqual([false, 62])
  }
})

it('keeps as many values as the cap on the first day of a dimension', async () => {
  const early = today - 60 * dayMs
  await recordCampaigns(early, junkCampaigns('early'))
  const range = `start=${iso(early)}&end=${iso(early + dayMs)}`
  const { data } = (await service.call('GET', `/v1/analytics?${range}&group_by=utm_campaign`)).body
  expect(data).toHaveLength(cap)
})

it('rejects a value without its own count when its day has too many clicks', async () => {
  await service.app
    .get(DataSource)
    .query(`UPDATE click_totals SET clicks = 600000 WHERE at >= $1`, [new Date(today)])
  expect(await get('utm_campaign=second-15')).toMatchObject({ status: 422, code: 'range_too_large' })
  expect((await get('utm_campaign=spring')).totals.clicks).toBe(2)
})
