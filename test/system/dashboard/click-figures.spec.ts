/** Clicks, visitors and bots have the same names and measure in all figures of a page. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findViolations, openBusyPages, settled, signedIn } from './pages.js'
import type { BusyPages } from './pages.js'

const dayMs = 86_400_000

describeWithChromium('click figures', () => {
  let pages: BusyPages
  beforeAll(async () => {
    pages = await openBusyPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const utcDay = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10)
  const figure = (page: Page, name: string) =>
    page.locator('.figure', { has: page.getByText(name, { exact: true }) })
  const getFigureValue = (page: Page, name: string) =>
    figure(page, name).locator('.figure-value').textContent()
  const formatted = (value: number) => value.toLocaleString('en')
  /** Returns the numbers in a column of a card. */
  const column = (page: Page, card: string, n: number) =>
    page.getByRole('region', { name: card }).locator(`tbody .num:nth-child(${n})`).allTextContents()

  it.each([
    ['the overview', () => '/', () => ''],
    ['a link', () => `/links/${pages.busy.linkId}`, () => `/links/${pages.busy.linkId}`],
  ])('leads with human clicks and visitors on %s', async (_name, path, resource) => {
    const { page, context, messages } = await signedIn(pages, pages.token, path(), { timezoneId: 'UTC' })
    await settled(page)
    const { totals } = await pages.api('GET', `${resource()}/analytics?interval=30d`)
    const names = page.locator('.figure-name > span:first-child')
    expect(await names.allTextContents()).toEqual(['Human clicks', 'Visitors', 'Bots'])
    expect(await getFigureValue(page, 'Human clicks')).toBe(formatted(totals.human))
    expect(await getFigureValue(page, 'Visitors')).toBe(formatted(totals.visitors))
    expect(await getFigureValue(page, 'Bots')).toBe(formatted(totals.clicks - totals.human))
    expect(messages).toEqual([])
    await context.close()
  })

  it('counts all clicks in tiles, chart and tables with "Include bots"', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/', { timezoneId: 'UTC' })
    await page.getByRole('switch', { name: 'Include bots' }).check()
    await page.waitForURL(/[?&]bots=1$/)
    await settled(page)
    const analytics = (query: string) => pages.api('GET', `/analytics?interval=30d&${query}`)
    const { totals, data } = await analytics('group_by=browser&limit=8')
    expect(await getFigureValue(page, 'All clicks')).toBe(formatted(totals.clicks))
    const counts = data.map(({ clicks }: any) => clicks)
    await page.getByRole('region', { name: 'Devices' }).locator('tbody tr').first().waitFor()
    expect(await column(page, 'Devices', 2)).toEqual(counts.map(formatted))
    const shares = (await column(page, 'Devices', 3)).map(parseFloat)
    for (const [index, count] of counts.entries())
      expect(shares[index]).toBeCloseTo((100 * count) / totals.clicks, 0)
    const series = await analytics('group_by=time&granularity=day')
    const charted = await page.locator('.chart tbody td:nth-child(2)').allTextContents()
    expect(charted).toEqual(series.data.map(({ clicks }: any) => formatted(clicks)))
    expect(await findViolations(page)).toEqual([])
    expect(messages).toEqual([])
    await context.close()
  })

  it('shows the visitors of the covered UTC days in another time zone', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?interval=7d', {
      timezoneId: 'Asia/Kolkata',
    })
    await settled(page)
    const start = await page.evaluate<string>(
      'new Date(new Date().setHours(0, 0, 0, 0) - 6 * 86_400_000).toISOString().slice(0, 10)',
    )
    const { totals } = await pages.api('GET', `/analytics?start=${start}&end=${utcDay(1)}`)
    expect(await getFigureValue(page, 'Visitors')).toBe(formatted(totals.visitors))
    expect(await figure(page, 'Visitors').textContent()).toMatch(/once per UTC day\. \d+/)
    await context.close()
  })

  it('keeps the visitors tile under a filter, and explains why it has no number', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?country=DE')
    await settled(page)
    expect(await getFigureValue(page, 'Visitors')).toBe('–')
    await figure(page, 'Visitors').getByText('Not shown with filters').waitFor()
    await context.close()
  })

  it('shows no percentage when there was no data before the period', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?interval=90d')
    await settled(page)
    for (const name of ['Human clicks', 'Visitors'])
      expect(await figure(page, name).textContent()).toContain('no earlier data')
    expect(await figure(page, 'Human clicks').textContent()).not.toContain('%')
    const before = await page.locator('.chart tbody td:nth-child(3)').allTextContents()
    expect(new Set(before)).toEqual(new Set(['–']))
    await context.close()
  })
})
