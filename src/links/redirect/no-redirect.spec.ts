/** Short links that do not redirect. */
import { RedirectServer, launch } from '../../../test/support/redirect-server.js'
import { waitFor } from '../../../test/support/wait-for.js'

let server: RedirectServer
beforeEach(async () => {
  server = await RedirectServer.start()
})
afterEach(() => server.stop())

describe('a short link that does not redirect', () => {
  it.each([
    ['disabled', { enabled: false }, 410, 'gone'],
    ['deleted', { tombstone: true, location: '' }, 410, 'gone'],
    ['expired', { expiresAt: 0 }, 410, 'gone'],
  ] as const)('responds with 410 if it is %s', async (_, changes, status, code) => {
    server.put(changes)
    for (const method of ['GET', 'HEAD']) {
      const response = await server.get('/launch', { method })
      expect(response.status).toBe(status)
      expect(response.headers.get('location')).toBeNull()
      if (method === 'GET') expect(await response.json()).toMatchObject({ code })
      else expect(await response.text()).toBe('')
    }
    expect(server.visits).toEqual([])
  })

  it('responds with 410 from the millisecond of its expiry, even if it is cached', async () => {
    server.put({ expiresAt: server.now + 1_000 })
    server.now += 999
    expect((await server.get('/launch')).status).toBe(302)
    server.now += 1
    expect((await server.get('/launch')).status).toBe(410)
    expect(server.loads).toBe(1)
  })

  it('responds with 404 for an unknown slug, without a query for each visit', async () => {
    for (let i = 0; i < 20; i++) expect((await server.get('/nothing')).status).toBe(404)
    expect(server.loads).toBe(1)
    server.links.set('nothing', { ...launch, slug: 'nothing' })
    server.cache.invalidate('nothing')
    expect((await server.get('/nothing')).status).toBe(302)
  })

  it('responds with 503 while the database is down and the link is not cached', async () => {
    server.databaseDown = true
    const response = await server.get('/launch')
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' })
    expect(text).not.toContain('hunter2')
    server.databaseDown = false
    expect((await server.get('/launch')).status).toBe(302)
  })

  it('redirects from the cache while the database is down', async () => {
    await server.get('/launch')
    server.fresh = false
    server.databaseDown = true
    expect((await server.get('/launch')).status).toBe(302)
    server.now += 3_600_000
    expect((await server.get('/launch')).status).toBe(302)
    server.links.set('launch', { ...launch, enabled: false })
    server.databaseDown = false
    server.now += 1_000
    // This visitor does not wait. The database is queried in the background.
    expect((await server.get('/launch')).status).toBe(302)
    await waitFor('the change', async () => (await server.get('/launch')).status === 410)
  })

  it('does not serve a stale link some time after the last failure', async () => {
    await server.get('/launch')
    server.fresh = false
    server.databaseDown = true
    expect((await server.get('/launch')).status).toBe(302)
    server.links.set('launch', { ...launch, enabled: false })
    server.databaseDown = false
    server.now += 10_000
    expect((await server.get('/launch')).status).toBe(410)
  })

  it.each([
    ['/nothing', 404],
    ['/switched-of', 410],
    ['/down', 503],
  ])('sends browsers an error page: %s', async (path, status) => {
    server.put({ slug: 'switched-of', enabled: false })
    server.databaseDown = status === 503
    const response = await server.get(path, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'x-request-id': 'reflect-me' },
    })
    const html = await response.text()
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; /)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-robots-tag')).toBe('noindex')
    expect(response.headers.get('vary')).toBe('Accept')
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(html))
    expect(html).not.toMatch(/src=|href=|<script|url\(|@import|reflect-me/)
    expect(html).not.toContain(path.slice(1))
  })

  it('allows only the inline style of the page in the content security policy', async () => {
    const response = await server.get('/nothing', { headers: { accept: 'text/html' } })
    const style = /<style>([^]*)<\/style>/.exec(await response.text())![1]!
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64')
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
  })

  it('closes the connection and keeps running if the response fails', async () => {
    const errors: string[] = []
    server.put({ slug: 'nothing' })
    await server.restart({
      clicks: {
        appendClick: ({ slug }, whenDurable, arg) => {
          if (slug === 'nothing') throw new Error('no space')
          setImmediate(whenDurable, arg)
        },
      },
      onError: (error) => errors.push(error.message),
    })
    await expect(server.get('/nothing')).rejects.toThrow()
    await expect(server.get('/nothing')).rejects.toThrow()
    expect((await server.get('/launch')).status).toBe(302)
    expect(errors).toContain('no space')
  })
})
