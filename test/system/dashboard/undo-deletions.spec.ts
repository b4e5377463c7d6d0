/** Deleted links disappear immediately, and their requests are sent later, unless the user undoes the deletion. */
import type { Locator, Page, Request } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Look, Pages } from './pages.js'

/** Holds the timers of deletions until the test fires them, so that a slow machine does not end them early. */
const holdTimers = `{
  const [start, stop] = [window.setTimeout, window.clearTimeout]
  const held = []
  window.setTimeout = (work, ms, ...rest) => (ms === 10000 ? -held.push(work) : start(work, ms, ...rest))
  window.clearTimeout = (id) => (id < 0 ? (held[-id - 1] = null) : stop(id))
  window.fireHeldTimers = () => held.splice(0).forEach((work) => work?.())
}`

describeWithChromium('a deleted link', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
    await createLink('kept')
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)
  const createLink = async (slug: string): Promise<string> =>
    (await api('POST', '/links', { slug, url: 'https://example.com/' })).id
  const isStored = async (id: string) =>
    (await pages.sending.service.call('GET', `/v1/links/${id}`)).status === 200
  const waitForDeletion = (id: string) => waitFor('the deletion', async () => !(await isStored(id)))
  const press = (within: Page | Locator, name: string) =>
    within.getByRole('button', { name, exact: true }).click()
  const row = (page: Page, slug: string) => page.getByRole('link', { name: `/${slug}`, exact: true })

  async function open(path: string, look: Look = {}) {
    const seen = await signedIn(pages, pages.sending.service.token, '/', look)
    const { page } = seen
    const deletions: Request[] = []
    page.on('request', (request) => {
      if (request.method() === 'DELETE' || request.url().endsWith('/links/bulk/delete'))
        deletions.push(request)
    })
    await page.addInitScript(holdTimers)
    await page.goto(`${pages.origin}/dashboard${path}`)
    return { ...seen, deletions, fireTimers: () => page.evaluate('fireHeldTimers()') }
  }
  async function deleteOnItsPage(page: Page, slug: string): Promise<void> {
    await press(page, 'More actions')
    await press(page, 'Delete')
    await press(page.getByRole('dialog', { name: `Delete link “/${slug}”?` }), 'Delete link')
    await page.getByRole('heading', { level: 1, name: 'Links' }).waitFor()
    await page.getByText(`Deleted link “/${slug}”`).waitFor()
  }
  async function deleteInList(page: Page, slugs: string[]): Promise<void> {
    for (const slug of slugs) await page.getByLabel(`Select ${slug}`).check()
    await press(page.getByRole('group', { name: 'Selected links' }), 'Delete')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete \d+ links?$/ })
      .click()
    for (const slug of slugs) await row(page, slug).waitFor({ state: 'detached' })
  }
  const undoButton = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true })

  it('disappears immediately, and is deleted after 10 seconds', async () => {
    const id = await createLink('later')
    const { page, context, messages, deletions, fireTimers } = await open(`/links/${id}`)
    await deleteOnItsPage(page, 'later')
    await row(page, 'kept').waitFor()
    expect(await row(page, 'later').count()).toBe(0)
    expect(deletions).toEqual([])
    expect(await isStored(id)).toBe(true)
    await fireTimers()
    await waitForDeletion(id)
    await undoButton(page).waitFor({ state: 'detached' })
    await row(page, 'kept').waitFor()
    expect(await row(page, 'later').count()).toBe(0)
    expect(messages).toEqual([])
    await context.close()
  })

  it.each([
    ['the button', (page: Page) => undoButton(page).click()],
    ['the key z', (page: Page) => page.keyboard.press('z')],
  ])('is restored by %s, and no request is sent', async (way, undo) => {
    const slug = `undone-by-${way.replaceAll(' ', '-')}`
    const id = await createLink(slug)
    const { page, context, deletions, fireTimers } = await open(`/links/${id}`)
    await deleteOnItsPage(page, slug)
    await undo(page)
    await row(page, slug).waitFor()
    expect(await page.getByText(`Deleted link “/${slug}”`).count()).toBe(0)
    await fireTimers()
    await page.close({ runBeforeUnload: true })
    expect(deletions).toEqual([])
    expect(await isStored(id)).toBe(true)
    await context.close()
  })

  it('can be undone while dialogs cover the page', async () => {
    const id = await createLink('below-a-dialog')
    const { page, context, messages, deletions } = await open(`/links/${id}`)
    await deleteOnItsPage(page, 'below-a-dialog')
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'Create link' })
    await form.getByLabel('Destination').fill('https://example.com/')
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Discard changes?' })
    await question.getByText('Deleted link “/below-a-dialog”').waitFor()
    await question.getByRole('button', { name: 'Copy as curl' }).click()
    await press(question, 'Keep editing')
    await press(form, 'Undo')
    await form.getByText('Deleted link').waitFor({ state: 'detached' })
    expect(await form.getByLabel('Destination').inputValue()).toBe('https://example.com/')
    await press(form, 'Close')
    await press(question, 'Discard')
    await row(page, 'below-a-dialog').waitFor()
    expect(deletions).toEqual([])
    expect(messages).toEqual([])
    await context.close()
  })

  it('stays hidden on other pages and in reloaded lists, and two deletions are independent', async () => {
    const [one, two, three] = [
      await createLink('pair-1'),
      await createLink('pair-2'),
      await createLink('pair-3'),
    ]
    const { page, context, messages, fireTimers } = await open('/links?q=pair-')
    await deleteInList(page, ['pair-1', 'pair-2'])
    await page.getByText('Deleted 2 links').waitFor()
    await deleteInList(page, ['pair-3'])
    await page.getByText('Deleted link “/pair-3”').waitFor()
    await page.getByText('All links on this page were deleted').waitFor()
    await page.getByRole('link', { name: 'Webhooks', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor()
    await page.getByRole('link', { name: 'Links', exact: true }).click()
    await row(page, 'kept').waitFor()
    expect(await page.getByRole('link', { name: /^\/pair-/ }).count()).toBe(0)
    await undoButton(page).first().click()
    await row(page, 'pair-1').waitFor()
    await row(page, 'pair-2').waitFor()
    await fireTimers()
    await waitForDeletion(three)
    expect([await isStored(one), await isStored(two)]).toEqual([true, true])
    expect(messages).toEqual([])
    await context.close()
  })

  it('has a page that shows the deletion until it is undone', async () => {
    const id = await createLink('visited')
    const { page, context } = await open(`/links/${id}`)
    await deleteOnItsPage(page, 'visited')
    await page.goBack()
    await page.getByText('This link was deleted').waitFor()
    await undoButton(page).click()
    await page.getByRole('heading', { name: '/visited' }).waitFor()
    await context.close()
  })

  it.each([
    ['closed', (page: Page) => page.close({ runBeforeUnload: true })],
    [
      'left for another page',
      async (page: Page) => {
        await page.goto('about:blank')
      },
    ],
    [
      'reloaded',
      async (page: Page) => {
        await page.reload()
      },
    ],
  ])('is deleted when the page is %s', async (way, end) => {
    const slug = `page-${way.split(' ')[0]}`
    const ids = [await createLink(slug), await createLink(`${slug}-2`), await createLink(`${slug}-3`)]
    const { page, context } = await open(`/links/${ids[0]}`)
    await deleteOnItsPage(page, slug)
    await deleteInList(page, [`${slug}-2`, `${slug}-3`])
    await end(page)
    for (const id of ids) await waitForDeletion(id)
    await context.close()
  })

  const hidePage = (page: Page) =>
    page.evaluate(`Object.defineProperty(document, 'hidden', { get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))`)

  it('is deleted when a phone hides the page', async () => {
    const id = await createLink('on-a-phone')
    const { page, context } = await open(`/links/${id}`, { isMobile: true, hasTouch: true, width: 390 })
    await deleteOnItsPage(page, 'on-a-phone')
    await hidePage(page)
    await waitForDeletion(id)
    await context.close()
  })

  it('can be undone after a computer has hidden the page', async () => {
    const id = await createLink('on-a-computer')
    const { page, context, deletions } = await open(`/links/${id}`)
    await deleteOnItsPage(page, 'on-a-computer')
    await hidePage(page)
    await undoButton(page).click()
    await row(page, 'on-a-computer').waitFor()
    expect(deletions).toEqual([])
    await context.close()
  })

  it('is deleted when the user signs out', async () => {
    const id = await createLink('signed-out')
    const { page, context } = await open(`/links/${id}`)
    await deleteOnItsPage(page, 'signed-out')
    await press(page, 'Sign out')
    await page.getByLabel('API token').waitFor()
    expect(await isStored(id)).toBe(false)
    await context.close()
  })

  it('does not keep the user signed in when the session is already over', async () => {
    await createLink('session-over')
    const { page, context } = await open('/links')
    await deleteInList(page, ['session-over'])
    await page.evaluate(`localStorage.setItem('remembered-values', '{}')`)
    await context.clearCookies()
    await press(page, 'Sign out')
    await page.getByLabel('API token').waitFor()
    await waitFor('the local data to be removed', () => page.evaluate<boolean>('localStorage.length === 0'))
    await context.close()
  })

  it('comes back with the error when the service rejects the deletion', async () => {
    const id = await createLink('refused')
    const { page, context, messages, fireTimers } = await open(`/links/${id}`)
    await page.route(`**/api/v1/links/${id}`, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({
            status: 409,
            contentType: 'application/problem+json',
            body: JSON.stringify({ status: 409, code: 'conflict', detail: 'The link is being changed.' }),
          })
        : route.fallback(),
    )
    await deleteOnItsPage(page, 'refused')
    await fireTimers()
    await page.getByText('Could not delete link “/refused”. The link is being changed.').waitFor()
    await row(page, 'refused').waitFor()
    expect(messages).toEqual([])
    await context.close()
  })

  it('stays hidden while a slow service deletes it', async () => {
    const id = await createLink('slow')
    const { page, context, fireTimers } = await open(`/links/${id}`)
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(`**/api/v1/links/${id}`, async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback()
      await released
      await route.continue()
    })
    await deleteOnItsPage(page, 'slow')
    const sent = page.waitForRequest((request) => request.method() === 'DELETE')
    await fireTimers()
    await sent
    await page.getByLabel('Search slug, URL or title').fill('slow')
    await page.getByText('All links on this page were deleted').waitFor()
    release()
    await waitForDeletion(id)
    await page.getByText('No links match these filters').waitFor()
    await context.close()
  })

  it('comes back when the session ends before the deletion is sent', async () => {
    const id = await createLink('expired')
    const { page, context, deletions } = await open(`/links/${id}`)
    await deleteOnItsPage(page, 'expired')
    await context.clearCookies()
    await page.getByLabel('Search slug, URL or title').fill('kept')
    await page.getByText('Could not delete link “/expired”. You were signed out.').waitFor()
    expect(deletions).toEqual([])
    expect(await isStored(id)).toBe(true)
    await context.close()
  })
})
