/** The command palette finds objects and runs commands by keyboard. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the command palette', () => {
  let pages: Pages
  let linkId: string
  let webhookId: string
  let deliveryId: string
  beforeAll(async () => {
    pages = await openPages()
    await webhook('/other')
    webhookId = await webhook('/orders-into-erp')
    linkId = (await pages.api('POST', '/links', { slug: 'winter-sale', url: 'https://example.com/' })).id
    deliveryId = await waitFor('the delivery', async () => {
      const { data } = await pages.api('GET', `/webhooks/${webhookId}/deliveries`)
      return data[0]?.id as string | undefined
    })
  }, 120_000)
  afterAll(() => pages.stop())

  const webhook = async (path: string): Promise<string> => {
    const url = `${pages.sending.receiver.origin}${path}`
    return (await pages.api('POST', '/webhooks', { url, events: ['link.created'] })).id
  }
  const on: Pages['on'] = (path, work) => pages.on(path, work)
  const palette = (page: Page) => page.getByRole('dialog', { name: 'Command palette' })
  const isClosed = (page: Page) => palette(page).waitFor({ state: 'detached' })
  const open = async (page: Page) => {
    await page.keyboard.press('Control+k')
    await palette(page).waitFor()
  }
  /** The name of the option to which `aria-activedescendant` of the focused field points. */
  const activeOption = (page: Page) =>
    page.evaluate<string | null>(
      `document.getElementById(document.activeElement.getAttribute('aria-activedescendant') ?? '')?.innerText ?? null`,
    )
  const waitForActive = (page: Page, text: string) =>
    waitFor(`the option ${text}`, async () => (await activeOption(page))?.startsWith(text))

  it('opens a link that is found by its text, with the keyboard only', async () => {
    await on('/', async (page) => {
      await open(page)
      await page.keyboard.type('winter')
      await waitForActive(page, '/winter-sale')
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/links/${linkId}$`))
      await isClosed(page)
    })
  })

  it('opens on a page that does not exist', async () => {
    await on('/nowhere', async (page) => {
      await page.locator('main').getByRole('button', { name: 'Search' }).click()
      await palette(page).waitFor()
    })
  })

  it('moves with the arrow keys, and returns the focus when Escape closes it', async () => {
    await on('/links', async (page) => {
      await page.getByRole('button', { name: 'Import links' }).focus()
      await open(page)
      await waitForActive(page, 'Create link')
      await page.keyboard.press('ArrowDown')
      await waitForActive(page, 'Import links')
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await waitForActive(page, 'Sign out everywhere')
      await page.keyboard.press('ArrowDown')
      await waitForActive(page, 'Create link')
      expect(await palette(page).getByRole('option', { selected: true }).count()).toBe(1)
      await page.keyboard.press('Escape')
      await isClosed(page)
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Import links')
    })
  })

  it('returns the focus in the same task that closes it, before the next key arrives', async () => {
    await on('/links', async (page) => {
      await page.getByRole('button', { name: 'Import links' }).focus()
      await open(page)
      await page.evaluate(`new MutationObserver(() => {
        if (!document.querySelector('dialog')) window.focusAfterClose ??= document.activeElement.textContent
      }).observe(document.body, { childList: true, subtree: true })`)
      await page.keyboard.press('Escape')
      await isClosed(page)
      expect(await page.evaluate('focusAfterClose')).toBe('Import links')
    })
  })

  it('opens the page of a pasted ID', async () => {
    const [event] = (await pages.api('GET', '/events?type=link.created')).data
    const { id: tokenId } = await pages.api('GET', '/auth/token/self')
    await on('/', async (page) => {
      for (const [id, path] of [
        [linkId, `/links/${linkId}`],
        [webhookId, `/webhooks/${webhookId}`],
        [event.id, `/events/${event.id}`],
        [deliveryId, `/webhooks/${webhookId}/deliveries/${deliveryId}`],
        // Last, because the page opens a dialog.
        [tokenId, `/settings/tokens?token=${tokenId}`],
      ]) {
        await open(page)
        await page.keyboard.insertText(` ${id} `)
        await palette(page).getByRole('option').getByText(id).waitFor()
        await page.keyboard.press('Enter')
        await page.waitForURL(`${pages.origin}/dashboard${path}`)
        await isClosed(page)
      }
      await page.goto(`${pages.origin}/dashboard/settings/tokens?token=${tokenId}`)
      await page.getByRole('dialog', { name: /^Token “/ }).waitFor()
      await page.getByRole('button', { name: 'Close' }).click()
      await page.waitForURL(`${pages.origin}/dashboard/settings/tokens`)
      await page.goto(`${pages.origin}/dashboard/settings/tokens?token=tok_unknown`)
      await page.getByText('no longer active').waitFor()
    })
  })

  it('creates a link to a pasted URL', async () => {
    await on('/events', async (page) => {
      await open(page)
      await page.keyboard.insertText(' https://example.com/pasted?page=1 ')
      await waitForActive(page, 'Create link to example.com/pasted?page=1')
      await page.keyboard.press('Enter')
      const form = page.getByRole('dialog', { name: 'Create link' })
      expect(await form.getByLabel('Destination').inputValue()).toBe('https://example.com/pasted?page=1')
      await form.getByRole('button', { name: 'Create link' }).click()
      await page.waitForURL(/\/links\/lnk_/)
      // Back does not open the form again.
      await page.goBack()
      await page.waitForURL(`${pages.origin}/dashboard/links`)
      expect(await page.getByRole('dialog').count()).toBe(0)
    })
  })

  it('does not shorten a pasted URL that is long or too long', async () => {
    const createUrl = (length: number) => 'https://example.com/'.padEnd(length, 'a')
    await on('/events', async (page) => {
      await open(page)
      await page.keyboard.insertText(createUrl(8_193))
      await palette(page).getByText('No results').waitFor()
      await palette(page).getByRole('combobox').fill(createUrl(8_192))
      await waitForActive(page, 'Create link to')
      await page.keyboard.press('Enter')
      const form = page.getByRole('dialog', { name: 'Create link' })
      expect(await form.getByLabel('Destination').inputValue()).toBe(createUrl(8_192))
    })
  })

  it('finds webhooks by a part of their URL', async () => {
    await on('/', async (page) => {
      await open(page)
      await page.keyboard.type('into-erp')
      await waitForActive(page, `${pages.sending.receiver.origin}/orders-into-erp`)
      await page.keyboard.press('Enter')
      await page.waitForURL(new RegExp(`/webhooks/${webhookId}$`))
    })
  })

  it('shows only the commands that the token may run', async () => {
    // Creating a webhook also requires `events:read`.
    const { token } = await pages.sending.service.mint('links:read,webhooks:write')
    const { page, context } = await signedIn(pages, token, '/')
    await open(page)
    expect(await palette(page).locator('.palette-title').allTextContents()).toEqual([
      'Export links',
      'Go to Overview',
      'Go to Links',
      'Switch theme: light',
      'Switch theme: dark',
      'Show keyboard shortcuts',
      'Open API reference',
      'Sign out',
      'Sign out everywhere',
    ])
    await page.keyboard.insertText(webhookId)
    await palette(page).getByText('No results').waitFor()
    await context.close()
  })

  it.each([
    ['Import links', (page: Page) => page.getByRole('dialog', { name: 'Import links' }).waitFor()],
    ['Create webhook', (page: Page) => page.getByRole('dialog', { name: 'Create webhook' }).waitFor()],
    ['Create token', (page: Page) => page.getByRole('dialog', { name: 'Create token' }).waitFor()],
    ['Go to Audit log', (page: Page) => page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()],
    [
      'Show keyboard shortcuts',
      (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor(),
    ],
    ['Sign out', (page: Page) => page.getByLabel('API token').waitFor()],
  ])('runs the command %s', async (command, isDone) => {
    await on('/events', async (page) => {
      await open(page)
      await page.keyboard.type(command)
      await waitForActive(page, command)
      await page.keyboard.press('Enter')
      await isDone(page)
      await isClosed(page)
    })
  })

  it('switches the theme, and exports the links', async () => {
    await on('/', async (page) => {
      await open(page)
      await page.keyboard.type('dark theme')
      await page.keyboard.press('Enter')
      await waitFor('the dark theme', () =>
        page.evaluate<boolean>(`document.documentElement.style.colorScheme === 'dark'`),
      )
      await open(page)
      await page.keyboard.type('export')
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
      expect(download.suggestedFilename()).toBe('links.csv')
    })
  })

  it('ignores the response to an earlier text', async () => {
    await pages.api('POST', '/links', { slug: 'first-text', url: 'https://example.com/' })
    await on('/', async (page) => {
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      let isHeld = false
      await page.route(/\/api\/v1\/links\?.*q=first/, async (route) => {
        isHeld = true
        await released
        await route.continue().catch(() => undefined)
      })
      await open(page)
      await page.keyboard.type('first')
      await waitFor('the first search', () => isHeld)
      await palette(page).getByText('Searching…').waitFor()
      await palette(page).getByRole('combobox').fill('winter')
      await waitForActive(page, '/winter-sale')
      release()
      await page.evaluate('fetch("/dashboard/api/v1/auth/token/self").then(() => undefined)')
      expect(await palette(page).getByRole('option').count()).toBe(1)
    })
  })

  it('searches only after a pause in typing', async () => {
    await on('/', async (page) => {
      const searches: string[] = []
      page.on('request', (request) => {
        const text = new URL(request.url()).searchParams.get('q')
        if (text !== null) searches.push(text)
      })
      await open(page)
      // All characters arrive in one task, however busy the machine is.
      await page.evaluate(`for (const text of ['w', 'wi', 'winter']) {
        const field = document.activeElement
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      }`)
      await waitForActive(page, '/winter-sale')
      expect(searches).toEqual(['winter'])
    })
  })

  it('opens from buttons on a wide and on a narrow page', async () => {
    for (const width of [1400, 390]) {
      const { page, context } = await signedIn(pages, pages.token, '/links', { width })
      await page.getByRole('button', { name: 'Search and commands' }).filter({ visible: true }).click()
      await palette(page).waitFor()
      await palette(page).getByRole('option', { name: 'Create webhook' }).click()
      await page.getByRole('dialog', { name: 'Create webhook' }).waitFor()
      await context.close()
    }
  })

  it('does not open from a field or above another dialog', async () => {
    await on('/links', async (page) => {
      await page.getByLabel('Search slug, URL or title').focus()
      for (const key of ['Control+k', '?', 'n', 'g', 'w']) await page.keyboard.press(key)
      expect(await page.getByRole('dialog').count()).toBe(0)
      await page.goto(`${pages.origin}/dashboard/links?new=1`)
      await page.getByRole('dialog', { name: 'Create link' }).waitFor()
      await page.getByRole('button', { name: 'Close' }).focus()
      for (const key of ['Control+k', '?', 'g', 'w']) await page.keyboard.press(key)
      expect(await page.getByRole('dialog').count()).toBe(1)
      expect(new URL(page.url()).pathname).toBe('/dashboard/links')
    })
  })
})
