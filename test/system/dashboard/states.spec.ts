/** Each page explains a failure of the service and recovers from it. */
import type { Page, Route } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { fillBusyMonth } from './busy-month.js'
import { findViolations, measureOverflow, openPages, picture, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const problem = (status: number, code: string, detail: string, more = {}) => ({
  status,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', title: code, status, code, detail, ...more }),
})
const failures: readonly [name: string, respond: (route: Route) => Promise<void>, shown: RegExp][] = [
  [
    'refuses a call',
    (route) =>
      route.fulfill(
        problem(403, 'insufficient_scope', 'The token lacks a scope.', { required: ['webhooks:read'] }),
      ),
    /Missing scope: webhooks:read/,
  ],
  [
    'limits the rate',
    (route) => route.fulfill(problem(429, 'rate_limited', 'Too many calls. Wait a moment.')),
    /Too many calls\. Wait a moment\./,
  ],
  [
    'fails',
    (route) => route.fulfill(problem(500, 'internal_error', 'The service has failed.')),
    /The service has failed\./,
  ],
  ['is unreachable', (route) => route.abort('connectionrefused'), /could not be reached/i],
]

/** The failures whose pages differ in more than their text. The accessibility check is slow. */
const distinct = ['refuses a call', 'fails']

describeWithChromium('every page', () => {
  let pages: Pages
  let paths: string[]
  beforeAll(async () => {
    pages = await openPages()
    const { linkId, webhookId, deliveryId, eventId } = await fillBusyMonth(pages.sending)
    paths = [
      '/',
      '/links',
      `/links/${linkId}`,
      `/links/${linkId}?tab=live`,
      `/links/${linkId}?tab=history`,
      '/webhooks',
      `/webhooks/${webhookId}`,
      `/webhooks/${webhookId}/deliveries/${deliveryId}`,
      '/events',
      `/events/${eventId}`,
      '/settings/tokens',
      '/settings/audit-log',
      '/settings/service',
    ]
  }, 120_000)
  afterAll(() => pages.stop())

  /** Matches all calls except the one that shows who is signed in. */
  const isAffected = (url: URL) =>
    url.pathname.startsWith('/dashboard/api/') && !url.pathname.endsWith('/token/self')

  const getMainText = (page: Page) => page.locator('main').innerText()

  it.each(failures)(
    'explains what to do when the service %s',
    async (name, respond, shown) => {
      const { page, context, messages } = await signedIn(pages, pages.token, '/', { width: 390 })
      const wrong: string[] = []
      for (const path of paths) {
        await page.route(isAffected, respond)
        await page.goto(`${pages.origin}/dashboard${path}`)
        await page.locator('main .failure, main .empty').first().waitFor()
        await settled(page)
        if (!shown.test(await getMainText(page))) wrong.push(`${path} says: ${await getMainText(page)}`)
        if ((await measureOverflow(page)) > 0) wrong.push(`${path} is wider than the window`)
        if (distinct.includes(name))
          wrong.push(...(await findViolations(page)).map((finding) => `${path}: ${finding}`))
        if (path === '/') await picture(page, `state-${name.replaceAll(' ', '-')}`)
        await page.unrouteAll()
        if (name === 'refuses a call') continue
        // One button retries all failed calls.
        await page.getByRole('button', { name: 'Try again' }).first().click()
        await page
          .locator('main .failure')
          .first()
          .waitFor({ state: 'detached', timeout: 15_000 })
          .catch(() => wrong.push(`${path} did not recover`))
      }
      await context.close()
      expect(wrong).toEqual([])
      expect(messages.filter((message) => !message.includes('Failed to load resource'))).toEqual([])
    },
    300_000,
  )
})
