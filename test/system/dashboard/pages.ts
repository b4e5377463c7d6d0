/** What the suites of the pages share: a service, its pages in a browser, and what must hold on each of them. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'

import { startChromium } from '../../support/chromium.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'
import { scopes } from '../../../src/auth/scopes.js'
import { SignInTokens } from '../../../src/sessions/sign-in-tokens.js'

export interface Pages {
  sending: Sending
  origin: string
  /** May do everything, as the token of the first start. */
  token: string
  browser: Browser
  /** Calls the API with the token of the service, and resolves with the body of an answer that is no refusal. */
  api(method: string, path: string, body?: unknown): Promise<any>
  /** Signs in with that token for a visit to a page, which must say nothing in the console. */
  on(path: string, work: (page: Page) => Promise<void>): Promise<void>
  stop(): Promise<void>
}

export async function openPages(answer?: Parameters<typeof startSending>[0]): Promise<Pages> {
  // Retries come late, so that a test sees a delivery that has failed once and waits.
  const sending = await startSending(answer, { WEBHOOK_RETRY_SCHEDULE: '1h,1h' })
  const browser = await startChromium()
  const { service } = sending
  const pages: Pages = {
    sending,
    origin: service.origin,
    token: (await service.mint(scopes.join())).token,
    browser,
    api: async (method, path, body) => {
      const answer = await service.call(method, `/v1${path}`, body === undefined ? {} : { body })
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text}`)
      return answer.body
    },
    on: async (path, work) => {
      const { page, context, messages } = await signedIn(pages, service.token, path)
      await work(page)
      expect(messages).toEqual([])
      await context.close()
    },
    stop: async () => {
      await browser.close()
      await sending.stop()
    },
  }
  return pages
}

export interface Seen {
  context: BrowserContext
  page: Page
  /** What the console said, and what was thrown. */
  messages: string[]
}

export interface Look {
  width?: number
  colorScheme?: 'light' | 'dark'
}

/** A window of its own, signed in by a code as the first start prints one. */
export async function signedIn(pages: Pages, token: string, path = '/', look: Look = {}): Promise<Seen> {
  const { width = 1400, colorScheme = 'light' } = look
  const context = await pages.browser.newContext({ viewport: { width, height: 900 }, colorScheme })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: pages.origin })
  const page = await context.newPage()
  const messages = watchMessages(page)
  const { service } = pages.sending
  const { id } = (await service.call('GET', '/v1/auth/token/self', { token })).body
  const address = await service.app.get(SignInTokens).addressForNamed(id)
  await page.goto(`${pages.origin}/dashboard${path}${new URL(address).hash}`)
  await page.locator('.shell h1').waitFor()
  return { context, page, messages }
}

/** A refusal that the page asks for is told by the browser itself: it is an answer, and no fault of the page. */
const refusals = /^Failed to load resource: the server responded with a status of (?:401|404|409|412|422|503)/

function watchMessages(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (!refusals.test(message.text()))
      messages.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => messages.push(`thrown: ${error.message}`))
  return messages
}

/** Nothing is being read any more. */
export async function settled(page: Page): Promise<void> {
  await waitFor('the page to have read what it shows', () =>
    page.evaluate<boolean>(
      '!document.querySelector(".bone") && [...document.images].every(({ complete }) => complete)',
    ),
  )
}

/** What keeps somebody from using the page, in a line each. */
export async function findingsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate<string[]>(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ': ' + help + ' at ' + target.join(' '))))`)
}

/** By how many pixels the page is wider than its window. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** The tables that hide a part of themselves to the side. */
export function cutTablesOf(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.table-wrap')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((table) => table.getAttribute('aria-label'))`)
}

/** With DASHBOARD_SCREENSHOTS a picture goes into that folder, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['DASHBOARD_SCREENSHOTS']
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
