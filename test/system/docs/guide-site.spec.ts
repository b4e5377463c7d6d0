/** The built documentation site in a browser, served by the service with its content security policy. */
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import axe from 'axe-core'
import Fastify from 'fastify'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

import { serveGuide } from '../../../src/app/docs/serve-guide.js'
import { pageUrl, readGuide } from '../../../src/app/docs/guide-pages.js'
import { describeWithChromium, startChromium } from '../../support/chromium.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const isBuilt = existsSync('docs/.vitepress/dist/index.html')
if (!isBuilt)
  process.stderr.write('Skipped: the documentation site in a browser. Build it first: npm run docs\n')

const describeWithSite = isBuilt ? describeWithChromium : describe.skip
const screenshots = process.env['DOCS_SCREENSHOTS']

describeWithSite('the documentation site', () => {
  let service: Service
  let browser: Browser
  beforeAll(async () => {
    service = await startService()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
  })

  /** Opens a page and runs `work`. The browser must report no errors, such as violations of the policy. */
  async function on(
    path: string,
    options: BrowserContextOptions,
    work: (page: Page) => Promise<void>,
    origin = service.origin,
  ): Promise<void> {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options })
    const page = await context.newPage()
    const messages = new Set<string>()
    page.on('console', (message) => messages.add(message.text()))
    page.on('pageerror', (error) => messages.add(error.message))
    await page.goto(`${origin}/docs/guide/${path}`, { waitUntil: 'networkidle' })
    await work(page)
    expect([...messages]).toEqual([])
    await context.close()
  }

  async function picture(page: Page, name: string): Promise<void> {
    if (!screenshots) return
    await mkdir(screenshots, { recursive: true })
    await page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' })
  }

  it('opens every page without an error', async () => {
    const { pages } = await readGuide('.')
    const broken: string[] = []
    for (const page of pages.values()) {
      const { status, text } = await service.call('GET', `/docs/guide/${pageUrl(page)}`, { token: null })
      if (status !== 200 || !text.includes('<h1')) broken.push(page.file)
    }
    expect(broken).toEqual([])
  })

  it('shows double braces in code', async () => {
    const { text } = await service.call('GET', '/docs/guide/branding.html', { token: null })
    expect(text).toContain('<code>{{status}}</code>')
  })

  it('finds a page by its text', async () => {
    await on('', {}, async (page) => {
      await picture(page, 'start')
      await page.click('.VPNavBarSearch button')
      await page.fill('.VPLocalSearchBox input', 'PgBouncer')
      const result = page.locator('.VPLocalSearchBox .result', { hasText: 'Use PgBouncer' }).first()
      await result.waitFor()
      await picture(page, 'search')
      await result.click()
      await page.waitForURL(/\/docs\/guide\/how-to\/postgresql\.html#use-pgbouncer$/)
      await page.locator('h1', { hasText: 'Use your own PostgreSQL' }).waitFor()
    })
  })

  it('follows links between pages without loading them again', async () => {
    await on('running.html', {}, async (page) => {
      await page.evaluate('window.isSamePage = true')
      await page.click('.VPSidebar a[href="/docs/guide/settings.html"]')
      await page.locator('h1', { hasText: 'Settings' }).waitFor()
      expect(await page.evaluate('window.isSamePage')).toBe(true)
    })
  })

  it('links to files and to the API reference', async () => {
    await on('receivers/', {}, async (page) => {
      await page.click('main a[href="/docs/guide/receivers/receiver.go"]')
      await page.waitForURL(/receiver\.go$/)
      expect(await page.textContent('body')).toContain('package main')
      await page.goBack()
      expect(await page.getAttribute('.api-reference', 'href')).toBe('/docs')
    })
  })

  it('contains each page as Markdown, and lists them in llms.txt', async () => {
    const get = (path: string) => service.call('GET', path, { token: null })
    const { text: list } = await get('/llms.txt')
    const paths = [...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path!)
    expect(paths.length).toBeGreaterThan(40)
    for (const path of paths) expect([path, (await get(path)).status]).toEqual([path, 200])
  })

  it('shows a page for unknown URLs', async () => {
    const { status, text } = await service.call('GET', '/docs/guide/unknown', { token: null })
    expect(status).toBe(404)
    expect(text).toContain('404')
  })

  it('uses the color scheme of the system', async () => {
    const background = (page: Page) =>
      page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    await on('webhook-signatures.html', { colorScheme: 'light' }, async (page) => {
      expect(await background(page)).toBe('rgb(255, 255, 255)')
      await picture(page, 'light')
    })
    await on('webhook-signatures.html', { colorScheme: 'dark' }, async (page) => {
      expect(await background(page)).not.toBe('rgb(255, 255, 255)')
      const color = "getComputedStyle(document.querySelector('.code-keyword')).color"
      expect(await page.evaluate(color)).toBe('rgb(249, 117, 131)')
      await picture(page, 'dark')
    })
  })

  it.each(['', 'settings.html', 'errors.html', 'architecture.html'])(
    'fits the screen of a phone: /%s',
    async (path) => {
      await on(path, { viewport: { width: 390, height: 800 } }, async (page) => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        await picture(page, `phone-${path || 'start'}`)
        await page.click('.VPLocalNav .menu')
        await waitFor('the sidebar', () => page.locator('.VPSidebar.open').isVisible())
        await picture(page, `phone-menu-${path || 'start'}`)
      })
    },
  )

  async function expectAccessible(page: Page, part: string): Promise<void> {
    await page.evaluate(axe.source)
    const { violations } = await page.evaluate<any>(`axe.run('${part}')`)
    expect(violations.map(({ id, nodes }: any) => `${id}: ${nodes[0].html}`)).toEqual([])
  }

  it.each(['light', 'dark'] as const)('is accessible in %s colors', async (colorScheme) => {
    for (const path of ['events.html', 'webhook-signatures.html'])
      await on(path, { colorScheme }, (page) => expectAccessible(page, 'main'))
  })

  describe('without a build', () => {
    const server = Fastify()
    let origin: string
    beforeAll(async () => {
      serveGuide(server, { root: '.', site: '/nonexistent' })
      origin = await server.listen({ port: 0, host: '127.0.0.1' })
    })
    afterAll(() => server.close())

    it.each(['light', 'dark'] as const)('has accessible pages in %s colors', async (colorScheme) => {
      const work = async (page: Page) => {
        await expectAccessible(page, 'html')
        await picture(page, `plain-${colorScheme}`)
      }
      await on('webhook-signatures.html', { colorScheme }, work, origin)
    })

    it('fits the screen of a phone', async () => {
      const work = async (page: Page) => {
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
        await picture(page, 'plain-phone')
      }
      for (const path of ['settings.html', 'architecture.html'])
        await on(path, { viewport: { width: 390, height: 800 } }, work, origin)
    })
  })
})
