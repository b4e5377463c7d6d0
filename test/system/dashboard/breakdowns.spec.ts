/** Breakdowns by every dimension, in cards with tabs. Each row is a filter. */
import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { findViolations, openBusyPages, settled, signedIn } from './pages.js'
import type { BusyPages } from './pages.js'

const tabs = {
  Sources: ['Referrers', 'Campaigns', 'UTM', 'Link or QR'],
  Locations: ['Countries', 'Regions', 'Cities'],
  Devices: ['Browsers', 'OS', 'Devices', 'Languages'],
}

describeWithChromium('breakdowns', () => {
  let pages: BusyPages
  beforeAll(async () => {
    pages = await openBusyPages()
  }, 120_000)
  afterAll(() => pages.stop())

  it.each([
    ['the overview', () => '/'],
    ['a link', () => `/links/${pages.busy.linkId}`],
  ])(
    'has a tab for every dimension on %s',
    async (_name, path) => {
      const { page, context, messages } = await signedIn(pages, pages.token, path())
      for (const [card, names] of Object.entries(tabs)) {
        const region = page.getByRole('region', { name: card, exact: true })
        await region.getByRole('button').first().waitFor()
        expect(await region.getByRole('button').allTextContents()).toEqual(names)
        for (const name of names) {
          await region.getByRole('button', { name, exact: true }).click()
          await region.locator('tbody tr').first().waitFor()
        }
      }
      expect(await findViolations(page)).toEqual([])
      expect(messages).toEqual([])
      await context.close()
    },
    180_000,
  )

  it('filters by rows of several cards, and clears the filters', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/?places=city', { timezoneId: 'UTC' })
    const places = page.getByRole('region', { name: 'Locations' })
    await places.getByRole('link', { name: 'Berlin, Germany' }).click()
    await page.waitForURL(/[?&]city=Berlin$/)
    const devices = page.getByRole('region', { name: 'Devices' })
    await devices.getByRole('link', { name: 'Firefox' }).click()
    await page.waitForURL(/[?&]city=Berlin&browser=Firefox$/)
    await settled(page)
    const chips = page.getByRole('list', { name: 'Filters' }).locator('li')
    expect(await chips.allTextContents()).toEqual([
      'City: Berlin×, remove filter',
      'Browser: Firefox×, remove filter',
      'Clear filters',
    ])
    const { totals } = await pages.api('GET', '/analytics?interval=30d&city=Berlin&browser=Firefox')
    await page
      .locator('.figure-value')
      .getByText(totals.human.toLocaleString('en'), { exact: true })
      .waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.waitForURL(/\/\?places=city$/)
    await context.close()
  })

  it('loads the world map only when it is shown, and filters by a clicked country', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/?places=city', {
      timezoneId: 'UTC',
    })
    const scripts: string[] = []
    page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
    const mapScripts = () => scripts.filter((path) => path.includes('world-paths'))
    const places = page.getByRole('region', { name: 'Locations' })
    await places.locator('tbody tr').first().waitFor()
    expect(mapScripts()).toEqual([])
    await places.getByRole('button', { name: 'Countries' }).click()
    const germany = places.locator('path[data-country=DE]')
    await germany.waitFor()
    expect(mapScripts()).toHaveLength(1)
    expect(await places.locator('path.clicked').count()).toBe(
      (await pages.api('GET', '/analytics?interval=30d&group_by=country')).data.length,
    )
    await germany.hover()
    await places.locator('.world-label').getByText('Germany').waitFor()
    await germany.click()
    await page.waitForURL(/[?&]country=DE$/)
    await waitFor('the filter', async () => (await places.locator('path.clicked').count()) === 1)
    expect(messages).toEqual([])
    await context.close()
  })

  it('colors no country on the map for clicks from an unknown country', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/')
    await page.route('**/analytics?*group_by=country*', async (route) => {
      const response = await route.fetch()
      const analytics = await response.json()
      analytics.data = [{ key: null, clicks: 5, human: 5, visitors: null }]
      await route.fulfill({ response, json: analytics })
    })
    await page.reload()
    const places = page.getByRole('region', { name: 'Locations' })
    await places.getByText('Unknown').waitFor()
    await places.locator('path[data-country=DE]').waitFor()
    expect(await places.locator('path.clicked').count()).toBe(0)
    await context.close()
  })
})
