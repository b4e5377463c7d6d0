/** The lists of the dashboard: order, columns, density, and the height of their rows. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { brokenPath, fillBusyMonth } from './busy-month.js'
import type { BusyMonth } from './busy-month.js'
import {
  findCutTables,
  findViolations,
  measureOverflow,
  openPages,
  picture,
  settled,
  signedIn,
} from './pages.js'
import type { Pages } from './pages.js'

const longTitle = 'A title that is much longer than the column that shows it '.repeat(3).trim()
const tags = Array.from({ length: 20 }, (_, index) => `campaign-${index}`)

describeWithChromium('the lists', () => {
  let pages: Pages
  let busy: BusyMonth
  const lists: [name: string, path: string][] = []
  beforeAll(async () => {
    pages = await openPages(({ path }, response) =>
      path === brokenPath
        ? void response.writeHead(500).end('the disk is full')
        : void response.end('thanks'),
    )
    busy = await fillBusyMonth(pages.sending)
    const { receiver, service } = pages.sending
    const long = await pages.api('POST', '/links', {
      url: `https://example.com/${'path/'.repeat(60)}`,
      slug: 'L'.repeat(64),
      title: longTitle,
      tags,
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    })
    await pages.api('POST', '/webhooks', {
      url: `${receiver.origin}/${'path/'.repeat(30)}`,
      events: ['link.updated'],
      description: longTitle,
    })
    await pages.api('POST', '/auth/token', { name: longTitle.slice(0, 100), scopes: ['links:read'] })
    await service.call('PATCH', `/v1/links/${long.id}`, { body: { title: `${longTitle}!`, note: 'changed' } })
    lists.push(
      ['links', '/links'],
      ['webhooks', '/webhooks'],
      ['deliveries', `/webhooks/${busy.webhookId}`],
      ['events', '/events'],
      ['tokens', '/settings/tokens'],
      ['audit-log', '/settings/audit-log'],
    )
  }, 120_000)
  afterAll(() => pages.stop())

  const open = (path: string, width = 1400) => signedIn(pages, pages.token, path, { width })
  const header = (page: Page, name: string) => page.getByRole('columnheader', { name, exact: true })
  const sortBy = (page: Page, name: string) => header(page, name).getByRole('button').click()
  const mainTexts = async (page: Page) =>
    (await page.locator('[data-row]').allTextContents()).map((text) => text.trim())

  it('sorts links by their headers, in the API and in the URL', async () => {
    const { page, context, messages } = await open('/links')
    const slugs = async (sort: string) =>
      (await pages.api('GET', `/links?limit=50&sort=${sort}`)).data.map(({ slug }: any) => `/${slug}`)
    const shows = async (sort: string) => {
      const expected = await slugs(sort)
      await page.locator('tbody tr').first().getByText(expected[0], { exact: true }).waitFor()
      expect(await mainTexts(page)).toEqual(expected)
    }
    await shows('-created_at')
    expect(await header(page, 'Created').getAttribute('aria-sort')).toBe('descending')
    await sortBy(page, 'Clicks')
    await page.waitForURL(/\?sort=-clicks$/)
    await shows('-clicks')
    expect(await header(page, 'Clicks').getAttribute('aria-sort')).toBe('descending')
    expect(await header(page, 'Created').getAttribute('aria-sort')).toBeNull()
    await sortBy(page, 'Created')
    await page.waitForURL(({ search }) => search === '')
    await sortBy(page, 'Created')
    await page.waitForURL(/\?sort=created_at$/)
    await page.reload()
    await shows('created_at')
    expect(await header(page, 'Created').getAttribute('aria-sort')).toBe('ascending')
    await page.goBack()
    await shows('-created_at')
    // The API cannot sort by these columns, and a list of many pages is not sorted in the browser.
    for (const name of ['Link', 'Destination', 'Tags', 'Last click'])
      expect(await header(page, name).getByRole('button').count()).toBe(0)
    expect(messages).toEqual([])
    await context.close()
  })

  it('clears the search field with the filters, and cancels a pending search on another page', async () => {
    const { page, context } = await open('/links')
    const field = page.getByLabel('Search slug, URL or title')
    await field.fill('matches nothing')
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await waitFor('the empty field', async () => (await field.inputValue()) === '')
    // The user types and leaves within one task, so that the search is always pending.
    await page.evaluate(`(() => {
      const field = document.querySelector('[data-search]')
      field.value = 'late'
      field.dispatchEvent(new Event('input', { bubbles: true }))
      document.querySelector('nav a[href$="/webhooks"]').click()
    })()`)
    // Ends later than the timer of the search.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 300))')
    expect(page.url()).toBe(`${pages.origin}/dashboard/webhooks`)
    await context.close()
  })

  it('sorts tokens and webhooks in the browser', async () => {
    const { page, context } = await open('/settings/tokens?sort=name')
    const { data } = await pages.api('GET', '/auth/tokens?limit=100')
    const byName = data
      .map(({ name }: any) => name)
      .sort(new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare)
    const getName = (text: string) => text.replace(/ current$/, '')
    await page.locator('[data-row]').first().waitFor()
    expect((await mainTexts(page)).map(getName)).toEqual(byName)
    await sortBy(page, 'Name')
    await page.waitForURL(/\?sort=-name$/)
    expect(getName((await mainTexts(page))[0]!)).toBe(byName.at(-1))
    await page.goto(`${pages.origin}/dashboard/webhooks`)
    await sortBy(page, 'Webhook')
    await page.waitForURL(/\?sort=name$/)
    const shown = await mainTexts(page)
    expect(shown).toHaveLength(4)
    expect(shown).toEqual([...shown].sort())
    await sortBy(page, 'Pending')
    await page.waitForURL(/\?sort=-pending$/)
    const pending = await page.locator('td[data-name=Pending]').allTextContents()
    expect(pending.map(Number)).toEqual(pending.map(Number).sort((one, other) => other - one))
    await context.close()
  })

  it('does not sort webhooks while only some of them are loaded', async () => {
    const { page, context } = await open('/settings/service')
    await page.route(/\/v1\/webhooks\?/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...(await response.json()), has_more: true, next_cursor: 'more' } })
    })
    const { data } = await pages.api('GET', '/webhooks')
    await page.goto(`${pages.origin}/dashboard/webhooks?sort=name`)
    await page.locator('[data-row]').first().waitFor()
    expect(await mainTexts(page)).toEqual(data.map(({ description }: any) => description))
    expect(await page.locator('th button').count()).toBe(0)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })

  it('shows an attempt that is due as now', async () => {
    const { page, context } = await open('/settings/service')
    await page.route(/\/v1\/webhooks\?/, async (route) => {
      const body = await (await route.fetch()).json()
      const dueAt = new Date(Date.now() + 1_900).toISOString()
      await route.fulfill({
        json: { ...body, data: body.data.map((each: object) => ({ ...each, next_attempt_at: dueAt })) },
      })
    })
    await page.goto(`${pages.origin}/dashboard/webhooks`)
    await page.locator('[data-row]').first().waitFor()
    expect(await page.locator('td[data-name="Next attempt"]').first().textContent()).toBe('now')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })

  it('remembers the columns and the density of each list', async () => {
    const { page, context, messages } = await open('/links')
    const headers = async () =>
      (await page.locator('th:not(.select)').allInnerTexts()).map((text) => text.split('\n')[0])
    const initial = ['Link', 'Destination', 'Tags', 'Clicks', 'Last click', 'Created']
    await page.locator('[data-row]').first().waitFor()
    expect(await headers()).toEqual(initial)
    await page.getByRole('button', { name: 'Columns' }).click()
    const menu = page.getByRole('group', { name: 'Columns' })
    await menu.getByLabel('Tags').uncheck()
    await menu.getByLabel('External ID').check()
    await page.getByRole('button', { name: 'Compact' }).click()
    await picture(page, 'columns-menu')
    expect(await findViolations(page)).toEqual([])
    const changed = [...initial.filter((name) => name !== 'Tags'), 'External ID']
    expect(await headers()).toEqual(changed)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Compact' }).waitFor({ state: 'hidden' })
    await page.reload()
    await page.locator('[data-row]').first().waitFor()
    expect(await headers()).toEqual(changed)
    expect(await measureRowHeights(page)).toEqual([32])
    await settled(page)
    await picture(page, 'links-compact')
    await page.goto(`${pages.origin}/dashboard/events`)
    await page.locator('[data-row]').first().waitFor()
    expect(await measureRowHeights(page)).toEqual([44])
    expect(messages).toEqual([])
    await context.close()
  })

  it.each([1400, 1100, 390])(
    'shows each row in its lines at %i',
    async (width) => {
      const { page, context, messages } = await open('/settings/service', width)
      const wrong: string[] = []
      for (const [name, path] of lists) {
        await page.goto(`${pages.origin}/dashboard${path}`)
        await page.locator('.list tbody tr, .list-lines li').first().waitFor()
        await settled(page)
        await picture(page, `list-${name}-${width}`)
        const heights = await measureRowHeights(page)
        const isRight =
          width > 1024
            ? heights.length === 1 && heights[0] === 44
            : Math.max(...heights) <= 66 && (await measureTallestLine(page)) <= 30
        if (!isRight) wrong.push(`${name}: rows of ${heights.join(', ')} pixels`)
        if ((await measureOverflow(page)) > 0) wrong.push(`${name}: is wider than the window`)
        wrong.push(...(await findCutTables(page)).map((table) => `${name}: ${table} is cut`))
        wrong.push(...(await findUntitledCells(page)).map((text) => `${name}: cuts "${text}"`))
        // every-page.spec.ts checks the colors of both schemes.
        wrong.push(...(await findViolations(page)).map((finding) => `${name}: ${finding}`))
      }
      expect(wrong).toEqual([])
      expect(messages).toEqual([])
      await context.close()
    },
    180_000,
  )
})

/** Returns the distinct heights of the rows in pixels. */
function measureRowHeights(page: Page): Promise<number[]> {
  return page.evaluate<
    number[]
  >(`[...new Set([...document.querySelectorAll('.list tbody tr:not(:last-child), .list-lines li')]
    .map((row) => Math.round(row.getBoundingClientRect().height)))]`)
}

function measureTallestLine(page: Page): Promise<number> {
  return page.evaluate<number>(
    `Math.max(...[...document.querySelectorAll('.list-line')].map((line) => line.getBoundingClientRect().height))`,
  )
}

/** Returns the texts of table cells that are cut off without a tooltip that shows the rest. */
function findUntitledCells(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.list td, .list .cut, .list .row-button')]
    .filter((each) => each.scrollWidth > each.clientWidth && !each.closest('[title]') && !each.querySelector('[title]'))
    .map((each) => each.textContent)`)
}
