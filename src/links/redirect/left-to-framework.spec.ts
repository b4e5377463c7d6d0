/** Requests that the redirect handler passes to the framework. */
import { RedirectServer, lastRequest, launch } from '../../../test/support/redirect-server.js'

let server: RedirectServer
beforeEach(async () => {
  server = await RedirectServer.start()
})
afterEach(() => server.stop())

describe('a request that is not for a short link goes to the framework', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/docs?x',
    '/api/v1/links',
    '/launch/more',
    '/launch//',
    '//launch',
    '//evil.example/launch',
    '/..',
    '/.',
    '/launch.',
    '/favicon.ico',
    '/%6caunch',
    '/%2e%2e',
    '/launch%00',
    '/launch%0d%0aX:%20y',
    '/lau+nch',
    '/lau nch'.replace(' ', '%20'),
    '/launch;a=1',
    '/launch#x',
    '/?launch',
    '/caf\u00c3\u00a9',
    'http://x',
    'http://x/',
    'http://x/api/v1/links',
    'http://x//launch',
    'ftp://x/launch',
    '*',
    `/${'a'.repeat(65)}`,
    `/${'a'.repeat(10_000)}`,
  ])('%s', async (target) => {
    server.links.set('', launch)
    expect((await server.raw(lastRequest(target))).slice(0, 12)).toMatch(/HTTP\/1.1 299|HTTP\/1.1 400/)
    expect(server.loads).toBe(0)
    expect(server.visits).toEqual([])
  })

  it('redirects a slug of 64 characters, with or without a slash at the end', async () => {
    const slug = `aZ09_-${'x'.repeat(58)}`
    server.links.set(slug, { ...launch, slug })
    expect((await server.get(`/${slug}`)).status).toBe(302)
    expect((await server.get(`/${slug}/`)).status).toBe(302)
    expect((await server.get(`/${slug.toUpperCase()}`)).status).toBe(404)
  })

  it('does not copy a header after a line break in the URL to the response', async () => {
    server.put({ forwardQuery: true })
    expect(await server.raw('GET /launch?a=1\r\nX-Evil: 1 HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain(
      'X-Evil',
    )
  })

  it.each([
    'GET /launch?a=\rb HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /launch?a=\nb HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /launch?a=\0b HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('is rejected by Node.js: %j', async (bytes) => {
    server.put({ forwardQuery: true })
    const received = await server.raw(bytes)
    expect(received).toMatch(/^HTTP\/1.1 400 /)
    expect(received).not.toContain('target.example')
  })

  it.each([
    ['GET /launch?a=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n', 'a=%E9'],
    ['GET /launch?a=\tb HTTP/1.1\r\nHost: x\r\n\r\n', 'a=%09b'],
  ])('is rejected by newer versions of Node.js, and encoded with older ones: %j', async (bytes, encoded) => {
    server.put({ forwardQuery: true })
    const received = await server.raw(bytes)
    if (!received.startsWith('HTTP/1.1 400 ')) expect(received).toContain(encoded)
    expect(received).toMatch(/^[\r\n\x20-\x7e]+$/)
  })
})
