/** The theme switch, and the name, the logo and the accent color of an installation in a browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { waitFor } from '../../support/wait-for.js'
import { findingsInBothSchemes, measureOverflow, openPages, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#e11d48"/></svg>'
const widths = [1400, 390]

const getBackground = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
const light = 'rgb(250, 250, 248)'
const dark = 'rgb(16, 17, 19)'

describeWithChromium('the appearance', () => {
  let pages: Pages
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'link-service-appearance-'))
    await writeFile(join(folder, 'logo.svg'), svg)
    pages = await openPages(undefined, {
      INSTANCE_NAME: 'Acme Links',
      INSTANCE_LOGO: join(folder, 'logo.svg'),
      // Too bright for the light color scheme.
      ACCENT: '#ffd000',
    })
  }, 120_000)
  afterAll(async () => {
    await pages.stop()
    await rm(folder, { recursive: true })
  })

  it.each(widths)('is accessible on the sign-in and error pages at %i', async (width) => {
    const { origin } = pages
    const { slug } = await pages.api('POST', '/links', { url: 'https://example.com', enabled: false })
    const context = await pages.browser.newContext({ viewport: { width, height: 900 } })
    const page = await context.newPage()
    const wrong: string[] = []
    for (const [name, path, heading] of [
      ['visitor-404', '/nothing', 'This link does not exist'],
      ['visitor-410', `/${slug}`, 'This link is no longer active'],
      ['sign-in', '/dashboard', 'Sign in to Acme Links'],
    ] as const) {
      await page.goto(origin + path)
      await page.getByRole('heading', { name: heading }).waitFor()
      await page.getByText('Acme Links').first().waitFor()
      await settled(page)
      expect(await page.evaluate<number>('document.querySelector("img").naturalWidth')).toBeGreaterThan(0)
      const findings = await findingsInBothSchemes(page, `${name}-${width}`)
      wrong.push(...findings.map((finding) => `${name}: ${finding}`))
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await getBackground(page)).toBe(colorScheme === 'dark' ? dark : light)
      }
      if ((await measureOverflow(page)) > 0) wrong.push(`${name} is wider than the window`)
    }
    expect(wrong).toEqual([])
    await context.close()
  })

  it('shows the name, the logo and the accent color on pages', async () => {
    for (const width of widths) {
      const { page, context, messages } = await signedIn(pages, pages.token, '/links', { width })
      expect(await page.title()).toBe('Links · Acme Links')
      expect(await page.locator('.brand:visible').first().textContent()).toBe('Acme Links')
      const accent = () =>
        page.evaluate<string>('getComputedStyle(document.querySelector("button.primary")).backgroundColor')
      expect(await accent()).not.toMatch(/rgb\((255, 208, 0|53, 80, 201)\)/)
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await accent()).toBe('rgb(255, 208, 0)')
      await page.emulateMedia({ colorScheme: 'light' })
      await settled(page)
      expect(await findingsInBothSchemes(page, `branded-${width}`)).toEqual([])
      expect(messages).toEqual([])
      await context.close()
    }
  })

  it('remembers the chosen theme, and applies it before the first paint', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/', { colorScheme: 'light' })
    expect(await getBackground(page)).toBe(light)
    await page.getByRole('button', { name: 'Dark theme' }).click()
    expect(await getBackground(page)).toBe(dark)
    expect(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed')).toBe('true')
    // The app renders nothing without its script, so only the first script of the page can have applied the theme.
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
    await page.goto(`${pages.origin}/dashboard/links`)
    expect(await page.evaluate<string>('document.documentElement.style.colorScheme')).toBe('dark')
    expect(await getBackground(page)).toBe(dark)
    await page.unrouteAll()
    await page.goto(`${pages.origin}/dashboard/links`)
    await page.getByRole('button', { name: 'System theme' }).click()
    expect(await getBackground(page)).toBe(light)
    await page.reload()
    await page.locator('.shell h1').waitFor()
    expect(await getBackground(page)).toBe(light)
    expect(messages.filter((message) => !message.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })

  it('keeps an open form when another tab changes the theme', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/links?new=1')
    const title = page.getByRole('dialog').getByLabel('Title')
    await title.fill('typed')
    const other = await context.newPage()
    await other.goto(`${pages.origin}/dashboard/`)
    await other.getByRole('button', { name: 'Dark theme' }).click()
    await waitFor('the dark theme', async () => (await getBackground(page)) === dark)
    expect(await title.inputValue()).toBe('typed')
    await context.close()
  })
})
