/** The live view misses no click, and pauses while it is read. */
import type { Page } from 'playwright-core'
import { DataSource } from 'typeorm'

import { describeWithChromium } from '../../support/chromium.js'
import { writeClicks } from '../../../src/clicks/ingest/write-clicks.js'
import { createClick, readIdentity } from '../../support/factories/clicks.js'
import { waitFor } from '../../support/wait-for.js'
import { findViolations, openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

describeWithChromium('the live view of a link', () => {
  let pages: Pages
  beforeAll(async () => {
    pages = await openPages()
  }, 120_000)
  afterAll(() => pages.stop())

  const createLink = () => pages.api('POST', '/links', { url: 'https://example.com/' })
  const visit = (slug: string) => fetch(`${pages.origin}/${slug}`, { redirect: 'manual' })
  const rows = (page: Page) => page.locator('.live li')
  const open = (link: { id: string }) => signedIn(pages, pages.token, `/links/${link.id}?tab=live`)
  const feedAfter = (link: { id: string }, after: string) =>
    pages.api('GET', `/clicks?link_id=${link.id}&after=${after}`)

  it('shows recent clicks with the names of their countries, and counts current visitors', async () => {
    const link = await createLink()
    const identity = await readIdentity(pages.sending.service, link)
    const clicks = [
      createClick(identity, {
        country: 'DE',
        visitor: 'a',
        browser: 'Firefox',
        os: 'Linux',
        device: 'desktop',
      }),
      createClick(identity, { country: 'DE', visitor: 'a' }),
      createClick(identity, { country: 'JP', visitor: 'b' }),
      createClick(identity, { visitor: 'c', bot: true }),
    ]
    await pages.sending.service.app.get(DataSource).transaction((tx) => writeClicks(tx, clicks))
    const { page, context, messages } = await open(link)
    await page.locator('.pulse.on').waitFor()
    await waitFor('the recent clicks', async () => (await rows(page).count()) === 4)
    expect(await page.locator('.live-visitors b').textContent()).toBe('2')
    const text = await page.locator('.live').textContent()
    for (const shown of ['Germany', 'Japan', 'Unknown country', 'Firefox, Linux, desktop', 'Direct', 'bot'])
      expect(text).toContain(shown)
    expect(await findViolations(page)).toEqual([])
    expect(messages).toEqual([])
    await context.close()
  })

  it('continues after the last click when the stream is opened again', async () => {
    const link = await createLink()
    const { page, context } = await signedIn(pages, pages.token)
    let streams = 0
    await page.route(/\/clicks\/live/, async (route) => {
      streams++
      if (streams === 1) {
        // The first stream delivers one click and ends.
        const { next_cursor: after } = await feedAfter(link, 'latest')
        await visit(link.slug)
        const { data, next_cursor: cursor } = await waitFor('the click', async () => {
          const feed = await feedAfter(link, after)
          return feed.data.length === 1 && feed
        })
        const body = `id: ${cursor}\ndata: ${JSON.stringify(data[0])}\n\n`
        return route.fulfill({ contentType: 'text/event-stream', body })
      }
      if (streams === 2) {
        await visit(link.slug)
        const problem = {
          type: 'about:blank',
          title: 'Broken',
          status: 422,
          code: 'broken',
          detail: 'Broken.',
        }
        return route.fulfill({ status: 422, contentType: 'application/problem+json', json: problem })
      }
      return route.continue()
    })
    await page.goto(`${pages.origin}/dashboard/links/${link.id}?tab=live`)
    await page.getByText('Disconnected, 1 click since you opened this page').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Connected, 2 clicks since you opened this page').waitFor()
    expect(await rows(page).count()).toBe(2)
    await context.close()
  })

  it('connects again after the user has signed in again', async () => {
    const link = await createLink()
    const { page, context } = await signedIn(pages, pages.token)
    let endSession: () => void = () => undefined
    const isEnded = new Promise<void>((resolve) => (endSession = resolve))
    await page.route(/\/clicks\/live/, async (route) => {
      await isEnded
      await route.fulfill({ status: 401 })
    })
    await page.goto(`${pages.origin}/dashboard/links/${link.id}?tab=live`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Title').fill('changed')
    endSession()
    const signIn = page.getByRole('dialog', { name: /^Session ended/ })
    await signIn.getByLabel('API token').fill(pages.token)
    await page.unrouteAll()
    await signIn.getByRole('button', { name: 'Sign in' }).click()
    await signIn.waitFor({ state: 'detached' })
    await page.locator('.pulse.on').waitFor()
    await context.close()
  })

  it('is connected only while a stream is open', async () => {
    const link = await createLink()
    const { page, context, messages } = await signedIn(pages, pages.token)
    let streams = 0
    await page.route(/\/clicks\/live/, (route) => {
      streams++
      // The first stream ends immediately. Then the service is unavailable.
      return streams === 1
        ? route.fulfill({ contentType: 'text/event-stream', body: ': open\n\n' })
        : route.fulfill({ status: 503, json: { status: 503, code: 'unavailable', detail: 'Unavailable.' } })
    })
    await page.goto(`${pages.origin}/dashboard/links/${link.id}?tab=live`)
    await waitFor('a retry', () => streams > 2)
    await page.getByText('Connecting…').waitFor()
    expect(await page.locator('.pulse.on').count()).toBe(0)
    await page.unrouteAll()
    await page.locator('.pulse.on').waitFor()
    expect(messages).toEqual([])
    await context.close()
  })

  it.each([
    [
      'pointer is on it',
      (page: Page) => page.locator('.live').hover(),
      (page: Page) => page.mouse.move(2, 2),
    ],
    [
      'focus is on it',
      (page: Page) => page.locator('.live').focus(),
      (page: Page) => page.locator('.live').blur(),
    ],
  ])('pauses the list while the %s', async (_name, enter, leave) => {
    const link = await createLink()
    const { page, context } = await open(link)
    await page.locator('.pulse.on').waitFor()
    await visit(link.slug)
    await page.getByText('Connected, 1 click since').waitFor()
    await enter(page)
    await page.getByText('Paused').waitFor()
    await visit(link.slug)
    await page.getByText('Connected, 2 clicks since').waitFor()
    await page.getByText('Paused, 1 new click').waitFor()
    expect(await rows(page).count()).toBe(1)
    await leave(page)
    await waitFor('the second click', async () => (await rows(page).count()) === 2)
    await context.close()
  })
})
