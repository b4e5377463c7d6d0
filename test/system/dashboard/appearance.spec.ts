/** The theme switch, and the name, the logo and the accent color of an installation in a browser. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Page } from 'playwright-core'

import { describeWithChromium } from '../../support/chromium.js'
import { findingsOf, openPages, overflowOf, picture, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><rect width="40" height="20" fill="#e11d48"/></svg>'
const looks = [
  { width: 1400, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
  { width: 1400, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
] as const

const backgroundOf = (page: Page) => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
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

  it.each(looks)('is accessible on the sign-in and error pages at $width, $colorScheme', async (look) => {
    const { width, colorScheme } = look
    const { origin } = pages
    const { slug } = await pages.api('POST', '/links', { url: 'https://example.com', enabled: false })
    const context = await pages.browser.newContext({ viewport: { width, height: 900 }, colorScheme })
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
      await picture(page, `${name}-${width}-${colorScheme}`)
      expect(await page.evaluate<number>('document.querySelector("img").naturalWidth')).toBeGreaterThan(0)
      expect(await backgroundOf(page)).toBe(colorScheme === 'dark' ? dark : light)
      wrong.push(...(await findingsOf(page)).map((finding) => `${name}: ${finding}`))
      if ((await overflowOf(page)) > 0) wrong.push(`${name} is wider than the window`)
    }
    expect(wrong).toEqual([])
    await context.close()
  })

  it('shows the name, the logo and the accent color on pages', async () => {
    for (const look of looks) {
      const { page, context, messages } = await signedIn(pages, pages.token, '/links', look)
      expect(await page.title()).toBe('Links · Acme Links')
      expect(await page.locator('.brand:visible').first().textContent()).toBe('Acme Links')
      const color = await page.evaluate<string>(
        'getComputedStyle(document.querySelector("button.primary")).backgroundColor',
      )
      if (look.colorScheme === 'dark') expect(color).toBe('rgb(255, 208, 0)')
      else expect(color).not.toMatch(/rgb\((255, 208, 0|53, 80, 201)\)/)
      await settled(page)
      await picture(page, `branded-${look.width}-${look.colorScheme}`)
      expect(await findingsOf(page)).toEqual([])
      expect(messages).toEqual([])
      await context.close()
    }
  })

  it('remembers the chosen theme, and applies it before the first paint', async () => {
    const { page, context, messages } = await signedIn(pages, pages.token, '/', { colorScheme: 'light' })
    expect(await backgroundOf(page)).toBe(light)
    await page.getByRole('button', { name: 'Dark theme' }).click()
    expect(await backgroundOf(page)).toBe(dark)
    expect(await page.getByRole('button', { name: 'Dark theme' }).getAttribute('aria-pressed')).toBe('true')
    // The app renders nothing without its script, so only the first script of the page can have applied the theme.
    await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
    await page.goto(`${pages.origin}/dashboard/links`)
    expect(await page.evaluate<string>('document.documentElement.style.colorScheme')).toBe('dark')
    expect(await backgroundOf(page)).toBe(dark)
    await page.unrouteAll()
    await page.goto(`${pages.origin}/dashboard/links`)
    await page.getByRole('button', { name: 'System theme' }).click()
    expect(await backgroundOf(page)).toBe(light)
    await page.reload()
    await page.locator('.shell h1').waitFor()
    expect(await backgroundOf(page)).toBe(light)
    expect(messages.filter((message) => !message.includes('ERR_FAILED'))).toEqual([])
    await context.close()
  })
})
