/** Attacks on the dashboard by hostile pages, stolen cookies, visitors and receivers, in a real browser. */
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describeWithChromium } from '../../support/chromium.js'
import { createHook } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'
import { openPages, signedIn } from './pages.js'
import type { Pages } from './pages.js'

const script = '<script>document.title="owned"</script><img src=x onerror=document.title="owned">'

describeWithChromium('the dashboard', () => {
  let pages: Pages
  /** Another origin on the same host, which is the closest a hostile page can get. */
  let hostile: Server
  let hostileOrigin: string
  let hostilePage = ''
  beforeAll(async () => {
    pages = await openPages((_request, response) => {
      response.writeHead(500, { 'content-type': 'text/html', 'x-note': script }).end(script)
    })
    hostile = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(hostilePage)
    })
    await new Promise<void>((done) => hostile.listen(0, '127.0.0.1', done))
    hostileOrigin = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`
  }, 120_000)
  afterAll(async () => {
    hostile.closeAllConnections()
    hostile.close()
    await pages.stop()
  })

  const open = (path = '/') => signedIn(pages, pages.token, path)
  const countLinks = async () => (await pages.sending.service.db.query('SELECT FROM links')).length

  it.each(['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data'])(
    'rejects a form of type %s from another origin in a signed-in browser',
    async (type) => {
      const { page, context } = await open()
      hostilePage = `<form method="post" enctype="${type}" action="${pages.origin}/dashboard/api/v1/links">
        <input name='{"url":"https://evil.example/","title":"' value='"}'></form>
        <script>document.forms[0].submit()</script>`
      const before = await countLinks()
      const responding = page.waitForResponse((response) =>
        response.url().endsWith('/dashboard/api/v1/links'),
      )
      await page.goto(hostileOrigin)
      const response = await responding
      expect(response.status()).toBe(403)
      expect(await response.request().headerValue('sec-fetch-site')).toBe('same-site')
      expect(await countLinks()).toBe(before)
      await context.close()
    },
  )

  it('rejects API calls with the cookie from a script of another origin', async () => {
    const { page, context } = await open()
    hostilePage = '<title>hostile</title>'
    await page.goto(hostileOrigin)
    const before = await countLinks()
    const outcome = await page.evaluate(
      async (address) =>
        fetch(address, {
          method: 'POST',
          mode: 'no-cors',
          credentials: 'include',
          headers: { 'content-type': 'text/plain' },
          body: '{"url":"https://evil.example/"}',
        }).then(
          ({ type }) => type,
          () => 'refused',
        ),
      `${pages.origin}/dashboard/api/v1/links`,
    )
    expect(['opaque', 'refused']).toContain(outcome)
    expect(await countLinks()).toBe(before)
    await context.close()
  })

  it('cannot be shown in a frame', async () => {
    const { page, context } = await open()
    hostilePage = `<iframe src="${pages.origin}/dashboard/"></iframe>`
    const refused = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'))
    await page.goto(hostileOrigin)
    await refused
    for (const frame of page.frames())
      expect(await frame.evaluate<string>('document.body?.textContent ?? ""')).not.toContain('Overview')
    await context.close()
  })

  it('rejects a stolen session once its token is revoked', async () => {
    const { service } = pages.sending
    const { id, token } = await service.mint()
    const { context, page } = await signedIn(pages, token)
    const [stolen] = await context.cookies(`${pages.origin}/dashboard`)
    const cookie = `${stolen!.name}=${stolen!.value}`
    const asThief = () => service.call('GET', '/dashboard/api/v1/links', { token: null, headers: { cookie } })
    expect((await asThief()).status).toBe(200)
    await service.call('DELETE', `/v1/auth/token/${id}`)
    expect(await asThief()).toMatchObject({ status: 401, body: { code: 'token_revoked' } })
    // The page may have noticed the revocation before this navigation.
    await page.goto(`${pages.origin}/dashboard/links`)
    await page.getByLabel('API token').waitFor()
    await context.close()
  })

  it('shows scripts in titles, tags, referrers, user agents and responses as text', async () => {
    const { service } = pages.sending
    const hook = await createHook(pages.sending, { events: ['*'], description: script })
    const { body: link } = await service.call('POST', '/v1/links', {
      body: { url: 'https://example.com/', title: script, tags: ['<script>'] },
    })
    await fetch(`${service.origin}/${link.slug}`, {
      redirect: 'manual',
      headers: {
        referer: `https://news.example/?q=${encodeURIComponent(script)}`,
        'user-agent': `Mozilla/5.0 ${script} Firefox/130.0`,
        'accept-language': script,
      },
    })
    await service.mint('links:read')
    const delivery = await waitFor('an attempted delivery', async () => {
      const { body } = await service.call('GET', `/v1/webhooks/${hook.id}/deliveries`)
      return body.data.find((each: any) => each.attempt_count > 0)
    })
    await waitFor('the click to be counted', async () => {
      const { body } = await service.call('GET', `/v1/links/${link.id}`)
      return body.clicks.total > 0
    })
    const { page, context, messages } = await open(`/links/${link.id}`)
    for (const [path, shown] of [
      [`/links/${link.id}`, script],
      ['/links', script],
      [`/webhooks/${hook.id}`, script],
      [`/webhooks/${hook.id}/deliveries/${delivery.id}`, script],
      [`/events/${delivery.event_id}`, 'link.created'],
      ['/', `/${link.slug}`],
      ['/settings/audit-log', 'token.created'],
    ] as const) {
      await page.goto(`${pages.origin}/dashboard${path}`)
      await page.locator('main').getByText(shown).filter({ visible: true }).first().waitFor()
      expect(await page.title()).not.toBe('owned')
      expect(await page.locator('main script, main img[onerror]').count()).toBe(0)
      const schemes = await page.evaluate<string[]>(
        '[...document.querySelectorAll("main a")].map(({ protocol }) => protocol)',
      )
      expect(schemes.filter((scheme) => !['http:', 'https:'].includes(scheme))).toEqual([])
    }
    expect(messages).toEqual([])
    await context.close()
  })
})
