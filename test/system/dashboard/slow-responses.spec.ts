/** A slow response does not overwrite newer state. */
import type { Locator, Page, Request, Route } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages } from './pages.js'
import type { Pages } from './pages.js'

/** Calls that wait until they are released. */
interface Held {
  requests: Request[]
  release: () => void
}

describeWithChromium('the dashboard of a slow service', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const api: Pages['api'] = (...call) => pages.api(...call)
  const webhook = (path: string) =>
    api('POST', '/webhooks', { url: `${pages.sending.receiver.origin}${path}`, events: ['link.created'] })
  const button = (page: Page | Locator, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' })

  const on: Pages['on'] = (path, work) => pages.on(path, work)

  async function hold(
    page: Page,
    method: string,
    path: RegExp,
    respond: (route: Route) => Promise<void> = (route) => route.continue(),
  ): Promise<Held> {
    const requests: Request[] = []
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(
      ({ pathname }) => pathname.startsWith('/dashboard/api/') && path.test(pathname),
      async (route) => {
        if (route.request().method() !== method) return route.fallback()
        requests.push(route.request())
        await released
        // The page may have aborted the call.
        await respond(route).catch(() => undefined)
      },
    )
    return { requests, release }
  }
  /** Waits until the earlier calls of the page have been sent. */
  const waitForSentCalls = (page: Page) =>
    page.evaluate('fetch("/dashboard/api/v1/auth/token/self").then(() => undefined)')
  /** Resolves when a call of the page ends. */
  const waitForEnd = (page: Page, call: Request) =>
    new Promise<'answered' | 'aborted'>((resolve) => {
      page.on('requestfinished', (request) => request === call && resolve('answered'))
      page.on('requestfailed', (request) => request === call && resolve('aborted'))
    })
  async function goTo(page: Page, name: string): Promise<void> {
    await page.getByRole('link', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
  }
  const waitForFirst = ({ requests }: Held) => waitFor('the call', () => requests[0])

  it('enables a replay only with the settings that were counted', async () => {
    const hook = await webhook('/counted')
    await on(`/webhooks/${hook.id}?tab=replay`, async (page) => {
      const dryRun = await hold(page, 'POST', /\/replay$/, (route) =>
        route.fulfill({ json: { deliveries: 3, note: null } }),
      )
      await page.getByLabel('All deliveries').check()
      await waitForFirst(dryRun)
      expect(await button(page, 'Replay deliveries').isDisabled()).toBe(true)
      expect(await page.getByText('will be sent').count()).toBe(0)
      dryRun.release()
      await page.getByText('3 deliveries will be sent.').waitFor()
      expect(await button(page, 'Replay 3 deliveries').isEnabled()).toBe(true)
    })
  })

  it.each([
    ['another mode', (page: Page) => page.getByLabel('If a link exists').selectOption('update')],
    ['another text', (page: Page) => page.getByLabel('Links to import').fill('https://example.com/other')],
  ])('does not enable an import with %s after the preview', async (_, change) => {
    await on('/links?new=many', async (page) => {
      await page.getByLabel('Links to import').fill('https://example.com/tried')
      const start = await hold(page, 'POST', /\/imports$/)
      await button(page, 'Preview import').click()
      await waitForFirst(start)
      await change(page)
      start.release()
      await page.locator('button:enabled', { hasText: 'Preview import' }).waitFor()
      expect(await page.getByRole('button', { name: /^Import \d/ }).count()).toBe(0)
      expect(await page.getByText('Nothing has been imported yet').count()).toBe(0)
    })
  })

  it('does not filter by a link whose lookup is still running when the filters are cleared', async () => {
    await api('POST', '/links', { url: 'https://example.com/', slug: 'looked-up' })
    await on('/events?type=link.created', async (page) => {
      const lookup = await hold(page, 'GET', /\/by-slug\//)
      const field = page.getByLabel('Link', { exact: true })
      await field.fill('looked-up')
      await field.press('Enter')
      const ended = waitForEnd(page, await waitForFirst(lookup))
      await page.getByRole('link', { name: 'Clear filters' }).click()
      await page.waitForURL(/events$/)
      await waitFor('the field to be empty', async () => (await field.inputValue()) === '')
      lookup.release()
      expect(await ended).toBe('aborted')
    })
  })

  it('keeps a new session when an earlier call returns 401', async () => {
    await on('/', async (page) => {
      const list = await hold(page, 'GET', /\/links$/, (route) => route.fulfill({ status: 401 }))
      await page.goto(`${pages.origin}/dashboard/links?new=1`)
      const ended = waitForEnd(page, await waitForFirst(list))
      await page.getByRole('dialog').getByLabel('Destination').fill('https://example.com/kept')
      await page.context().clearCookies()
      await button(page, 'Create link').last().click()
      const signIn = page.getByRole('dialog', { name: /^Session ended/ })
      await signIn.getByLabel('API token').fill(pages.sending.service.token)
      await button(signIn, 'Sign in').click()
      await signIn.waitFor({ state: 'detached' })
      list.release()
      await ended
      await waitForSentCalls(page)
      expect(await signIn.count()).toBe(0)
    })
  })

  it('keeps a new session when an earlier start of the page fails', async () => {
    const page = await pages.browser.newPage()
    await page.route(/\/token\/self$/, (route) => route.fulfill({ status: 500 }))
    await page.goto(`${pages.origin}/dashboard/`)
    const retry = button(page, 'Try again')
    await retry.waitFor()
    await page.unrouteAll()
    const start = await hold(page, 'GET', /\/token\/self$/, (route) => route.fulfill({ status: 401 }))
    await retry.click()
    const ended = waitForEnd(page, await waitForFirst(start))
    await page.route(/\/token\/self$/, (route) => route.continue())
    await page.getByLabel('API token').fill(pages.sending.service.token)
    await button(page, 'Sign in').click()
    const title = page.locator('.shell h1')
    await title.waitFor()
    start.release()
    await ended
    await waitForSentCalls(page)
    expect(await title.count()).toBe(1)
    await page.close()
  })

  it('polls a list with the largest page size, and only after the previous response', async () => {
    await webhook('/explained')
    await api('POST', '/links', { url: 'https://example.com/' })
    const { id } = (await api('GET', '/events?type=link.created')).data[0]
    await on('/events', async (page) => {
      await page.clock.install()
      const explained = await hold(page, 'GET', /\/explain$/)
      await page.goto(`${pages.origin}/dashboard/events/${id}`)
      const first = await waitForFirst(explained)
      await page.clock.runFor(20_000)
      await waitForSentCalls(page)
      expect(explained.requests).toHaveLength(1)
      expect(new URL(first.url()).searchParams.get('limit')).toBe('100')
      explained.release()
      await page.locator('main td.sentence').first().waitFor()
      await page.clock.runFor(5_000)
      await waitFor('the next call', () => explained.requests[1])
    })
  })

  const enterLink = async (page: Page, slug: string) => {
    await page.getByLabel('Link', { exact: true }).fill(slug)
    await page.keyboard.press('Enter')
  }

  it('filters events by the link that was entered last', async () => {
    await api('POST', '/links', { url: 'https://example.com/', slug: 'entered-first' })
    const { id } = await api('POST', '/links', { url: 'https://example.com/', slug: 'entered-last' })
    await on('/events', async (page) => {
      const lookup = await hold(page, 'GET', /\/by-slug\/entered-first$/)
      await enterLink(page, 'entered-first')
      const end = waitForEnd(page, await waitForFirst(lookup))
      await enterLink(page, 'entered-last')
      await page.waitForURL(new RegExp(`link_id=${id}$`))
      expect(await end).toBe('aborted')
      lookup.release()
    })
  })

  it('does not filter another page when the lookup of a link ends', async () => {
    await api('POST', '/links', { url: 'https://example.com/', slug: 'entered-early' })
    await on('/events', async (page) => {
      const lookup = await hold(page, 'GET', /\/by-slug\/entered-early$/)
      await enterLink(page, 'entered-early')
      const end = waitForEnd(page, await waitForFirst(lookup))
      await goTo(page, 'Webhooks')
      lookup.release()
      expect(await end).toBe('aborted')
      expect(new URL(page.url()).search).toBe('')
    })
  })

  it('does not overwrite a saved change with an older response, and keeps polling', async () => {
    const link = await api('POST', '/links', { url: 'https://example.com/', title: 'before' })
    await on(`/links/${link.id}`, async (page) => {
      await page.clock.install()
      await page.reload()
      await page.getByRole('heading', { name: 'before' }).waitFor()
      const older = await hold(page, 'GET', new RegExp(`/links/${link.id}$`), (route) =>
        route.fulfill({ json: link }),
      )
      await page.clock.runFor(30_000)
      const end = waitForEnd(page, await waitForFirst(older))
      await button(page, 'Edit').click()
      await page.getByLabel('Title').fill('after')
      await button(page, 'Save changes').click()
      await page.getByRole('heading', { name: 'after' }).waitFor()
      older.release()
      expect(await end).toBe('aborted')
      await page.unrouteAll()
      await api('PATCH', `/links/${link.id}`, { title: 'later' })
      await page.clock.runFor(30_000)
      await page.getByRole('heading', { name: 'later' }).waitFor()
    })
  })

  it('shows the result of an import after its dialog was closed, and reloads the list', async () => {
    await on('/links?new=many', async (page) => {
      await page.clock.install()
      await page.reload()
      const form = page.getByRole('dialog')
      await form.getByLabel('Links to import').fill('https://example.com/closed')
      await button(form, 'Preview import').click()
      const import_ = button(form, 'Import 1 line')
      await waitFor('the preview', async () => {
        await page.clock.runFor(1_000)
        return import_.isEnabled({ timeout: 1_000 }).catch(() => false)
      })
      const polls = await hold(page, 'GET', /\/imports\/[^/]+$/)
      await import_.click()
      await waitFor('the first poll', async () => {
        await page.clock.runFor(1_000)
        return polls.requests[0]
      })
      await button(form, 'Close').click()
      await form.waitFor({ state: 'detached' })
      await goTo(page, 'Webhooks')
      await goTo(page, 'Links')
      const list = await hold(page, 'GET', /\/links$/)
      polls.release()
      await waitFor('the reload of the list', async () => {
        await page.clock.runFor(1_000)
        return list.requests[0]
      })
      await page.getByText('Imported: 1 new').waitFor()
      list.release()
      await page.locator('tbody tr', { hasText: 'example.com/closed' }).waitFor()
    })
  })

  it('shows why an import failed after its dialog was closed', async () => {
    await on('/links?new=many', async (page) => {
      const form = page.getByRole('dialog')
      await form.getByLabel('Links to import').fill('https://example.com/lost')
      await button(form, 'Preview import').click()
      await button(form, 'Import 1 line').waitFor()
      const failed = { id: 'imp_1', status: 'failed', error: 'The import was deleted.' }
      const start = await hold(page, 'POST', /\/imports$/, (route) => route.fulfill({ json: failed }))
      await button(form, 'Import 1 line').click()
      await waitForFirst(start)
      await button(form, 'Close').click()
      await goTo(page, 'Webhooks')
      start.release()
      await page.getByText('Could not import the links. The import was deleted.').waitFor()
    })
  })

  it('stays on the current page when an import ends after its dialog was closed', async () => {
    await on('/links?new=many', async (page) => {
      const form = page.getByRole('dialog')
      await form.getByLabel('Links to import').fill('https://example.com/begun')
      await button(form, 'Preview import').click()
      await button(form, 'Import 1 line').waitFor()
      const ended = { id: 'imp_1', status: 'done', lines: 1, created: 1, updated: 0, skipped: 0, failed: 0 }
      const start = await hold(page, 'POST', /\/imports$/, (route) => route.fulfill({ json: ended }))
      await button(form, 'Import 1 line').click()
      await waitForFirst(start)
      await button(form, 'Close').click()
      await goTo(page, 'Webhooks')
      start.release()
      await page.getByText('Imported: 1 new').waitFor()
      expect(new URL(page.url()).pathname).toBe('/dashboard/webhooks')
    })
  })

  it('stays on the current page when a link is created after its dialog was closed', async () => {
    await on('/links?new=1', async (page) => {
      const form = page.getByRole('dialog')
      await form.getByLabel('Destination').fill('https://example.com/')
      await form.getByLabel('Slug').fill('made-late')
      const making = await hold(page, 'POST', /\/links$/)
      await button(form, 'Create link').click()
      await waitForFirst(making)
      await button(form, 'Close').click()
      await button(page, 'Discard').click()
      await goTo(page, 'Webhooks')
      making.release()
      await page.getByText('Created link “/made-late”.').waitFor()
      expect(new URL(page.url()).pathname).toBe('/dashboard/webhooks')
    })
  })

  it('returns the focus when changes are saved while the dialog asks to discard them', async () => {
    const { id } = await api('POST', '/links', { url: 'https://example.com/', slug: 'saved-late' })
    await on(`/links/${id}`, async (page) => {
      await button(page, 'Edit').click()
      await page.getByLabel('Title').fill('saved late')
      const saving = await hold(page, 'PATCH', /\/links\//)
      await button(page, 'Save changes').click()
      await waitForFirst(saving)
      await button(page, 'Close').click()
      await button(page, 'Keep editing').waitFor()
      saving.release()
      await page.getByRole('dialog').first().waitFor({ state: 'detached' })
      await page.locator(':focus', { hasText: 'Edit' }).waitFor()
    })
  })
})
