/** Deletions of hundreds of links, whose IDs must fit into the requests of a page that is being closed. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const batches = ['one', 'two', 'three']
/** Three requests with this many IDs exceed 64 KiB. */
const batchSize = 700
/** The part of an ID that identifies its batch. */
const getBatchMark = (name: string) => name.slice(0, 3)

describeWithChromium('large deletions', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  /** Responds to a search for the name of a batch with all its links, instead of 50 links per page. */
  async function showBatches(page: Page): Promise<void> {
    const stored: { id: string } = await pages.api('POST', '/links', { url: 'https://example.com/' })
    await page.route(/\/v1\/links\?/, (route) => {
      const name = new URL(route.request().url()).searchParams.get('q') ?? ''
      const data = Array.from({ length: batches.includes(name) ? batchSize : 0 }, (_, index) => ({
        ...stored,
        id: stored.id.slice(0, -7) + getBatchMark(name) + String(index).padStart(4, '0'),
        slug: `${name}-${index}`,
      }))
      return route.fulfill({ json: { data, has_more: false, next_cursor: null } })
    })
  }
  // Locators by role are slow in a page with hundreds of rows.
  const row = (page: Page, slug: string) => page.locator(`[title="/${slug}"]`)
  async function selectBatch(page: Page, name: string): Promise<void> {
    await page.getByLabel('Search slug, URL or title').fill(name)
    await row(page, `${name}-0`).waitFor()
    await page.locator('thead').getByRole('checkbox').check()
  }
  const pressDelete = (page: Page) =>
    page.locator('.selection').getByRole('button', { name: 'Delete', exact: true }).click()
  async function deleteBatch(page: Page, name: string): Promise<void> {
    await selectBatch(page, name)
    await pressDelete(page)
    await page
      .locator('dialog')
      .getByRole('button', { name: `Delete ${batchSize} links` })
      .click()
    await page.getByText('All links on this page were deleted').waitFor()
  }

  it('are sent when the page is closed while others are in progress', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/links')
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const sent = new Set<string>()
    await page.route('**/links/bulk/delete', async (route) => {
      const { ids } = route.request().postDataJSON() as { ids: string[] }
      const mark = ids[0]!.slice(-7, -4)
      sent.add(mark)
      if (mark !== getBatchMark('three')) await released
      const results = ids.map((_, index) => ({ index, error: null }))
      await route.fulfill({ json: { deleted: ids.length, failed: 0, results } })
    })
    await showBatches(page)
    for (const name of batches) await deleteBatch(page, name)
    await waitFor('two deletions to be in progress', () => sent.size >= 2)
    await page.evaluate(`dispatchEvent(new Event('pagehide'))`)
    await waitFor('the last deletion', () => sent.has(getBatchMark('three')))
    release()
    await page.unrouteAll({ behavior: 'wait' })
    expect(messages).toEqual([])
    await context.close()
  })

  it('cannot be undone, and report only the links of the request that failed', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/links')
    await page.route('**/links/bulk/delete', (route) => {
      const { ids } = route.request().postDataJSON() as { ids: string[] }
      if (ids.length === 500)
        return route.fulfill({ status: 409, json: { code: 'conflict', detail: 'Busy.' } })
      const results = ids.map((_, index) => ({ index, error: null }))
      return route.fulfill({ json: { deleted: ids.length, failed: 0, results } })
    })
    await showBatches(page)
    for (const name of ['one', 'two']) await selectBatch(page, name)
    await pressDelete(page)
    await page.locator('dialog').getByText('This cannot be undone.').waitFor()
    await page.locator('dialog').getByRole('button', { name: 'Delete 1,400 links' }).click()
    await page.getByText('Could not delete 500 links. Busy.').waitFor()
    await row(page, 'two-0').waitFor({ state: 'detached' })
    expect(await row(page, 'two-699').count()).toBe(1)
    expect(messages).toEqual([])
    await context.close()
  })
})
