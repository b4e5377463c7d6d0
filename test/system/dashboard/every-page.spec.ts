/** Every page, wide and narrow, light and dark: it is there, speaks to everybody, and says nothing to the console. */
import { describeWithChromium } from '../../support/chromium.js'
import { brokenPath, fillBusyMonth } from './busy-month.js'
import { findingsOf, openPages, overflowOf, picture, settled, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const looks = [
  { width: 1400, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
  { width: 1400, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
] as const

describeWithChromium('every page', () => {
  let pages: Pages
  const paths: [name: string, path: string][] = []
  beforeAll(async () => {
    pages = await openPages(({ path }, response) =>
      path === brokenPath
        ? void response.writeHead(500, { 'content-type': 'text/plain' }).end('the disk is full')
        : void response.end('thanks'),
    )
    const { linkId, webhookId, deliveryId, eventId } = await fillBusyMonth(pages.sending)
    paths.push(
      ['overview', '/'],
      ['links', '/links'],
      ['links-none', '/links?q=nothing-like-that'],
      ['link-new', '/links?new=1'],
      ['links-import', '/links?new=many'],
      ['link', `/links/${linkId}`],
      ['link-filtered', `/links/${linkId}?interval=7d&country=DE&referrer_host=`],
      ['link-live', `/links/${linkId}?tab=live`],
      ['link-details', `/links/${linkId}?tab=details`],
      ['link-history', `/links/${linkId}?tab=history`],
      ['webhooks', '/webhooks'],
      ['webhook-new', '/webhooks?new=1'],
      ['webhook', `/webhooks/${webhookId}`],
      ['webhook-test', `/webhooks/${webhookId}?tab=test`],
      ['webhook-replay', `/webhooks/${webhookId}?tab=replay`],
      ['delivery', `/webhooks/${webhookId}/deliveries/${deliveryId}`],
      ['events', '/events'],
      ['event', `/events/${eventId}`],
      ['tokens', '/settings/tokens'],
      ['tokens-tree', '/settings/tokens?view=tree'],
      ['token-new', '/settings/tokens?new=1'],
      ['audit-log', '/settings/audit-log'],
      ['service', '/settings/service'],
      ['no-such-page', '/nowhere'],
    )
  }, 120_000)
  afterAll(() => pages.stop())

  it.each(looks)(
    'is whole at $width, $colorScheme',
    async (look) => {
      const { page, context, messages } = await signedIn(pages, pages.token, '/', look)
      const wrong: string[] = []
      for (const [name, path] of paths) {
        await page.goto(`${pages.origin}/dashboard${path}`)
        await page.locator('.shell h1').waitFor()
        await settled(page)
        await picture(page, `${name}-${look.width}-${look.colorScheme}`)
        wrong.push(...(await findingsOf(page)).map((finding) => `${name}: ${finding}`))
        if ((await overflowOf(page)) > 0) wrong.push(`${name}: is wider than the window`)
      }
      await context.close()
      expect(wrong).toEqual([])
      expect(messages).toEqual([])
    },
    300_000,
  )

  it('shows what the token may not do, with the scope that it lacks', async () => {
    const { token } = await pages.sending.service.mint('links:read')
    const { page, context } = await signedIn(pages, token, '/settings/tokens')
    await page.getByText('Your token may not see this').waitFor()
    expect(await page.locator('main').textContent()).toContain('tokens:read')
    await page.goto(`${pages.origin}/dashboard/links`)
    await page.locator('[data-row]').first().waitFor()
    expect(await page.getByRole('button', { name: 'New link' }).count()).toBe(0)
    await context.close()
  })

  it('is steered by keys', async () => {
    const { page, context } = await signedIn(pages, pages.token, '/links')
    await page.locator('[data-row]').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/links\/lnk_/)
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.waitForURL(/\/webhooks$/)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await context.close()
  })
})
