/** The webhook portal in a browser: one webhook, and nothing else. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { findingsInBothSchemes, measureOverflow, openPages, settled } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the webhook portal', () => {
  let pages: Pages
  let webhook: { id: string }
  beforeAll(async () => {
    pages = await openPages(({ path }, response) =>
      response.writeHead(path === '/broken' ? 500 : 200).end('thanks'),
    )
    const url = `${pages.sending.receiver.origin}/broken`
    webhook = await pages.api('POST', '/webhooks', { url, events: ['link.created'], description: 'Partner' })
    await pages.api('POST', '/links', { url: 'https://example.com/' })
    await waitFor('the attempt', async () => {
      const { data } = await pages.api('GET', `/webhooks/${webhook.id}/deliveries`)
      return data[0]?.attempt_count > 0
    })
  }, 120_000)
  afterAll(() => pages.stop())

  const createLink = async (allow: string[]): Promise<string> =>
    // The port is not known yet when the test service reads PUBLIC_URL.
    (await pages.api('POST', `/webhooks/${webhook.id}/portal`, { allow })).url.replace(
      /^http:..[^/]+/,
      pages.origin,
    )

  async function open(url: string, work: (page: Page) => Promise<void>, width = 1400) {
    const context = await pages.browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    const messages: string[] = []
    page.on('console', (message) => messages.push(message.text()))
    page.on('pageerror', (error) => messages.push(error.message))
    await page.goto(url)
    await work(page)
    await context.close()
    return messages
  }

  it.each([1400, 390])('shows the webhook and its deliveries at %d px', async (width) => {
    const messages = await open(
      await createLink(['test', 'replay', 'rotate']),
      async (page) => {
        await page.getByRole('heading', { name: 'Partner' }).waitFor()
        expect(page.url()).not.toContain('code=')
        expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
        expect(await page.getByRole('button', { name: /Edit|Pause|Delete|Search/ }).count()).toBe(0)
        await page.getByText('Shared with you by Link Service').waitFor()
        await settled(page)
        expect(await page.getByRole('columnheader', { name: 'Subject' }).count()).toBe(0)
        expect(await findingsInBothSchemes(page, `portal-${width}`)).toEqual([])
        expect(await measureOverflow(page)).toBe(0)
        await page.getByRole('link', { name: 'link.created' }).first().click()
        await page.getByRole('heading', { name: 'Delivery of link.created' }).waitFor()
        await page.getByRole('button', { name: 'Redeliver' }).waitFor()
        await settled(page)
        expect(await findingsInBothSchemes(page, `portal-delivery-${width}`)).toEqual([])
        await page.reload()
        await page.getByRole('heading', { name: 'Delivery of link.created' }).waitFor()
      },
      width,
    )
    expect(messages).toEqual([])
  })

  it('sends a test if the link allows tests', async () => {
    await open(await createLink(['test']), async (page) => {
      await page.getByRole('button', { name: 'Test', exact: true }).click()
      expect(await page.getByRole('button', { name: 'Replay', exact: true }).count()).toBe(0)
      await page.getByRole('button', { name: 'Send test', exact: true }).last().click()
      await page.locator('.callout[role=status]', { hasText: '500' }).waitFor()
    })
  })

  it('offers only reading without allowed actions', async () => {
    await open(await createLink([]), async (page) => {
      await page.getByRole('heading', { name: 'Partner' }).waitFor()
      expect(await page.getByRole('button', { name: /Send test|Rotate|Redeliver/ }).count()).toBe(0)
      expect(await page.getByRole('button', { name: /^(?:Test|Replay)$/ }).count()).toBe(0)
    })
  })

  it('says that a used link is no longer valid', async () => {
    const url = await createLink([])
    await open(url, async (page) => page.getByRole('heading', { name: 'Partner' }).waitFor())
    await open(url, async (page) => {
      await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
      expect(await findingsInBothSchemes(page, 'portal-ended')).toEqual([])
    })
  })

  it('opens with the same link after the service has failed', async () => {
    const url = await createLink([])
    await open('about:blank', async (page) => {
      await page.route('**/portal/session', (route) => route.fulfill({ status: 503 }), { times: 1 })
      await page.goto(url)
      const retry = page.getByRole('button', { name: 'Try again' })
      await retry.waitFor()
      expect(await page.getByLabel('API token').count()).toBe(0)
      expect(await findingsInBothSchemes(page, 'portal-failed')).toEqual([])
      await retry.click()
      await page.getByRole('heading', { name: 'Partner' }).waitFor()
    })
  })

  it('does not end the session of the dashboard in the same browser', async () => {
    const url = await createLink([])
    await pages.on('/links', async (page) => {
      await page.goto(url)
      await page.getByRole('heading', { name: 'Partner' }).waitFor()
      await page.goto(`${pages.origin}/dashboard/links`)
      await page.getByRole('heading', { name: 'Links' }).waitFor()
    })
  })

  it('is created from the page of the webhook', async () => {
    await pages.on(`/webhooks/${webhook.id}`, async (page) => {
      await page.getByRole('button', { name: 'More' }).click()
      await page.getByRole('button', { name: 'Create portal link' }).click()
      await settled(page)
      expect(await findingsInBothSchemes(page, 'portal-dialog')).toEqual([])
      await page.getByRole('button', { name: 'Create link' }).click()
      const code = await page.locator('[data-secret]').textContent()
      expect(code).toContain(`/dashboard/portal/webhooks/${webhook.id}#code=`)
    })
  })
})
