/** Common tasks in the dashboard, from the first link to a fixed receiver. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { copySecret, copyWith, createSignInLink, openPages, picture, signedIn } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('a user', () => {
  let pages: Pages
  let isFixed = false
  beforeAll(async () => {
    pages = await openPages((_request, response) =>
      isFixed ? void response.end('thanks') : void response.writeHead(500).end('the disk is full'),
    )
  }, 120_000)
  afterAll(() => pages.stop())

  const open = (path: string) => signedIn(pages, pages.sending.service.token, path)
  const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

  it('signs in with a token, and sees an error for a wrong one', async () => {
    const page = await pages.browser.newPage()
    await page.goto(`${pages.origin}/dashboard/`)
    await page.getByLabel('API token').fill('lsk_live_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('API token').fill(pages.sending.service.token)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    const stored = await page.evaluate<string>(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    )
    expect(stored).toBe('[{},{},""]')
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByLabel('API token').waitFor()
    await page.close()
  })

  it('signs in with the link of the first start, whose code is removed from the URL', async () => {
    const { page, context } = await open('/')
    expect(page.url()).toBe(`${pages.origin}/dashboard/`)
    await context.close()
  })

  it('signs in with a link that is opened in the tab of the sign-in page', async () => {
    const page = await pages.browser.newPage()
    await page.goto(`${pages.origin}/dashboard/`)
    await page.getByLabel('API token').waitFor()
    await page.goto(await createSignInLink(pages, pages.token))
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.close()
  })

  it('retries with the same sign-in link after the service failed', async () => {
    const page = await pages.browser.newPage()
    await page.route('**/dashboard/session', (route) => route.fulfill({ status: 503 }), { times: 1 })
    await page.goto(await createSignInLink(pages, pages.token))
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.close()
  })

  it('creates a link and sees its click arrive', async () => {
    const { page, context, messages } = await open('/links?new=1')
    const form = dialog(page, 'Create link')
    await form.getByLabel('Destination').fill('ftp://example.com/')
    await form.getByRole('button', { name: 'Create link' }).click()
    await form.locator('.field-error').waitFor()
    await form.getByLabel('Destination').fill('https://example.com/spring')
    await form.getByLabel('Slug').fill('spring')
    await form.getByRole('button', { name: 'Create link' }).click()
    await page.waitForURL(/\/links\/lnk_/)
    const copied = await copyWith(page.getByRole('button', { name: 'Copy as curl' }))
    expect(copied).toContain('/api/v1/links')
    expect(copied).not.toContain('lsk_')
    await page.getByRole('button', { name: 'Live' }).click()
    await page.locator('.pulse.on').waitFor()
    // The live view shows only clicks that are recorded after it has opened.
    await waitFor('the click to be shown', async () => {
      await fetch(`${pages.sending.service.origin}/spring`, { redirect: 'manual' })
      return (await page.locator('.live li').count()) > 0
    })
    await picture(page, 'live-click')
    expect(messages).toEqual([])
    await context.close()
  })

  it('keeps a new token on the screen until it is copied, despite Enter and Escape', async () => {
    const { page, context } = await open('/settings/tokens?new=1')
    const form = dialog(page, 'Create token')
    await form.getByLabel('Name').fill('kept')
    await form.getByLabel('links:read').check()
    await form.getByRole('button', { name: 'Create token' }).click()
    const shown = dialog(page, 'Token created')
    const token = await shown.locator('[data-secret]').textContent()
    for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
    await shown.getByText('You have not copied the token yet.').waitFor()
    await picture(page, 'token-not-copied')
    await shown.getByRole('button', { name: 'Close', exact: true }).click()
    expect(await shown.locator('[data-secret]').textContent()).toBe(token)
    await shown.getByRole('button', { name: 'Copy', exact: true }).focus()
    await page.keyboard.press('Enter')
    await shown.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(token)
    await page.keyboard.press('Escape')
    await shown.waitFor({ state: 'detached' })
    await context.close()
  })

  it('copies a new token with Enter, because Copy has the focus', async () => {
    const { page, context } = await open('/settings/tokens?new=1')
    const form = dialog(page, 'Create token')
    await form.getByLabel('Name').fill('focused')
    await form.getByLabel('links:read').check()
    await form.getByRole('button', { name: 'Create token' }).focus()
    await page.keyboard.press('Enter')
    const shown = dialog(page, 'Token created')
    await shown.waitFor()
    await page.keyboard.press('Enter')
    await shown.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await shown.locator('[data-secret]').waitFor()
    await context.close()
  })

  it('creates a token, sees it once, and revokes it', async () => {
    const { page, context, messages } = await open('/settings/tokens?new=1')
    const form = dialog(page, 'Create token')
    await form.getByLabel('Name').fill('newsletter')
    await form.getByLabel('links:read').check()
    await form.getByRole('button', { name: 'Create token' }).click()
    const shown = dialog(page, 'Token created')
    const token = await shown.locator('[data-secret]').textContent()
    await picture(page, 'token-made')
    await copySecret(page)
    expect(await page.content()).not.toContain(token)
    const self = () => pages.sending.service.call('GET', '/v1/auth/token/self', { token })
    expect((await self()).body.scopes).toEqual(['links:read'])
    await page.getByRole('button', { name: 'Actions of newsletter' }).click()
    await page.getByRole('button', { name: 'Revoke', exact: true }).click()
    const confirm = dialog(page, 'Revoke token “newsletter”?')
    const revoke = confirm.getByRole('button', { name: 'Revoke token' })
    expect(await revoke.isDisabled()).toBe(true)
    await confirm.getByLabel('Type “newsletter” to confirm').fill('newslette')
    expect(await revoke.isDisabled()).toBe(true)
    await confirm.getByLabel('Type “newsletter” to confirm').fill('newsletter')
    await revoke.click()
    await page.getByText('Revoked token “newsletter”.').waitFor()
    expect((await self()).status).toBe(401)
    expect(messages).toEqual([])
    await context.close()
  })

  it('creates a webhook, sees why a delivery failed, fixes the receiver and redelivers', async () => {
    const { page, context, messages } = await open('/webhooks?new=1')
    const form = dialog(page, 'Create webhook')
    await form.getByLabel('Endpoint URL').fill('not an address')
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await form.locator('.field-error').waitFor()
    await form.getByLabel('Endpoint URL').fill(`${pages.sending.receiver.origin}/shop`)
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const secret = dialog(page, 'Webhook created')
    await secret.getByRole('button', { name: 'Done' }).click()
    await secret.getByText('You have not copied the signing secret yet.').waitFor()
    await copySecret(page)
    await page.waitForURL(/\/webhooks\/wh_/)
    await pages.sending.service.call('POST', '/v1/links', { body: { url: 'https://example.com/autumn' } })
    await page.locator('[data-row]', { hasText: 'link.created' }).first().click()
    await page.getByText('the disk is full').waitFor()
    await page.locator('.callout').first().waitFor()
    await picture(page, 'delivery-broken')
    isFixed = true
    await page.getByRole('button', { name: 'Redeliver' }).click()
    await page.locator('.lead').getByText('succeeded').waitFor()
    await picture(page, 'delivery-fixed')
    expect(pages.sending.receiver.requestsTo('/shop').length).toBeGreaterThan(1)
    // Back from the delivery, then from the webhook, does not open the form again.
    await page.goBack()
    await page.waitForURL(/\/webhooks\/wh_[^/]+$/)
    await page.goBack()
    await page.waitForURL(`${pages.origin}/dashboard/webhooks`)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(messages).toEqual([])
    await context.close()
  })
})
