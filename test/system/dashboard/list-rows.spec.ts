/** Opens and selects rows of lists with the mouse and the keyboard. */
import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { findViolations, openPages, picture, signedIn } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the rows of a list', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
    for (const slug of ['third', 'second', 'first'])
      await pages.api('POST', '/links', { slug, url: `https://example.com/${slug}`, tags: ['sale'] })
  }, 120_000)
  afterAll(() => pages.stop())

  const open = async (path: string, width = 1400) => {
    const seen = await signedIn(pages, pages.token, path, { width })
    await seen.page.locator('[data-row]').first().waitFor()
    return seen
  }
  const row = (page: Page, name: string) => page.getByRole('row', { name })
  const cell = (page: Page, slug: string, column: string) =>
    row(page, `/${slug}`).locator(`td[data-name="${column}"]`)
  const getPath = (page: Page) => new URL(page.url()).pathname
  const focusedText = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

  it('open when a click hits no control and selects no text', async () => {
    const { page, context, messages } = await open('/links')
    await row(page, '/second').getByRole('checkbox').check()
    await page.getByText('1 link selected').waitFor()
    await row(page, '/second').getByRole('button', { name: /^Copy/ }).click()
    await row(page, '/second').getByRole('button', { name: 'Copied' }).waitFor()
    const box = (await cell(page, 'second', 'Destination').locator('span').boundingBox())!
    await page.mouse.move(box.x + 2, box.y + box.height / 2)
    await page.mouse.down()
    await page.mouse.move(box.x + 100, box.y + box.height / 2, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate<string>('getSelection().toString()')).toMatch(/^example/)
    expect(getPath(page)).toBe('/dashboard/links')
    await cell(page, 'second', 'Created').click()
    await page.waitForURL(/\/links\/lnk_/)
    await page.getByRole('heading', { name: '/second' }).waitFor()
    await page.goBack()
    await cell(page, 'third', 'Tags').getByRole('link').click()
    await page.waitForURL(/\/links\?tag=sale$/)
    expect(messages).toEqual([])
    await context.close()
  })

  it('open in a new tab with the middle button on their link, or with Ctrl', async () => {
    const { page, context } = await open('/links')
    const link = row(page, '/first').locator('[data-row]')
    const clicks = [
      () => link.click({ button: 'middle' }),
      () => link.click({ modifiers: ['ControlOrMeta'] }),
      () => cell(page, 'first', 'Created').click({ modifiers: ['ControlOrMeta'] }),
    ]
    for (const click of clicks) {
      const [tab] = await Promise.all([context.waitForEvent('page'), click()])
      await tab.waitForURL(/\/dashboard\/links\/lnk_/)
      await tab.close()
      expect(getPath(page)).toBe('/dashboard/links')
    }
    await context.close()
  })

  it('open on a phone when a line is tapped', async () => {
    const { page, context } = await open('/links', 390)
    await page
      .locator('li', { hasText: '/third' })
      .locator('.list-line')
      .last()
      .click({ position: { x: 5, y: 5 } })
    await page.getByRole('heading', { name: '/third' }).waitFor()
    await context.close()
  })

  it('link to the subject of an event, and reappear when filters are cleared', async () => {
    const { page, context } = await open('/events')
    await page.getByLabel('Type').selectOption('link.deleted')
    await page.getByText('No events match these filters').waitFor()
    await page.getByRole('link', { name: 'Clear filters' }).click()
    await page.getByRole('link', { name: '/first', exact: true }).click()
    await page.getByRole('heading', { name: '/first' }).waitFor()
    await context.close()
  })

  it('are filtered by a slug, a short URL or an ID', async () => {
    const { id, slug, short_url: shortUrl } = await pages.api('GET', '/links/by-slug/first')
    const { page, context, messages } = await open('/events')
    const field = page.getByLabel('Link', { exact: true })
    for (const text of [slug, `/${slug}`, shortUrl, id]) {
      await field.fill(text)
      await field.press('Enter')
      await page.waitForURL(new RegExp(`[?]link_id=${id}$`))
      await waitFor('the slug in the field', async () => (await field.inputValue()) === '/first')
      await page.getByRole('link', { name: 'Clear filters' }).click()
      await page.waitForURL(/events$/)
      await waitFor('the field to be empty', async () => (await field.inputValue()) === '')
    }
    await field.fill('/no-such-link')
    await field.press('Enter')
    const problem = page.getByText('No link /no-such-link')
    await problem.waitFor()
    await page.getByLabel('Type', { exact: true }).selectOption('link.created')
    await problem.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('')
    expect(messages).toEqual([])
    await context.close()
  })

  it('link to the token of an event', async () => {
    await pages.api('POST', '/auth/token', { name: 'of an event', scopes: ['links:read'] })
    const { page, context } = await open('/events')
    await page.getByRole('link', { name: 'of an event', exact: true }).click()
    await page.getByRole('dialog', { name: 'Token “of an event”' }).waitFor()
    await context.close()
  })

  it('open a dialog with the details of a token or an audit entry', async () => {
    const created = await pages.api('POST', '/auth/token', { name: 'shown', scopes: ['links:read'] })
    const { page, context, messages } = await open('/settings/tokens')
    await row(page, 'shown').locator('td[data-name="Last used"]').click()
    const dialog = page.getByRole('dialog', { name: 'Token “shown”' })
    await dialog.getByText('links:read').waitFor()
    await picture(page, 'token-dialog')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByRole('dialog', { name: 'Revoke token “shown”?' }).waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${pages.origin}/dashboard/settings/audit-log?object_id=${created.id}`)
    await row(page, 'token.created').locator('td[data-name=Time]').click()
    const entry = page.getByRole('dialog', { name: 'token.created' })
    await entry.locator('pre', { hasText: created.id }).waitFor()
    await picture(page, 'audit-entry')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await entry.waitFor({ state: 'detached' })
    expect(messages).toEqual([])
    await context.close()
  })

  it('respond to the keys j, k, x, o and Enter', async () => {
    const { page, context, messages } = await open('/links')
    const selected = () => page.locator('tr.chosen [data-row]').allTextContents()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('j', 'j', 'j', 'j')
    expect(await focusedText(page)).toBe('/third')
    await press('k')
    expect(await focusedText(page)).toBe('/second')
    await press('x', 'k', 'x')
    expect(await selected()).toEqual(['/first', '/second'])
    await picture(page, 'row-focused')
    await press('x')
    expect(await selected()).toEqual(['/second'])
    expect(await focusedText(page)).toBe('/first')
    await press('j', 'o')
    await page.getByRole('heading', { name: '/second' }).waitFor()
    await page.goBack()
    await page.locator('[data-row]').first().waitFor()
    // The title gets the focus after the list is shown.
    await page.locator('h1:focus').waitFor()
    await press('j', 'Enter')
    await page.getByRole('heading', { name: '/first' }).waitFor()
    await page.goBack()
    await cell(page, 'third', 'Destination').hover()
    await press('x')
    await waitFor(
      'the row under the pointer to be selected',
      async () => (await selected()).join() === '/third',
    )
    await page.getByLabel('Search slug, URL or title').press('x')
    expect(await page.getByText('1 link selected').count()).toBe(1)
    expect(messages).toEqual([])
    await context.close()
  })

  describe('of a link with thousands of events', () => {
    let link: { id: string }
    beforeAll(async () => {
      link = await pages.api('GET', '/links/by-slug/third')
      await addEvents(5_001)
    })

    // The service reads at most 5,000 events for a page.
    const addEvents = (count: number) =>
      pages.sending.service.db.query(
        `INSERT INTO events (id, workspace_id, tx, type, link_id, body)
         SELECT new_id(), workspace_id, tx, 'link.updated', link_id, body
         FROM (SELECT * FROM events WHERE type = 'link.created' ORDER BY id LIMIT 1) AS created,
           generate_series(1, $1)`,
        [count],
      )

    it('skip an empty page', async () => {
      const { page, context } = await open(`/events?link_id=${link.id}&type=link.created`)
      expect(await page.locator('[data-row]').count()).toBe(1)
      await context.close()
    })

    it('offer to search older events after four empty pages', async () => {
      await addEvents(15_000)
      const { page, context, messages } = await signedIn(pages, pages.token)
      let calls = 0
      page.on('request', (request) => (calls += Number(request.url().includes('/v1/events?'))))
      await page.goto(`${pages.origin}/dashboard/events?link_id=${link.id}&type=link.created`)
      const button = page.getByRole('button', { name: 'Search older events' })
      await button.waitFor()
      expect(calls).toBe(4)
      await picture(page, 'events-search-older')
      expect(await findViolations(page)).toEqual([])
      await button.click()
      await page.waitForURL(/[?&]cursor=/)
      await page.locator('[data-row]').waitFor()
      await page.getByRole('button', { name: 'Previous' }).click()
      await button.waitFor()
      expect(messages).toEqual([])
      await context.close()
    })

    it('offer the way back if no older event matches', async () => {
      const { page, context } = await signedIn(pages, pages.token)
      await page.goto(`${pages.origin}/dashboard/events?link_id=${link.id}&type=link.deleted`)
      await page.getByRole('button', { name: 'Search older events' }).click()
      await page.getByText('No events match these filters').waitFor()
      await page.getByRole('button', { name: 'First' }).click()
      await page.getByRole('button', { name: 'Search older events' }).waitFor()
      await context.close()
    })
  })
})
