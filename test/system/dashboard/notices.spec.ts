/** The page for notices: targets, their events, and tests of them. */
import { describeWithChromium } from '../../support/chromium.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { findingsInEveryLook } from './looks.js'
import { openPages, rejectFields, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const path = '/settings/notices'

describeWithChromium('the page for notices', () => {
  let pages: Pages
  let chat: Receiver
  beforeAll(async () => {
    chat = await startReceiver(({ path }, response) =>
      response.writeHead(path === '/broken' ? 404 : 200).end(),
    )
    pages = await openPages(undefined, { NOTICES: `slack:${chat.origin}/operator` })
  }, 120_000)
  afterAll(async () => {
    await pages.stop()
    await chat.stop()
  })

  const targets = async (): Promise<any[]> => (await pages.api('GET', '/workspace/notices')).data
  const add = (address: string, events = ['webhook.failing']) =>
    pages.api('POST', '/workspace/notices', { type: 'slack', address: chat.origin + address, events })

  it('is accessible in every look without targets, and says that the operator has one', async () => {
    const findings = await findingsInEveryLook(pages, path, 'notices-empty', async (page) => {
      await page.getByText('No targets yet').waitFor()
      await page.getByText('also receive notices of this workspace').waitFor()
    })
    expect(findings).toEqual([])
  })

  it('adds a target with the selected events', async () => {
    await pages.on(path, async (page) => {
      await page.getByRole('button', { name: 'Add target' }).click()
      const form = page.getByRole('dialog', { name: 'Add target' })
      await form.getByLabel('Send to').selectOption('Discord')
      await form.getByLabel('Webhook URL').fill(`${chat.origin}/api/webhooks/1/secretpart`)
      await form.getByLabel('Webhook recovered').uncheck()
      await form.getByLabel('Import finished').check()
      await form.getByRole('button', { name: 'Add target' }).click()
      const row = page.getByRole('listitem').filter({ hasText: 'Discord' })
      await row.getByText('Webhook failing, webhook disabled, token expiring, import finished').waitFor()
      expect(await page.locator('main').textContent()).not.toContain('secretpart')
    })
    expect(await targets()).toMatchObject([
      {
        type: 'discord',
        events: ['webhook.failing', 'webhook.disabled', 'token.expiring', 'import.finished'],
      },
    ])
  })

  it('changes the events of a target, then removes it', async () => {
    await pages.on(path, async (page) => {
      await page.getByRole('button', { name: /^Edit Discord/ }).click()
      await page.getByLabel('Import finished').uncheck()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Webhook failing, webhook disabled, token expiring', { exact: true }).waitFor()
      expect((await targets())[0].events).toEqual(['webhook.failing', 'webhook.disabled', 'token.expiring'])
      await page.getByRole('button', { name: /^Remove Discord/ }).click()
      await page.getByRole('button', { name: 'Remove target' }).click()
      await page.getByText('No targets yet').waitFor()
    })
    expect(await targets()).toEqual([])
  })

  it('shows the error of each field', async () => {
    await pages.on(`${path}?new=1`, async (page) => {
      await page.getByLabel('Webhook URL').fill('https://10.0.0.1/services/T000')
      await page.getByRole('button', { name: 'Add target' }).last().click()
      await page.locator('.field-error').waitFor()
      expect(await page.getByLabel('Webhook URL').getAttribute('aria-invalid')).toBe('true')
      await page.getByLabel('Send to').selectOption('Email')
      await page.getByLabel('Email address').fill('oncall@example.com')
      await page.getByRole('button', { name: 'Add target' }).last().click()
      await page.getByText('The service cannot send email.').waitFor()
    })
  })

  it('says that all targets accepted a test', async () => {
    await add('/services/T000/B000/team')
    const findings = await findingsInEveryLook(pages, path, 'notices-tested', async (page) => {
      await pages.sending.service.db.query('DELETE FROM notice_tests')
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('Both targets accepted the test. Check that the messages arrived.').waitFor()
    })
    expect(findings).toEqual([])
    expect(chat.requestsTo('/services/T000/B000/team')).toHaveLength(2)
  })

  it('says which target did not accept a test, and why', async () => {
    await add('/broken')
    const findings = await findingsInEveryLook(pages, path, 'notices-failed', async (page) => {
      await pages.sending.service.db.query('DELETE FROM notice_tests')
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByText('The test failed for 1 of 3 targets.').waitFor()
      await page.getByText(/oken.*404/).waitFor()
    })
    expect(findings).toEqual([])
  })

  it('is accessible with the form and its errors', async () => {
    const findings = await findingsInEveryLook(pages, `${path}?new=1`, 'notices-form', async (page) => {
      await rejectFields(page, '/workspace/notices', [
        { pointer: '/address', code: 'blocked_address', detail: 'Must not be a private IP address.' },
      ])
      await page.getByLabel('Webhook URL').fill('https://10.0.0.1/services/T000')
      await page.getByRole('button', { name: 'Add target' }).last().click()
      await page.locator('.field-error').waitFor()
    })
    expect(findings).toEqual([])
  })

  it('offers only what the token can do', async () => {
    const { token } = await pages.sending.service.mint('webhooks:read')
    const { page, context, messages } = await signedIn(pages, token, path)
    await page.getByText('Webhook failing').first().waitFor()
    expect(await page.getByRole('button', { name: /Add|Send|Edit|Remove/ }).count()).toBe(0)
    expect(await page.getByText('also receive notices of this workspace').count()).toBe(0)
    expect(messages).toEqual([])
    await context.close()
  })
})
