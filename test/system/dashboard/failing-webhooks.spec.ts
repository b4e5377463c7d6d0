/** A failing webhook says why on every page, and each explanation has a button for its next step. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, picture } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('a failing webhook', () => {
  let pages: Pages
  let isFixed = false
  beforeAll(async () => {
    const respond: Parameters<typeof openPages>[0] = ({ path }, response) => {
      if (path.startsWith('/hangs')) return
      if (path.startsWith('/broken') && !isFixed)
        return void response.writeHead(500, { 'content-type': 'text/plain' }).end('the disk is full')
      response.end('thanks')
    }
    pages = await openPages(respond, { WEBHOOK_TIMEOUT: '1s' })
  }, 120_000)
  afterAll(() => pages.stop())
  beforeEach(() => (isFixed = false))

  const api: Pages['api'] = (...call) => pages.api(...call)
  const on: Pages['on'] = (path, work) => pages.on(path, work)
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

  async function makeHook(path: string, events = ['link.created']): Promise<{ id: string }> {
    return api('POST', '/webhooks', { url: `${pages.sending.receiver.origin}${path}`, events })
  }
  const makeLink = () => api('POST', '/links', { url: 'https://example.com/' })
  const listDeliveries = async ({ id }: { id: string }) =>
    (await api('GET', `/webhooks/${id}/deliveries`)).data
  const attempted = (hook: { id: string }, count = 1) =>
    waitFor('the attempt', async () => {
      const [delivery] = await listDeliveries(hook)
      return delivery?.attempt_count >= count && delivery
    })
  const remove = ({ id }: { id: string }) => api('DELETE', `/webhooks/${id}`)

  it('shows its last error, success and next attempt on the overview, in the list and on its page', async () => {
    await makeLink()
    await on('/', async (page) => {
      await Promise.all([page.waitForResponse(/\/v1\/webhooks\?/), page.reload()])
      await page.getByText('Human clicks', { exact: true }).first().waitFor()
      expect(await page.getByText('Webhooks needing attention').count()).toBe(0)
    })
    const hook = await makeHook('/broken')
    await makeLink()
    await attempted(hook)
    const facts = ['Last error: 500 Internal Server Error', 'next attempt in']
    await on('/', async (page) => {
      const trouble = page.getByRole('region', { name: 'Webhooks needing attention' })
      for (const fact of [...facts, '0% success rate in the last 24 hours'])
        await trouble.getByText(fact).waitFor()
      await picture(page, 'webhooks-in-trouble')
      await trouble.getByRole('link', { name: '500 Internal Server Error' }).click()
      await page.waitForURL(/\/deliveries\/dlv_/)
    })
    await on('/webhooks', async (page) => {
      const row = page.getByRole('row', { name: '/broken' })
      await row.getByRole('link', { name: '500', exact: true }).waitFor()
      await row.getByText('0%', { exact: true }).waitFor()
      await row.getByText(/^in (1h|5\dm)$/).waitFor()
    })
    await on(`/webhooks/${hook.id}`, async (page) => {
      for (const fact of facts) await page.getByText(fact).first().waitFor()
      await page.getByText(/^0 of \d+ attempts? succeeded in the last 24 hours$/).waitFor()
      await page.getByRole('cell', { name: 'retrying' }).first().waitFor()
    })
    isFixed = true
    await makeLink()
    await waitFor(
      'the recovery',
      async () => (await api('GET', `/webhooks/${hook.id}`)).failing_since === null,
    )
    await on('/', async (page) => {
      await Promise.all([page.waitForResponse(/\/v1\/webhooks\?/), page.reload()])
      await page.getByText('Human clicks', { exact: true }).first().waitFor()
      expect(await page.getByText('Webhooks needing attention').count()).toBe(0)
    })
    await remove(hook)
  })

  it('filters deliveries by attempts and by error, and shows their subjects', async () => {
    const hook = await makeHook('/broken')
    const link = await makeLink()
    await attempted(hook)
    await api('PATCH', `/webhooks/${hook.id}`, { status: 'paused' })
    const untried = await makeLink()
    await on(`/webhooks/${hook.id}`, async (page) => {
      const rows = page.locator('tbody tr')
      await rows.getByRole('link', { name: `/${untried.slug}` }).waitFor()
      await page.getByLabel('With attempts').check()
      await rows.getByRole('link', { name: `/${untried.slug}` }).waitFor({ state: 'detached' })
      expect(await rows.locator('td').allInnerTexts()).toEqual(
        expect.arrayContaining(['link.created', `/${link.slug}`, '500 Internal Server Error', '1']),
      )
      await page.getByLabel('Error').selectOption('timeout')
      await page.getByText('No deliveries match these filters').waitFor()
      await press(page, 'Clear filters')
      await rows.getByRole('link', { name: `/${untried.slug}` }).waitFor()
    })
    await remove(hook)
  })

  it('offers the next step as a button', async () => {
    const hook = await makeHook('/broken')
    await makeLink()
    const delivery = await attempted(hook)
    const path = `/webhooks/${hook.id}/deliveries/${delivery.id}`
    await on(path, async (page) => {
      await page.locator('.verdict').getByRole('button', { name: 'Redeliver' }).click()
      await page.getByText('Attempt 2', { exact: true }).waitFor()
    })
    isFixed = true
    await api('PATCH', `/webhooks/${hook.id}`, { status: 'paused' })
    await on(path, async (page) => {
      await press(page, 'Resume webhook')
      await page.getByText('Resumed webhook.').waitFor()
    })
    const early = await makeHook('/early')
    await on(`/events/${delivery.event_id}`, async (page) => {
      const row = page.getByRole('row', { name: '/early' })
      await row.getByRole('link', { name: 'Replay events' }).click()
      await page.waitForURL(new RegExp(`${early.id}.*kind=events`))
      await page.getByText('will be sent').waitFor()
    })
    const other = await makeHook('/other', ['click'])
    await makeLink()
    const { data: newest } = await api('GET', '/events?type=link.created&limit=1')
    await on(`/events/${newest[0].id}`, async (page) => {
      await page.getByRole('row', { name: '/other' }).getByRole('link', { name: 'Edit webhook' }).click()
      await page.getByRole('dialog', { name: 'Edit webhook' }).waitFor()
    })
    for (const each of [hook, early, other]) await remove(each)
  })

  it('shows the phase that timed out in red, one line per attempt, and the body once', async () => {
    const hook = await makeHook('/hangs')
    await makeLink()
    const delivery = await attempted(hook)
    await api('POST', `/webhooks/${hook.id}/deliveries/${delivery.id}/redeliver`)
    await attempted(hook, 2)
    await on(`/webhooks/${hook.id}/deliveries/${delivery.id}`, async (page) => {
      const attempts = page.locator('.attempts details:not(.headers)')
      await attempts.nth(1).waitFor()
      const isOpen = () =>
        page.evaluate<boolean[]>(
          '[...document.querySelectorAll(".attempts details:not(.headers)")].map(({ open }) => open)',
        )
      expect(await isOpen()).toEqual([true, false])
      const failed = attempts.first().locator('.waterfall tr.failed')
      expect(await failed.locator('th').allTextContents()).toEqual(['Wait for response'])
      await attempts.first().locator('.attempt-line .failed').getByText('Timeout').waitFor()
      await attempts
        .first()
        .getByText(/^No response after \d\.\d s\.$/)
        .waitFor()
      await attempts.nth(1).locator('summary').first().click()
      expect(await isOpen()).toEqual([true, true])
      await page.getByRole('region', { name: 'Request body' }).locator('pre').waitFor()
      expect(await page.locator('pre', { hasText: '"type": "link.created"' }).count()).toBe(1)
      await picture(page, 'attempts-timeout')
    })
    await remove(hook)
  })

  it('describes each event type in the form, with an example', async () => {
    await on('/webhooks?new=1', async (page) => {
      const form = page.getByRole('dialog', { name: 'Create webhook' })
      await form.getByLabel('Selected events').check()
      await form.getByText('A link was clicked.').waitFor()
      expect(await form.getByText('webhook.test').count()).toBe(0)
      await form.locator('li', { hasText: 'A link was clicked.' }).locator('summary').click()
      await form.locator('pre', { hasText: '"type": "click"' }).waitFor()
      await picture(page, 'webhook-form-example')
    })
  })
})
