/** Loads the overview with an empty cache, on an installation with a failing webhook and an open checklist. */
import type { BrowserContext, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { brokenPath } from './busy-month.js'
import { openBusyPages, picture, settled, signedIn } from './pages.js'
import type { BusyPages } from './pages.js'

/** The calls of the parts that appear above the charts. */
const callsAbove = /\/api\/v1\/(?:links|webhooks|auth\/token|instance\/deliveries)$/

/** Records each shift with the elements that moved, and their top edges before and after. */
const recordShifts = `globalThis.shifts = []
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    globalThis.shifts.push({
      value,
      moved: sources.map(({ node, previousRect, currentRect }) =>
        (node?.className || node?.nodeName) + ' from ' + previousRect.y + ' to ' + currentRect.y),
    })
}).observe({ type: 'layout-shift', buffered: true })`

/** Lets the page wait longer for the parts above the charts than its second, in which a busy machine may not load them. */
const waitLonger = `globalThis.setTimeout = ((original) => (work, ms, ...args) =>
  original(work, ms === 1000 ? 60000 : ms, ...args))(setTimeout.bind(globalThis))`

interface Shift {
  value: number
  moved: string[]
}

describeWithChromium('the layout of the overview', () => {
  let pages: BusyPages
  let storageState: Awaited<ReturnType<BrowserContext['storageState']>>
  beforeAll(async () => {
    pages = await openBusyPages(({ path }, response) => {
      response.writeHead(path === brokenPath ? 500 : 200).end()
    })
    // Only tokens for signing in remain, so the last step of the checklist is open.
    await pages.sending.service.db.query(`UPDATE tokens SET name = 'dashboard', created_by = NULL`)
    await waitFor('the clicks to be counted', async () => {
      const { totals } = await pages.api('GET', '/analytics?interval=30d')
      return totals.clicks > 0
    })
    const { context } = await signedIn(pages, pages.token)
    storageState = await context.storageState()
    await context.close()
  }, 120_000)
  afterAll(() => pages.stop())

  /** Loads the overview and runs `work` while the calls to some paths wait. Then waits until all parts are shown. */
  async function coldLoad(
    held: RegExp,
    { width, scripts = [] }: { width: number; scripts?: string[] },
    work: (page: Page) => Promise<unknown>,
  ): Promise<Shift[]> {
    const context = await pages.browser.newContext({ storageState, viewport: { width, height: 900 } })
    for (const script of [recordShifts, ...scripts]) await context.addInitScript(script)
    const page = await context.newPage()
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(
      ({ pathname }) => held.test(pathname),
      (route) => released.then(() => route.continue()),
    )
    await page.goto(`${pages.origin}/dashboard/`)
    await work(page)
    release()
    for (const text of ['Webhooks needing attention', 'Get started', 'Human clicks'])
      await page.getByText(text, { exact: true }).first().waitFor()
    await settled(page)
    await picture(page, `layout-shift-${width}`)
    const shifts = await page.evaluate<Shift[]>('shifts')
    await context.close()
    return shifts
  }

  it.each([1400, 390])('does not shift while its parts load at %i', async (width) => {
    const shifts = await coldLoad(callsAbove, { width, scripts: [waitLonger] }, async (page) => {
      await page.locator('.bone').first().waitFor({ state: 'attached' })
      // The placeholders are painted, unless they are hidden.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    })
    const total = shifts.reduce((sum, { value }) => sum + value, 0)
    // Without shifts, or with the list of those that are too large in total.
    expect(total < 0.05 ? [] : shifts).toEqual([])
  })

  it('shows the charts although a part above them is slow', async () => {
    await coldLoad(/\/api\/v1\/webhooks$/, { width: 1400 }, async (page) => {
      await page.getByText('Human clicks', { exact: true }).first().waitFor()
      expect(await page.getByText('Webhooks needing attention').count()).toBe(0)
    })
  })
})
