/** Every page, wide and narrow, light and dark: it is there, speaks to everybody, and says nothing to the console. */
import { describeWithChromium } from '../../support/chromium.js'
import { makeHook } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'
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
    pages = await openPages(
      (_request, response) => void response.writeHead(500).end('broken <b>receiver</b>'),
    )
    const { service } = pages.sending
    const hook = await makeHook(pages.sending, { events: ['*'], description: 'the shop' })
    const link = await service.call('POST', '/v1/links', {
      body: {
        url: 'https://example.com/<script>alert(1)</script>?a=javascript:1',
        title: '<img src=x onerror=alert(1)>',
        tags: ['spring'],
      },
    })
    for (const n of [1, 2, 3])
      await service.call('POST', '/v1/links', {
        body: { url: `https://example.com/${n}`, slug: `link-${n}`, tags: ['sale'] },
      })
    await fetch(`${service.origin}/${link.body.slug}`, {
      redirect: 'manual',
      headers: {
        referer: 'https://news.example/',
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0',
      },
    })
    await service.mint('links:read')
    const delivery = await waitFor('a delivery that was tried', async () => {
      const { body } = await service.call('GET', `/v1/webhooks/${hook.id}/deliveries`)
      return body.data.find((each: any) => each.attempt_count > 0)
    })
    paths.push(
      ['overview', '/'],
      ['links', '/links'],
      ['links-none', '/links?q=nothing-like-that'],
      ['link-new', '/links?new=1'],
      ['links-import', '/links?new=many'],
      ['link', `/links/${link.body.id}`],
      ['link-live', `/links/${link.body.id}?tab=live`],
      ['link-details', `/links/${link.body.id}?tab=details`],
      ['link-history', `/links/${link.body.id}?tab=history`],
      ['webhooks', '/webhooks'],
      ['webhook-new', '/webhooks?new=1'],
      ['webhook', `/webhooks/${hook.id}`],
      ['webhook-test', `/webhooks/${hook.id}?tab=test`],
      ['webhook-replay', `/webhooks/${hook.id}?tab=replay`],
      ['delivery', `/webhooks/${hook.id}/deliveries/${delivery.id}`],
      ['events', '/events'],
      ['event', `/events/${delivery.event_id}`],
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
