/** What the suites of the pages share: a service, its pages in a browser, and what must hold on each of them. */
import { mkdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import type { Browser, BrowserContext, Page } from 'playwright-core'

import { openBrowser } from '../../support/browser.js'
import { openDoor } from '../../support/dashboard-door.js'
import type { Door } from '../../support/dashboard-door.js'
import { startSending } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

export interface Pages {
  sending: Sending
  door: Door
  browser: Browser
  codes: Map<string, string>
  stop(): Promise<void>
}

export async function openPages(
  executable: string,
  answer?: Parameters<typeof startSending>[0],
): Promise<Pages> {
  // Retries come late, so that a test sees a delivery that has failed once and waits.
  const sending = await startSending(answer, { WEBHOOK_RETRY_SCHEDULE: '1h,1h' })
  const codes = new Map<string, string>()
  const door = await openDoor(sending.service.origin, codes)
  const browser = await openBrowser(executable)
  return {
    sending,
    door,
    browser,
    codes,
    stop: async () => {
      await browser.close()
      await door.stop()
      await sending.stop()
    },
  }
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
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: pages.door.origin })
  const page = await context.newPage()
  const messages = watchMessages(page)
  const code = `code${pages.codes.size}${Date.now()}`
  pages.codes.set(code, token)
  await page.goto(`${pages.door.origin}/dashboard${path}#code=${code}`)
  await page.locator('.shell h1').waitFor()
  return { context, page, messages }
}

/** A refusal that the page asks for is told by the browser itself: it is an answer, and no fault of the page. */
const refusals = /^Failed to load resource: the server responded with a status of (?:401|404|409|412|422|503)/

function watchMessages(page: Page): string[] {
  const messages: string[] = []
  page.on('console', (message) => {
    if (!refusals.test(message.text())) messages.push(`${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => messages.push(`thrown: ${error.message}`))
  return messages
}

/** Until nothing of the page is still on its way. */
export async function settled(page: Page): Promise<void> {
  await page.locator('[role=status][aria-label=Loading]').first().waitFor({ state: 'detached' })
}

const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
let axeSource: string | null = null

interface Violation {
  id: string
  nodes: { html: string; failureSummary: string }[]
}

/** Each finding in a line; none is what is wanted. */
export async function findingsOf(page: Page): Promise<string[]> {
  axeSource ??= await readFile(axeFile, 'utf8')
  await page.evaluate(axeSource)
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run()')
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  )
}

/** How much wider the page is than its window: what must be scrolled sideways is not seen. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** With DASHBOARD_SCREENSHOTS a picture goes into that folder, to be looked at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['DASHBOARD_SCREENSHOTS']
  if (!folder) return
  await mkdir(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
