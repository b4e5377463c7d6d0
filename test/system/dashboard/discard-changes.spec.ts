/** Closing or leaving a form asks before input is lost. */
import type { Locator, Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { createSignInLink, findViolations, openPages, picture } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('a form with unsaved changes', () => {
  let pages: Pages
  let linkPath: string
  let webhookPath: string
  beforeAll(async () => {
    pages = await openPages()
    const url = `${pages.sending.receiver.origin}/hook`
    linkPath = `/links/${(await pages.api('POST', '/links', { url: 'https://example.com/', slug: 'old' })).id}`
    webhookPath = `/webhooks/${(await pages.api('POST', '/webhooks', { url, events: ['*'] })).id}`
  }, 120_000)
  afterAll(() => pages.stop())

  const on: Pages['on'] = (path, work) => pages.on(path, work)
  const press = (within: Page | Locator, name: string) =>
    within.getByRole('button', { name, exact: true }).click()
  /** Presses a button of a page, which can be in its menu of further actions. */
  async function pressAction(page: Page, name: string): Promise<void> {
    if (name !== 'Edit') await press(page, 'More actions')
    await press(page, name)
  }
  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })
  const isGone = (locator: Locator) => locator.waitFor({ state: 'detached' })
  const clickBackdrop = (page: Page) => page.mouse.click(5, 5)
  const getPath = (page: Page) => new URL(page.url()).pathname.replace('/dashboard', '')

  const forms: [title: string, path: () => string, button: string | null, field: string][] = [
    ['Create link', () => '/links?new=1', null, 'Title (optional)'],
    ['Import links', () => '/links?new=many', null, 'Links to import'],
    ['Create webhook', () => '/webhooks?new=1', null, 'Name (optional)'],
    ['Create token', () => '/settings/tokens?new=1', null, 'Name'],
    ['Edit link “/old”', () => linkPath, 'Edit', 'Title'],
    ['Edit webhook', () => webhookPath, 'Edit', 'Name (optional)'],
    ['Rotate signing secret', () => webhookPath, 'Rotate secret', 'Old secret signs for'],
  ]

  it.each(forms)('asks before it closes: %s', async (title, path, button, label) => {
    await on(path(), async (page) => {
      if (button) await pressAction(page, button)
      const form = page.getByRole('dialog', { name: title })
      const field = form.getByLabel(label, { exact: true })
      await field.pressSequentially('typed')
      const text = await field.inputValue()
      for (const close of [
        () => page.keyboard.press('Escape'),
        () => press(form, 'Close'),
        () => clickBackdrop(page),
      ]) {
        await close()
        await press(question(page), 'Keep editing')
        await isGone(question(page))
        expect(await field.inputValue()).toBe(text)
        await field.focus()
      }
      await page.keyboard.press('Escape')
      await question(page).waitFor()
      // Escape answers with "Keep editing", and the cursor is in the field again.
      await page.keyboard.press('Escape')
      await isGone(question(page))
      await field.and(page.locator(':focus')).waitFor()
      await page.keyboard.press('Escape')
      await press(question(page), 'Discard')
      await isGone(form)
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  })

  it.each(forms)('closes immediately without changes: %s', async (title, path, button, label) => {
    await on(path(), async (page) => {
      const form = page.getByRole('dialog', { name: title })
      const reopen = async () => {
        if (button) return pressAction(page, button)
        await page.goto(`${pages.origin}/dashboard${path()}`)
      }
      if (button) await pressAction(page, button)
      await form.waitFor()
      await page.keyboard.press('Escape')
      await isGone(form)
      await reopen()
      await press(form, 'Close')
      await isGone(form)
      await reopen()
      // A form whose changes were reverted has no changes.
      const field = form.getByLabel(label, { exact: true })
      const text = await field.inputValue()
      await field.fill(`${text}7`)
      await field.fill(text)
      await clickBackdrop(page)
      await isGone(form)
      expect(await question(page).count()).toBe(0)
    })
  })

  it('keeps the form open when a selection of text ends outside', async () => {
    await on('/links?new=1', async (page) => {
      const field = page.getByRole('dialog').getByLabel('Destination')
      await field.waitFor()
      const box = (await field.boundingBox())!
      await page.mouse.move(box.x + 10, box.y + 10)
      await page.mouse.down()
      await page.mouse.move(5, 5)
      await page.mouse.up()
      await field.fill('https://example.com/still-open')
    })
  })

  it('asks before Back leaves the page', async () => {
    await on('/webhooks', async (page) => {
      await page.getByRole('link', { name: 'Links', exact: true }).click()
      await press(page, 'Create link')
      const field = page.getByRole('dialog').getByLabel('Destination')
      await field.fill('https://example.com/typed')
      await page.evaluate('history.back()')
      await press(question(page), 'Keep editing')
      // The page undoes the step back asynchronously.
      await page.waitForURL(/\/dashboard\/links\?new=1$/)
      expect(await field.inputValue()).toBe('https://example.com/typed')
      await page.evaluate('history.back()')
      await press(question(page), 'Discard')
      await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.goForward()
      await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
    })
  })

  it('asks before a link, a shortcut or a tab leaves the page, but not before a filter changes', async () => {
    await on('/', async (page) => {
      await page.getByLabel('Shorten a URL').fill('https://example.com/typed')
      await press(page, '7 days')
      await page.waitForURL(/interval=7d/)
      await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
      await press(question(page), 'Keep editing')
      expect(getPath(page)).toBe('/')
      await page.getByRole('heading', { level: 1 }).focus()
      await page.keyboard.press('g')
      await page.keyboard.press('l')
      await press(question(page), 'Discard')
      await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()

      await page.goto(`${pages.origin}/dashboard${webhookPath}?tab=replay`)
      await press(page, 'Custom')
      await press(page, 'Test')
      await press(question(page), 'Keep editing')
      await page.getByLabel('From').waitFor()
      await press(page, 'Test')
      await press(question(page), 'Discard')
      await page.getByRole('button', { name: 'Send test' }).first().waitFor()
    })
  })

  it('asks before the browser closes the page, but not after the changes are saved', async () => {
    await on(linkPath, async (page) => {
      const questions: string[] = []
      page.on('dialog', (dialog) => {
        questions.push(dialog.type())
        void dialog.dismiss()
      })
      await press(page, 'Edit')
      await page.getByLabel('Title').pressSequentially('changed')
      const asked = page.waitForEvent('dialog')
      await page.close({ runBeforeUnload: true })
      await asked
      await press(page, 'Save changes')
      await page.getByRole('heading', { level: 1, name: 'changed' }).waitFor()
      await isGone(page.getByRole('dialog'))
      const closed = page.waitForEvent('close')
      await page.close({ runBeforeUnload: true })
      await closed
      expect(questions).toEqual(['beforeunload'])
    })
  })

  it('stays open when the session ends, until the user has signed in again', async () => {
    await on('/links?new=1', async (page) => {
      const form = page.getByRole('dialog', { name: 'Create link' })
      await form.getByLabel('Destination').fill('https://example.com/kept')
      await page.context().clearCookies()
      await press(form, 'Create link')
      const signIn = page.getByRole('dialog', { name: 'Session ended: sign in with the same token' })
      await signIn.waitFor()
      expect(await findViolations(page)).toEqual([])
      await picture(page, 'session-ended')
      await press(signIn, 'Close')
      await press(question(page), 'Keep editing')
      await signIn.getByLabel('API token').fill(pages.sending.service.token)
      await press(signIn, 'Sign in')
      await isGone(signIn)
      await press(form, 'Create link')
      await page.waitForURL(/\/links\/lnk_/)
    })
  })

  it('continues after a sign-in link for the same token was opened in another tab', async () => {
    const other = await pages.sending.service.mint('links:read')
    await on('/links?new=1', async (page) => {
      const form = page.getByRole('dialog', { name: 'Create link' })
      await form.getByLabel('Destination').fill('https://example.com/linked')
      await page.context().clearCookies()
      await press(form, 'Create link')
      const signIn = page.getByRole('dialog', { name: /^Session ended/ })
      const { id } = await pages.api('GET', '/auth/token/self')
      await signIn.getByText(`dashboard --token-id ${id}`).waitFor()
      const signInElsewhere = async (token: string) => {
        const tab = await page.context().newPage()
        await tab.goto(await createSignInLink(pages, token))
        await tab.locator('.shell h1').waitFor()
        await tab.close()
        // Without a window, the browser does not move the focus.
        const read = page.waitForResponse(/\/auth\/token\/self$/)
        await page.evaluate('dispatchEvent(new Event("focus"))')
        await (await read).finished()
      }
      await signInElsewhere(other.token)
      expect(await signIn.isVisible()).toBe(true)
      await signInElsewhere(pages.sending.service.token)
      await isGone(signIn)
      await press(form, 'Create link')
      await page.waitForURL(/\/links\/lnk_/)
    })
  })

  it('keeps links to import when the preview shows that the session has ended', async () => {
    await on('/links?new=many', async (page) => {
      const form = page.getByRole('dialog', { name: 'Import links' })
      await form.getByLabel('Links to import').fill('https://example.com/kept')
      await page.context().clearCookies()
      await press(form, 'Preview import')
      await page.getByRole('dialog', { name: 'Session ended: sign in with the same token' }).waitFor()
      expect(await form.getByLabel('Links to import').inputValue()).toBe('https://example.com/kept')
    })
  })

  it('requires the host of a webhook before it deletes the webhook', async () => {
    const url = 'https://hooks.example.com/orders'
    const { id } = await pages.api('POST', '/webhooks', { url, events: ['*'] })
    await on(`/webhooks/${id}`, async (page) => {
      await pressAction(page, 'Delete')
      const confirm = page.getByRole('dialog', { name: 'Delete webhook?' })
      const field = confirm.getByLabel('Type “hooks.example.com” to confirm')
      const remove = confirm.getByRole('button', { name: 'Delete webhook' })
      await field.fill('hooks.example')
      expect(await remove.isDisabled()).toBe(true)
      await field.fill('hooks.example.com')
      await page.keyboard.press('Enter')
      await page.getByText('Deleted webhook.').waitFor()
    })
    expect((await pages.sending.service.call('GET', `/v1/webhooks/${id}`)).status).toBe(404)
  })

  it('selects no other token when one is revoked', async () => {
    const parent = await pages.api('POST', '/auth/token', {
      name: 'parent',
      scopes: ['tokens:write', 'links:read'],
    })
    const child = await pages.sending.service.call('POST', '/v1/auth/token', {
      token: parent.token,
      body: { name: 'child', scopes: ['links:read'] },
    })
    await on('/settings/tokens', async (page) => {
      await press(page, 'Actions of parent')
      await press(page, 'Revoke')
      const confirm = page.getByRole('dialog', { name: 'Revoke token “parent”?' })
      expect(await confirm.getByRole('checkbox').isChecked()).toBe(false)
      await confirm.getByLabel('Type “parent” to confirm').fill('parent')
      await page.keyboard.press('Enter')
      await page.getByText('Revoked token “parent”.').waitFor()
    })
    const self = await pages.sending.service.call('GET', '/v1/auth/token/self', { token: child.body.token })
    expect(self.status).toBe(200)
  })
})
