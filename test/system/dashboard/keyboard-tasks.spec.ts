/** Common tasks with the keyboard only, and the accessibility of dialogs and notices. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findingsInBothSchemes, measureOverflow, openPages, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const maxTabs = 80

describeWithChromium('a user without a mouse', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages((_request, response) => void response.end('thanks'))
  }, 120_000)
  afterAll(() => pages.stop())

  const focusedText = (page: Page) =>
    page.evaluate<string>(
      `(document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText).trim()`,
    )
  async function tabTo(page: Page, name: string): Promise<void> {
    for (let tabs = 0; tabs < maxTabs; tabs++) {
      await page.keyboard.press('Tab')
      if ((await focusedText(page)) === name) return
    }
    throw new Error(`${maxTabs} tabs did not reach ${name}`)
  }
  async function choose(page: Page, name: string): Promise<void> {
    await tabTo(page, name)
    await page.keyboard.press('Enter')
  }
  async function runCommand(page: Page, text: string, option = text): Promise<void> {
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog', { name: 'Command palette' })
    await palette.waitFor()
    await page.keyboard.type(text)
    await palette.getByRole('option', { name: option, selected: true }).first().waitFor()
    await page.keyboard.press('Enter')
    await palette.waitFor({ state: 'detached' })
  }
  const opened = (page: Page, name: string) => page.getByRole('dialog', { name }).waitFor()
  const closed = (page: Page) => page.getByRole('dialog').waitFor({ state: 'detached' })
  const isFocused = (page: Page, label: string) =>
    page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor()
  /** A new page focuses its title after it is shown. */
  const isTitleFocused = (page: Page, title: string) => page.locator('h1:focus', { hasText: title }).waitFor()

  it('creates, finds, edits and deletes a link, tests a webhook, creates a token and signs out', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/')
    await runCommand(page, 'Create link')
    await opened(page, 'Create link')
    await isFocused(page, 'Destination')
    await page.keyboard.type('https://example.com/by-keyboard')
    // The first Tab reaches the campaign parameters of the destination.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await isFocused(page, 'Slug (optional)')
    await page.keyboard.type('by-keyboard')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/links\/lnk_/)
    const linkUrl = page.url()

    await page.keyboard.press('g')
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await runCommand(page, 'by-key', '/by-keyboard')
    await page.waitForURL(linkUrl)
    await isTitleFocused(page, '/by-keyboard')

    await choose(page, 'Edit')
    await opened(page, 'Edit link “/by-keyboard”')
    await isFocused(page, 'Destination')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Typed title')
    await page.keyboard.press('Enter')
    await closed(page)
    await page.getByRole('heading', { level: 1, name: 'Typed title' }).waitFor()

    await choose(page, 'More actions')
    await choose(page, 'Delete')
    await opened(page, 'Delete link “/by-keyboard”?')
    await choose(page, 'Delete link')
    await page.getByText('Deleted link “/by-keyboard”').waitFor()
    await page.keyboard.press('z')
    await page.getByRole('link', { name: '/by-keyboard', exact: true }).waitFor()
    expect((await pages.api('GET', '/links/by-slug/by-keyboard')).title).toBe('Typed title')

    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.keyboard.press('n')
    await opened(page, 'Create webhook')
    await isFocused(page, 'Endpoint URL')
    await page.keyboard.type(`${pages.sending.receiver.origin}/typed`)
    await page.keyboard.press('Enter')
    await opened(page, 'Webhook created')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/webhooks\/wh_/)
    await page.getByRole('button', { name: 'Test', exact: true }).waitFor()
    await page.locator('h1:focus').waitFor()
    await choose(page, 'Test')
    await choose(page, 'Send test')
    await page.getByText('Sent test event.').waitFor()
    expect(pages.sending.receiver.requestsTo('/typed')).toHaveLength(1)

    await runCommand(page, 'Create token')
    await opened(page, 'Create token')
    await isFocused(page, 'Name')
    await page.keyboard.type('typed')
    await choose(page, 'Read-only')
    await choose(page, 'Create token')
    await opened(page, 'Token created')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    expect((await pages.api('GET', '/auth/tokens')).data[0]).toMatchObject({ name: 'typed' })

    await runCommand(page, 'Sign out')
    await page.getByLabel('API token').waitFor()
    expect(messages).toEqual([])
    await context.close()
  })

  it('lists the shortcuts of all pages', async () => {
    await pages.on('/links', async (page) => {
      await page.keyboard.press('?')
      const rows = page.getByRole('dialog', { name: 'Keyboard shortcuts' }).locator('dt')
      const keys = (await rows.allTextContents()).map((text) => text.trim())
      expect(keys).toEqual(expect.arrayContaining(['j or k', 'x', 'Enter or o', 'z', '?']))
      expect(keys[0]).toMatch(/K$/)
    })
  })

  it.each([1400, 390])(
    'shows accessible dialogs and notices in both color schemes at %i',
    async (width) => {
      for (const slug of ['spring-sale', 'spring-news'])
        await pages.api('POST', '/links', { slug: `${slug}-${width}`, url: 'https://example.com/spring' })
      const { page, context, messages } = await signedIn(pages, pages.token, '/links?q=spring', { width })
      const wrong: string[] = []
      const check = async (name: string) => {
        await settled(page)
        const findings = await findingsInBothSchemes(page, `${name}-${width}`)
        wrong.push(...findings.map((finding) => `${name}: ${finding}`))
        if ((await measureOverflow(page)) > 0) wrong.push(`${name}: is wider than the window`)
      }
      await page.locator('[data-row]').first().waitFor()
      await check('shell')
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
      await check('palette')
      await page.keyboard.type('spring')
      await page.getByRole('dialog').getByRole('option', { name: '/spring-sale' }).first().waitFor()
      await check('palette-results')
      await page.getByRole('dialog').getByRole('combobox').fill('nothing like this')
      await page.getByText('No results').waitFor()
      await check('palette-empty')
      await page.keyboard.press('Escape')
      await closed(page)
      await page.keyboard.press('?')
      await opened(page, 'Keyboard shortcuts')
      await check('shortcuts')
      await page.keyboard.press('Escape')
      await closed(page)
      await page.keyboard.press('n')
      await opened(page, 'Create link')
      await page.keyboard.type('https://example.com/')
      await page.keyboard.press('Escape')
      await opened(page, 'Discard changes?')
      await check('discard')
      await page.getByRole('button', { name: 'Discard' }).press('Enter')
      await closed(page)
      await page.getByLabel(`Select spring-sale-${width}`).press('Space')
      await page
        .getByRole('group', { name: 'Selected links' })
        .getByRole('button', { name: 'Delete' })
        .press('Enter')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete 1 link' }).press('Enter')
      await page.getByRole('button', { name: 'Undo', exact: true }).waitFor()
      await check('undo')
      expect(wrong).toEqual([])
      expect(messages).toEqual([])
      await context.close()
    },
    180_000,
  )
})
