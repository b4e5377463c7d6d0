/** Periods and filters are part of the URL, and the figures match the API. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findViolations, numberIn, openBusyPages, picture, settled, signedIn } from './pages.js'
import type { BusyPages } from './pages.js'

const dayMs = 86_400_000

describeWithChromium('periods and filters', () => {
  let pages: BusyPages
  beforeAll(async () => {
    pages = await openBusyPages()
  }, 120_000)
  afterAll(() => pages.stop())

  // The dates stay the same if the tests run past midnight.
  const now = Date.now()
  const dateBack = (days: number) => new Date(now - days * dayMs).toISOString().slice(0, 10)

  async function analytics(page: Page, path: string, query: string): Promise<any> {
    const timezone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
    return (await pages.sending.service.call('GET', `/v1${path}/analytics?timezone=${timezone}&${query}`))
      .body
  }

  /** Returns the human clicks of the period and of the previous period from the table below the chart. */
  async function readChart(page: Page, buckets: number): Promise<[number[], number[]]> {
    const table = page.locator('.chart tbody')
    await table.locator(`tr:nth-child(${buckets})`).waitFor({ state: 'attached' })
    expect(await table.locator('tr').count()).toBe(buckets)
    const column = async (n: number) =>
      (await table.locator(`td:nth-child(${n})`).allTextContents()).map(numberIn)
    return [await column(2), await column(3)]
  }

  const people = (response: any): number[] => response.data.map(({ human }: any) => human)

  it.each([
    ['the overview', () => '/', ''],
    ['a link', () => `/links/${pages.busy.linkId}`, 'link'],
  ])('shows a date range and the previous range on %s', async (_name, path, kind) => {
    const { page, context, messages } = await signedIn(pages, pages.token, path())
    await page.getByRole('button', { name: 'Custom' }).click()
    const form = page.getByRole('dialog', { name: 'Custom period' })
    const [from, to] = [dateBack(20), dateBack(11)]
    await form.getByLabel('First day').fill(to)
    await form.getByLabel('Last day').fill(from)
    await form.getByText('The last day must not be before the first day.').waitFor()
    expect(await form.getByRole('button', { name: 'Show clicks' }).isDisabled()).toBe(true)
    await picture(page, `dates${kind}`)
    expect(await findViolations(page)).toEqual([])
    await form.getByLabel('First day').fill(from)
    await form.getByLabel('Last day').fill(to)
    await form.getByRole('button', { name: 'Show clicks' }).click()
    await page.waitForURL(new RegExp(`[?&]from=${from}&to=${to}$`))

    const place = kind === 'link' ? `/links/${pages.busy.linkId}` : ''
    const days = 'group_by=time&granularity=day'
    const shown = await analytics(page, place, `${days}&start=${from}&end=${dateBack(10)}`)
    const before = await analytics(page, place, `${days}&start=${dateBack(30)}&end=${from}`)
    expect(people(shown)).toHaveLength(10)
    expect(await readChart(page, 10)).toEqual([people(shown), people(before)])

    // The URL alone restores the range.
    await page.reload()
    expect(await readChart(page, 10)).toEqual([people(shown), people(before)])
    expect(await page.locator('[aria-label="Period"] [aria-pressed=true]').textContent()).toMatch(/ 20\d\d$/)
    await page.getByRole('button', { name: '7 days', exact: true }).click()
    await readChart(page, 7)
    expect(page.url()).not.toMatch(/from=|to=/)
    expect(messages).toEqual([])
    await context.close()
  })

  it('shows 30 days for invalid dates', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?from=2026-02-30&to=2026-03-01')
    await readChart(page, 30)
    await page.goto(`${pages.origin}/dashboard/?from=2026-03-02&to=2026-03-01`)
    await readChart(page, 30)
    await context.close()
  })

  it('filters the overview by a clicked row until the filter is removed', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/?interval=7d')
    const card = page.getByRole('region', { name: 'Devices' })
    await card.getByRole('button', { name: 'OS' }).click()
    await page.waitForURL(/[?&]devices=os$/)
    await card.getByRole('button', { name: 'Browsers' }).click()
    await page.waitForURL(/interval=7d$/)
    await card.getByRole('link', { name: 'Firefox' }).click()
    await page.waitForURL(/[?&]browser=Firefox$/)
    await page.getByRole('list', { name: 'Filters' }).getByText('Browser: Firefox').waitFor()
    await settled(page)
    const query = 'interval=7d&browser=Firefox'
    const series = await analytics(page, '', `${query}&group_by=time&granularity=day`)
    expect((await readChart(page, 7))[0]).toEqual(people(series))
    const { data: top } = await analytics(page, '', `${query}&group_by=link&limit=8&sort=-human`)
    const counts = page.getByRole('region', { name: 'Top links' }).locator('tbody .num:nth-child(2)')
    expect(await counts.allTextContents()).toEqual(top.map(({ human }: any) => String(human)))
    await picture(page, 'overview-filtered')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'remove filter' }).click()
    await page.getByRole('list', { name: 'Filters' }).waitFor({ state: 'detached' })
    expect(messages).toEqual([])
    await context.close()
  })
})
