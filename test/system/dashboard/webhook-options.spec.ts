/** The filter, the headers and the delivery options of a webhook in its form. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findingsInEveryLook } from './looks.js'
import { openPages, rejectFields } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the options of a webhook', () => {
  let pages: Pages
  beforeAll(async () => void (pages = await openPages()), 120_000)
  afterAll(() => pages.stop())

  const newest = async () => (await pages.api('GET', '/webhooks')).data[0]
  const openOptions = (page: Page) => page.getByText('More options').click()

  it('are set on a new webhook', async () => {
    await pages.on('/webhooks?new=1', async (page) => {
      await page.getByLabel('Endpoint URL').fill(`${pages.sending.receiver.origin}/options`)
      await openOptions(page)
      // Stays open when the only option is removed.
      await page.getByLabel('Only human clicks').check()
      await page.getByLabel('Only human clicks').uncheck()
      await page.getByLabel('Only links with one of these tags').fill('sale,')
      await page.getByLabel('Only human clicks').check()
      await page.getByLabel('Destination', { exact: true }).check()
      await page.getByLabel('Deliver in order').check()
      await page.getByLabel('Batch events').check()
      await page.getByLabel('Maximum events').fill('50')
      await page.getByLabel('Send after at most (seconds)').fill('10')
      await page.getByRole('button', { name: 'Add header' }).click()
      await page.getByLabel('Name of header 1').fill('X-Api-Key')
      await page.getByLabel('Value of header 1').fill('a-key-of-the-gateway')
      await page.getByRole('button', { name: 'Create webhook' }).last().click()
      await page.getByRole('heading', { name: 'Webhook created' }).waitFor()
    })
    expect(await newest()).toMatchObject({
      filter: { tags: ['sale'], human_only: true, changed_fields: ['url'] },
      headers: { 'x-api-key': '…' },
      format: 'standard',
      ordered: true,
      batch: { max: 50, within: '10s' },
    })
  })

  it('stay open while a webhook with an error is saved again', async () => {
    await pages.on('/webhooks?new=1', async (page) => {
      await rejectFields(page, '/webhooks', [
        { pointer: '/headers/x', code: 'invalid_headers', detail: 'Must be a header.' },
      ])
      const form = page.getByRole('dialog')
      const save = form.getByRole('button', { name: 'Create webhook' })
      const options = form.locator('.more-options')
      await form.getByLabel('Endpoint URL').fill('https://example.com/hook')
      await save.click()
      await form.getByText('Must be a header.').waitFor()
      expect(await options.getAttribute('open')).not.toBeNull()
      await page.route(/\/api\/v1\/webhooks$/, () => undefined)
      await save.click()
      await form.getByText('Must be a header.').waitFor({ state: 'detached' })
      expect(await options.getAttribute('open')).not.toBeNull()
    })
  })

  it('include a filter that can be tested with an event and ignored by a replay', async () => {
    const { id } = await newest()
    await pages.api('POST', '/links', { url: 'https://target.example/filtered', tags: ['mail'] })
    const event = (await pages.api('GET', '/events?type=link.created')).data[0]
    const findings = await findingsInEveryLook(pages, `/webhooks/${id}?tab=test`, 'filter', async (page) => {
      await page.getByLabel('Event ID').fill(event.id)
      await page.getByRole('button', { name: 'Test filter' }).click()
      await page.getByText('The filter excludes the event').waitFor()
      for (const fact of ['only links tagged sale', 'only human clicks', 'in order', 'up to 50 per request'])
        expect(await page.getByText(fact).count()).toBe(1)
    })
    expect(findings).toEqual([])
    await pages.on(`/webhooks/${id}?tab=replay&kind=events`, async (page) => {
      await page.getByText('No deliveries to replay in this time range.').waitFor()
      await page.getByLabel('Ignore the filter of the webhook').check()
      await page.getByText(/\d+ deliver(y|ies) will be sent/).waitFor()
    })
  }, 180_000)

  it('can be changed one at a time, without affecting the others', async () => {
    const { id } = await newest()
    await pages.on(`/webhooks/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByLabel('Only human clicks').uncheck()
      await page.getByLabel('Deliver in order').uncheck()
      await page.getByLabel('Format').selectOption('slack')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Saved webhook.').waitFor()
    })
    expect(await newest()).toMatchObject({
      filter: { tags: ['sale'], human_only: false, changed_fields: ['url'] },
      headers: { 'x-api-key': '…' },
      format: 'slack',
      ordered: false,
      batch: null,
    })
    await pages.on(`/webhooks/${id}`, async (page) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      await page.getByRole('button', { name: 'Remove sale' }).click()
      await page.getByLabel('Destination', { exact: true }).uncheck()
      await page.locator('.header-row').getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Saved webhook.').waitFor()
    })
    expect(await newest()).toMatchObject({ filter: null, headers: {} })
  })

  it('are accessible in every look, and show the errors of a batch and a header', async () => {
    const findings = await findingsInEveryLook(pages, '/webhooks?new=1', 'webhook-options', async (page) => {
      await page.getByLabel('Endpoint URL').fill(`${pages.sending.receiver.origin}/options`)
      await openOptions(page)
      await page.getByLabel('Batch events').check()
      await page.getByLabel('Maximum events').fill('1')
      await page.getByRole('button', { name: 'Add header' }).click()
      await page.getByLabel('Name of header 1').fill('Host')
      await page.getByLabel('Value of header 1').fill('example.com')
      await page.getByRole('button', { name: 'Create webhook' }).last().click()
      await page.locator('.field-error').first().waitFor()
    })
    expect(findings).toEqual([])
  })
})
