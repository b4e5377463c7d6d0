/** Opens every page at two widths, in light and dark mode, and checks accessibility, layout and console messages. */
import { describeWithChromium } from '../../support/chromium.js'
import { selfSigned } from '../../support/certificates.js'
import { startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { waitFor } from '../../support/wait-for.js'
import { brokenPath, hangingPath } from './busy-month.js'
import {
  findCutTables,
  findJargon,
  findingsInBothSchemes,
  measureOverflow,
  numberIn,
  openBusyPages,
  settled,
  signedIn,
} from './pages.js'
import type { BusyPages } from './pages.js'

describeWithChromium('every page', () => {
  let pages: BusyPages
  const paths: [name: string, path: string][] = []
  let untrusted: HostileReceiver
  beforeAll(async () => {
    untrusted = await startHostileReceiver(() => undefined, { tls: selfSigned() })
    pages = await openBusyPages(
      ({ path }, response) => {
        if (path === brokenPath)
          response.writeHead(500, { 'content-type': 'text/plain' }).end('the disk is full')
        else if (path !== hangingPath) response.end('thanks')
      },
      { WEBHOOK_TIMEOUT: '2s' },
      [
        [hangingPath, 'Billing'],
        [untrusted.url, 'Data lake'],
      ],
    )
    const { linkId, webhookId, deliveryId, eventId } = pages.busy
    paths.push(
      ['overview', '/'],
      ['overview-filtered', '/?bots=1&country=DE&device=mobile&places=city'],
      ['links', '/links'],
      ['links-none', '/links?q=nothing-like-that'],
      ['link-new', '/links?new=1'],
      ['links-import', '/links?new=many'],
      ['link', `/links/${linkId}`],
      ['link-filtered', `/links/${linkId}?interval=7d&country=DE&referrer_host=`],
      ['link-live', `/links/${linkId}?tab=live`],
      ['link-details', `/links/${linkId}?tab=details`],
      ['link-history', `/links/${linkId}?tab=history`],
      ['webhooks', '/webhooks'],
      ['webhook-new', '/webhooks?new=1'],
      ['webhook', `/webhooks/${webhookId}`],
      ['webhook-test', `/webhooks/${webhookId}?tab=test`],
      ['webhook-replay', `/webhooks/${webhookId}?tab=replay`],
      ['delivery', `/webhooks/${webhookId}/deliveries/${deliveryId}`],
      ['events', '/events'],
      ['event', `/events/${eventId}`],
      ['tokens', '/settings/tokens'],
      ['tokens-tree', '/settings/tokens?view=tree'],
      ['token-new', '/settings/tokens?new=1'],
      ['notices', '/settings/notices'],
      ['notice-target-new', '/settings/notices?new=1'],
      ['audit-log', '/settings/audit-log'],
      ['service', '/settings/service'],
      ['no-such-page', '/nowhere'],
    )
  }, 120_000)
  afterAll(async () => {
    await pages.stop()
    await untrusted.stop()
  })

  it.each([1400, 390])(
    'is accessible in both color schemes and fits the window at %i',
    async (width) => {
      const { page, context, messages } = await signedIn(pages, pages.token, '/', { width })
      const wrong: string[] = []
      for (const [name, path] of paths) {
        await page.goto(`${pages.origin}/dashboard${path}`)
        await page.locator('.shell h1').waitFor()
        await settled(page)
        const findings = await findingsInBothSchemes(page, `${name}-${width}`)
        wrong.push(...findings.map((finding) => `${name}: ${finding}`))
        if ((await measureOverflow(page)) > 0) wrong.push(`${name}: is wider than the window`)
        wrong.push(...(await findCutTables(page)).map((table) => `${name}: ${table} is cut`))
        // The descriptions of settings name the routes that they affect.
        if (name !== 'service') wrong.push(...(await findJargon(page)).map((word) => `${name}: says ${word}`))
      }
      await context.close()
      expect(wrong).toEqual([])
      expect(messages).toEqual([])
    },
    300_000,
  )

  it('shows the figures from the API, and filters them when a row is clicked', async () => {
    const { service } = pages.sending
    const { page, context } = await signedIn(pages, pages.token, `/links/${pages.busy.linkId}`)
    const timezone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
    const fetchAnalytics = async (query: string) =>
      (
        await service.call(
          'GET',
          `/v1/links/${pages.busy.linkId}/analytics?interval=30d&compare=previous&timezone=${timezone}${query}`,
        )
      ).body
    const figure = (name: string) =>
      page.locator('.figure', { has: page.getByText(name, { exact: true }) }).locator('.figure-value')
    const shows = async (query: string) => {
      const { totals } = await fetchAnalytics(query)
      await figure('Human clicks').getByText(totals.human.toLocaleString('en'), { exact: true }).waitFor()
      expect(await figure('Bots').textContent()).toBe((totals.clicks - totals.human).toLocaleString('en'))
    }
    await shows('')
    const { data } = await fetchAnalytics('&group_by=country')
    const [first] = [...data].sort((one: any, other: any) => other.human - one.human)
    const places = page.getByRole('region', { name: 'Locations' })
    const row = places.locator('tbody tr').first()
    expect(await row.locator('.num').first().textContent()).toBe(first.human.toLocaleString('en'))
    await row.getByRole('link').click()
    await page.waitForURL(new RegExp(`[?&]country=${first.key}$`))
    await shows(`&country=${first.key}`)
    await page.getByRole('link', { name: 'remove filter' }).click()
    await shows('')
    const { body: stats } = await service.call('GET', `/v1/webhooks/${pages.busy.webhookId}/stats`)
    await page.goto(`${pages.origin}/dashboard/webhooks/${pages.busy.webhookId}`)
    const statistics = page.getByRole('region', { name: 'Delivery statistics' })
    await statistics.getByText(`${stats.emitted} deliveries, all time`).waitFor()
    expect(await statistics.locator('li b').allTextContents()).toEqual(
      ['succeeded', 'pending', 'held', 'failed', 'canceled'].map((name) => String(stats[name])),
    )
    await statistics.getByRole('link', { name: 'held' }).click()
    await page.waitForURL(/[?&]status=held$/)
    await context.close()
  })

  it('shows the figures from the API on the overview', async () => {
    const { service } = pages.sending
    const { page, context } = await signedIn(pages, pages.token)
    const timezone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
    const fetchAnalytics = async (query: string) =>
      (await service.call('GET', `/v1/analytics?timezone=${timezone}&${query}`)).body
    const figure = page.locator('.figure', { has: page.getByText('Human clicks', { exact: true }) })
    const shown = async (period: string, tab: string, query: string) => {
      await page.getByRole('button', { name: tab, exact: true }).click()
      const { totals, previous } = await fetchAnalytics(`${query}&compare=previous`)
      await figure.getByText(totals.human.toLocaleString('en'), { exact: true }).waitFor()
      if (previous.human > 0)
        expect(await figure.textContent()).toContain(`from ${previous.human.toLocaleString('en')}`)
      expect(page.url()).toContain(`interval=${period}`)
    }
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
    if (timezone === 'UTC')
      await shown('today', 'Today', `start=${day(Date.now())}&end=${day(Date.now() + 86_400_000)}`)
    await shown('7d', '7 days', 'interval=7d')
    await shown('30d', '30 days', 'interval=30d')

    const { data: top } = await fetchAnalytics('interval=30d&group_by=link&limit=8&sort=-human')
    const rows = page.getByRole('region', { name: 'Top links' }).locator('tbody tr')
    await rows.first().waitFor()
    expect(await rows.locator('td:first-child').allTextContents()).toEqual(
      top.map(({ slug }: any) => `/${slug}`),
    )
    expect(await rows.locator('.num:nth-child(2)').allTextContents()).toEqual(
      top.map(({ human }: any) => human.toLocaleString('en')),
    )
    const { data: hooks } = await service.call('GET', '/v1/webhooks').then(({ body }) => body)
    const troubled = page.getByRole('region', { name: 'Webhooks needing attention' }).locator('li .row')
    await troubled.first().waitFor()
    expect(await troubled.locator('a').allTextContents()).toEqual(
      hooks
        .filter(({ failing_since: since }: any) => since !== null)
        .map(({ description, url }: any) => description ?? url),
    )
    await context.close()
  })

  it('charts the series from the API with the previous period', async () => {
    const { service } = pages.sending
    const { page, context } = await signedIn(pages, pages.token, `/links/${pages.busy.linkId}`)
    const timezone = await page.evaluate<string>('Intl.DateTimeFormat().resolvedOptions().timeZone')
    const series = async (query: string): Promise<{ human: number; clicks: number }[]> =>
      (
        await service.call(
          'GET',
          `/v1/links/${pages.busy.linkId}/analytics?group_by=time&granularity=day&timezone=${timezone}&${query}`,
        )
      ).body.data
    const both = await series('interval=90d')
    const days = (count: number, until: number) => both.slice(until - count, until)
    const table = page.getByRole('region', { name: 'Clicks over time' }).locator('details')
    for (const [tab, count] of [
      ['7 days', 7],
      ['30 days', 30],
    ] as const) {
      await page.getByRole('button', { name: tab, exact: true }).click()
      await table
        .locator('tbody tr')
        .nth(count - 1)
        .waitFor({ state: 'attached' })
      const expected = days(count, 90).map(({ human }, i) => [human, days(count, 90 - count)[i]!.human])
      const human = await table.locator('tbody td:nth-child(2)').allTextContents()
      const before = await table.locator('tbody td:nth-child(3)').allTextContents()
      const shown = human.map((text, i) => [text, before[i]].map(numberIn))
      expect(shown).toEqual(expected)
    }
    // At the right edge, the pointer is on the last day.
    const last = both.at(-1)!
    const readout = page
      .locator('.readout-row', { hasText: /^Human clicks[\d,]+$/ })
      .getByText(last.human.toLocaleString('en'), { exact: true })
    let moves = 0
    await waitFor('the figures of the last day', async () => {
      // A redrawn chart shows its readout only after the pointer moves.
      const place = await page
        .locator('.u-over')
        .boundingBox({ timeout: 1_000 })
        .catch(() => null)
      if (place) await page.mouse.move(place.x + place.width - 2, place.y + 20 + (moves++ % 2))
      return readout.isVisible()
    })
    await context.close()
  })

  it('shows the missing scope on a page that the token cannot access', async () => {
    const { token } = await pages.sending.service.mint('links:read')
    const { page, context } = await signedIn(pages, token, '/settings/tokens')
    await page.getByText('Your token cannot access this').waitFor()
    expect(await page.locator('main').textContent()).toContain('tokens:read')
    await page.goto(`${pages.origin}/dashboard/links`)
    await page.locator('[data-row]').first().waitFor()
    expect(await page.getByRole('button', { name: 'Create link' }).count()).toBe(0)
    await context.close()
  })

  it('supports keyboard shortcuts', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/links')
    await page.locator('[data-row]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/links\/lnk_/)
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL(/\/webhooks$/)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await context.close()
  })

  it('keeps the focus on the page when the focused element disappears', async () => {
    const { page, context } = await signedIn(pages, pages.token, `/links/${pages.busy.linkId}`)
    const isAtTitle = () =>
      waitFor('the title to have the focus', () =>
        page.evaluate<boolean>('document.activeElement === document.querySelector("h1")'),
      )
    const country = page.getByRole('region', { name: 'Locations' }).locator('tbody a').first()
    await country.press('Enter')
    await page.waitForURL(/[?&]country=/)
    await isAtTitle()
    await page.getByRole('link', { name: 'remove filter' }).press('Enter')
    await page.waitForURL(/^[^?]*$/)
    await isAtTitle()
    await page.goto(`${pages.origin}/dashboard/links`)
    await page.getByLabel('Select spring').press('Space')
    await page.getByRole('button', { name: 'Clear' }).press('Enter')
    await isAtTitle()
    await page.goto(`${pages.origin}/dashboard/settings/audit-log`)
    await page.getByRole('button', { name: 'Next' }).press('Enter')
    await page.waitForURL(/cursor=/)
    await isAtTitle()
    await page.goto(`${pages.origin}/dashboard/webhooks/${pages.busy.webhookId}?tab=test`)
    const send = page.getByRole('button', { name: 'Send test' })
    await send.press('Enter')
    await page.getByText('Sent test event.').waitFor()
    await waitFor('the button to have the focus again', () =>
      page.evaluate<boolean>('document.activeElement.textContent === "Send test"'),
    )
    await context.close()
  })
})
