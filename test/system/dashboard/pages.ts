/** Opens the dashboard of a running service in a browser, and checks what must hold on every page. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'

import { startChromium } from '../../support/chromium.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'
import { scopes } from '../../../src/auth/scopes.js'
import { SessionsService } from '../../../src/sessions/sessions.service.js'
import { SignInTokens } from '../../../src/sessions/sign-in-tokens.js'
import { fillBusyMonth } from './busy-month.js'
import type { BusyMonth, FailingHook } from './busy-month.js'

export interface Pages {
  sending: Sending
  origin: string
  /** Has all scopes, like the first token. */
  token: string
  browser: Browser
  /** Calls the API with the token of the service, and returns the response body. Throws for an error. */
  api(method: string, path: string, body?: unknown): Promise<any>
  /** Signs in, opens a page and runs `work`. The page must not write to the console. */
  on(path: string, work: (page: Page) => Promise<void>, look?: Look): Promise<void>
  stop(): Promise<void>
}

export async function openPages(
  respond?: Parameters<typeof startSending>[0],
  env: Record<string, string> = {},
): Promise<Pages> {
  // Late retries let a test see a delivery that has failed once and is pending.
  const sending = await startSending(respond, { WEBHOOK_RETRY_SCHEDULE: '1h,1h', ...env })
  const browser = await startChromium()
  const { service } = sending
  const pages: Pages = {
    sending,
    origin: service.origin,
    token: (await service.mint(scopes.join())).token,
    browser,
    api: async (method, path, body) => {
      const response = await service.call(method, `/v1${path}`, body === undefined ? {} : { body })
      if (response.status >= 300) throw new Error(`${method} ${path}: ${response.text}`)
      return response.body
    },
    on: async (path, work, look) => {
      const { page, context, messages } = await signedIn(pages, service.token, path, look)
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

export interface BusyPages extends Pages {
  busy: BusyMonth
}

/** Opens pages whose service has the links, clicks and webhooks of a busy month. */
export async function openBusyPages(
  respond?: Parameters<typeof openPages>[0],
  env: Record<string, string> = {},
  failing: readonly FailingHook[] = [],
): Promise<BusyPages> {
  const pages = await openPages(respond, env)
  return Object.assign(pages, { busy: await fillBusyMonth(pages.sending, failing) })
}

export interface Seen {
  context: BrowserContext
  page: Page
  /** Console messages and uncaught errors. */
  messages: string[]
}

export interface Look {
  width?: number
  colorScheme?: 'light' | 'dark'
  timezoneId?: string
  /** Both together simulate a phone. */
  isMobile?: boolean
  hasTouch?: boolean
}

/**
 * Opens a browser context with a new session. The session is created without a request, because an IP
 * address can sign in only 20 times a minute.
 */
export async function signedIn(pages: Pages, token: string, path = '/', look: Look = {}): Promise<Seen> {
  const { width = 1400, ...rest } = { colorScheme: 'light' as const, ...look }
  const context = await pages.browser.newContext({ viewport: { width, height: 900 }, ...rest })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: pages.origin })
  const page = await context.newPage()
  const messages = watchMessages(page)
  await context.addCookies([await createSession(pages, token)])
  await page.goto(`${pages.origin}/dashboard${path}`)
  await page.locator('.shell h1').waitFor()
  return { context, page, messages }
}

/** Creates a session and returns its cookie. */
async function createSession({ sending, origin }: Pages, token: string) {
  const sessions = sending.service.app.get(SessionsService)
  const cookie = await sessions.signIn({ token }, { address: '127.0.0.1', requestId: 'test' })
  const [name, value] = cookie.split(';')[0]!.split('=')
  const { hostname: domain } = new URL(origin)
  return {
    name: name!,
    value: value!,
    domain,
    path: '/dashboard',
    httpOnly: true,
    sameSite: 'Strict' as const,
  }
}

/** Returns the URL of a page with a new sign-in code, like the code that the first start prints. */
export async function createSignInLink(pages: Pages, token: string, path = '/'): Promise<string> {
  const { service } = pages.sending
  const { id } = (await service.call('GET', '/v1/auth/token/self', { token })).body
  const url = await service.app.get(SignInTokens).createUrlForToken(id)
  return `${pages.origin}/dashboard${path}${new URL(url).hash}`
}

/** The browser logs every error response, including those that the page expects. */
const expectedErrors =
  /^Failed to load resource: the server responded with a status of (?:401|404|409|412|422|503)/

function watchMessages(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (!expectedErrors.test(message.text()))
      messages.push(`${message.type()}: ${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => messages.push(`thrown: ${error.message}`))
  return messages
}

const emptyClipboard = 'nothing copied'

/** Shown while a page loads its data, before the parts of the overview are shown, and before a chart is drawn. */
const unfinished = '.bone, .parts.is-hidden, .plot:not(:has(canvas))'

/** Waits until the page has loaded its data and images, and has drawn its charts. */
export async function settled(page: Page): Promise<void> {
  await waitFor('the page to load', () =>
    page.evaluate<boolean>(
      `!document.querySelector('${unfinished}') && [...document.images].every(({ complete }) => complete)`,
    ),
  )
}

/** Presses a button that copies a text, and returns the text when it is in the clipboard. */
export async function copyWith(button: Locator): Promise<string> {
  const page = button.page()
  const read = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.evaluate(`navigator.clipboard.writeText('${emptyClipboard}')`)
  await button.click()
  await waitFor('the copied text', async () => (await read()) !== emptyClipboard)
  return read()
}

/** Copies the secret that a dialog shows, and closes the dialog. Until the clipboard has the secret, Done only warns. */
export async function copySecret(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.locator('button.primary', { hasText: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
}

interface FieldError {
  pointer: string
  code: string
  detail: string
}

/** Responds to POST requests of a page to a path of the API with field errors. */
export async function rejectFields(page: Page, path: string, errors: readonly FieldError[]): Promise<void> {
  const detail = errors.map((each) => `${each.pointer}: ${each.detail}`).join(' ')
  await page.route(
    ({ pathname }) => pathname.endsWith(`/api/v1${path}`),
    (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 422,
            contentType: 'application/problem+json',
            json: { status: 422, code: 'validation_failed', detail, errors },
          })
        : route.continue(),
  )
}

/** Returns accessibility violations, one line each. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source)
  // Without `preload`, axe does not load style sheets again, which only rules for media need.
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => id + ': ' + help + ' at ' + target.join(' '))))`)
}

/** The rules whose result depends on the color scheme. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Checks accessibility in both color schemes, without loading the page again. Saves a screenshot of each. */
export async function findingsInBothSchemes(page: Page, pictureName: string): Promise<string[]> {
  await picture(page, `${pictureName}-light`)
  const light = await findViolations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await picture(page, `${pictureName}-dark`)
  const dark = await findViolations(page, colorRules)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...light, ...dark.map((finding) => `in dark mode, ${finding}`)]
}

/** Returns the number of a cell. A dash, which stands for no data, is 0. */
export function numberIn(text: string | null | undefined): number {
  return text === '–' ? 0 : Number(text?.replaceAll(',', ''))
}

/** Returns by how many pixels the page is wider than its window. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth')
}

/** Returns the labels of the tables that are wider than their frame. */
export function findCutTables(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.table-wrap')]
    .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
    .map((table) => table.getAttribute('aria-label'))`)
}

/** Returns the texts that only callers of the API understand. Commands to copy are in `pre`. */
export function findJargon(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const copy = document.querySelector('main').cloneNode(true)
    for (const each of copy.querySelectorAll('pre')) each.remove()
    return copy.textContent.match(/\\b(POST|PATCH|PUT)\\b|\\/v1\\/|(^|\\s)\\/(url|events|since|until)\\b:/g) ?? []
  })()`)
}

/** Saves a screenshot if DASHBOARD_SCREENSHOTS names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['DASHBOARD_SCREENSHOTS']
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
