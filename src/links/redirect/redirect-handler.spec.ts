import { RedirectServer, lastRequest, launch } from '../../../test/support/redirect-server.js'
import { waitFor } from '../../../test/support/wait-for.js'

let server: RedirectServer
beforeEach(async () => {
  server = await RedirectServer.start()
})
afterEach(() => server.stop())

describe('a redirect', () => {
  it.each([301, 302, 307, 308] as const)('responds with %i, its headers and no body', async (status) => {
    server.put({ status })
    // The first visit reads the database, the second one the cache.
    for (let visit = 0; visit < 2; visit++) {
      const response = await server.get('/launch')
      expect(response.status).toBe(status)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        location: 'https://target.example/page?x=1#top',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
        'content-length': '0',
        'x-request-id': expect.stringMatching(/^[A-Za-z0-9._~-]+$/),
      })
      expect(await response.text()).toBe('')
    }
    expect(server.loads).toBe(1)
  })

  it('runs one query for 100 concurrent visitors', async () => {
    const responses = await Promise.all(Array.from({ length: 100 }, () => server.get('/launch')))
    expect(responses.every(({ status }) => status === 302)).toBe(true)
    expect(server.loads).toBe(1)
    expect(server.visits).toHaveLength(100)
  })

  it('records the headers and the IP address of the visitor', async () => {
    await server.restart({ countryHeader: 'CF-IPCountry' })
    await server.get('/launch?ref=1', {
      headers: {
        'user-agent': 'Test/1',
        referer: 'https://from.example/',
        'accept-language': 'de',
        'cf-ipcountry': 'AT',
      },
    })
    expect(server.visits).toEqual([
      {
        linkId: launch.linkId,
        workspaceId: launch.workspaceId,
        slug: 'launch',
        url: launch.location,
        userAgent: 'Test/1',
        referer: 'https://from.example/',
        acceptLanguage: 'de',
        address: '127.0.0.1',
        country: 'AT',
        query: 'ref=1',
        traceparent: '',
      },
    ])
  })

  it('records a visit without an IP address if the proxy has closed the connection', async () => {
    await server.restart({ clientAddress: () => undefined })
    expect((await server.get('/launch')).status).toBe(302)
    expect(server.visits).toEqual([expect.objectContaining({ slug: 'launch', address: '' })])
  })

  it('records the forwarded IP address, and empty strings for missing headers', async () => {
    await server.restart({ clientAddress: () => '203.0.113.9' })
    await server.raw(lastRequest('/launch'))
    expect(server.visits[0]).toMatchObject({
      address: '203.0.113.9',
      userAgent: '',
      referer: '',
      acceptLanguage: '',
      country: '',
      query: '',
    })
  })

  it('is sent only after its click is on disk', async () => {
    await server.get('/launch')
    server.holdResponses = true
    let isSent = false
    const response = server.get('/launch').then(() => (isSent = true))
    await waitFor('the second visit', () => server.visits.length === 2)
    // A later request without a click gets its response first.
    expect((await server.get('/nothing-here')).status).toBe(404)
    expect(isSent).toBe(false)
    server.release()
    await response
    expect(isSent).toBe(true)
  })

  it('responds to HEAD without counting a click', async () => {
    const response = await server.get('/launch', { method: 'HEAD' })
    expect([response.status, response.headers.get('location')]).toEqual([302, launch.location])
    expect(server.visits).toEqual([])
  })

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['X-Purpose', 'preview'],
    ['X-Moz', 'Prefetch'],
  ])('does not count a prefetch (%s: %s)', async (name, value) => {
    const response = await server.get('/launch', { headers: { [name]: value } })
    expect([response.status, response.headers.get('location')]).toEqual([302, launch.location])
    expect(server.visits).toEqual([])
  })

  it('keeps a valid request ID and replaces an invalid one', async () => {
    const getResponseId = async (id: string) =>
      (await server.get('/launch', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await getResponseId('my-id.1_2')).toBe('my-id.1_2')
    for (const bad of ['a b', '<script>', 'x'.repeat(500), 'ü'])
      expect(await getResponseId(bad)).not.toBe(bad)
    expect(await getResponseId('')).not.toBe(await getResponseId(''))
  })

  it.each([
    ['/launch?a=1&b=%C3%A9', 'https://target.example/page?x=1&a=1&b=%C3%A9#top'],
    ['/launch?', 'https://target.example/page?x=1#top'],
    ['/launch', 'https://target.example/page?x=1#top'],
    ['/launch/?a=1', 'https://target.example/page?x=1&a=1#top'],
    ['/launch?a=%0d%0aSet-Cookie:x', 'https://target.example/page?x=1&a=%0d%0aSet-Cookie:x#top'],
    ['/launch?u=https://evil.example/?q', 'https://target.example/page?x=1&u=https://evil.example/?q#top'],
  ])('forwards the query of %s if the link forwards queries', async (path, location) => {
    server.put({ forwardQuery: true })
    expect((await server.get(path)).headers.get('location')).toBe(location)
    expect(server.visits[0]?.url).toBe(location)
    server.put({ forwardQuery: false })
    expect((await server.get(path)).headers.get('location')).toBe(launch.location)
  })

  it('omits the query if the location would be too long', async () => {
    server.put({ forwardQuery: true, location: `https://target.example/${'p'.repeat(8_000)}` })
    expect((await server.get(`/launch?${'q'.repeat(8_000)}`)).headers.get('location')).toHaveLength(
      23 + 8_000 + 1 + 8_000,
    )
    expect((await server.get(`/launch?${'q'.repeat(9_000)}`)).headers.get('location')).toHaveLength(
      23 + 8_000,
    )
  })

  it('encodes characters that are not allowed in a query', async () => {
    server.put({ forwardQuery: true })
    expect(await server.raw(lastRequest('/launch?a=b"<>\'#evil'))).toContain(
      '\r\nLocation: https://target.example/page?x=1&a=b%22%3C%3E%27#top\r\n',
    )
  })

  it('responds to pipelined requests in order', async () => {
    server.links.set('other', { ...launch, slug: 'other', location: 'https://other.example/' })
    await server.get('/other')
    const received = await server.raw(
      `GET /launch HTTP/1.1\r\nHost: x\r\n\r\nGET /other HTTP/1.1\r\nHost: x\r\n\r\n${lastRequest('/api')}`,
    )
    expect(
      [...received.matchAll(/^(?:HTTP\/1.1 (\d+)|Location: (\S+))/gm)].map(
        ([, status, location]) => status ?? location,
      ),
    ).toEqual(['302', launch.location, '302', 'https://other.example/', '299'])
  })

  it('accepts an absolute URL in the request line', async () => {
    expect(await server.raw(lastRequest('http://short.example/launch?x'))).toContain(
      `\r\nLocation: ${launch.location}\r\n`,
    )
  })

  it('responds to 100 pipelined requests', async () => {
    await server.get('/launch')
    const received = await server.raw(
      `${'GET /launch HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(99)}${lastRequest('/launch')}`,
    )
    expect(received.match(/^HTTP\/1.1 302/gm)).toHaveLength(100)
  })

  it('closes the connection of a client that sends requests without reading responses', async () => {
    await server.get('/launch')
    server.holdResponses = true
    const received = server.raw('GET /launch HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000))
    // The connection is closed while the client still sends, which some clients see as a reset.
    expect(await received.catch((error: NodeJS.ErrnoException) => error.code)).toMatch(/^(ECONNRESET)?$/)
    expect(server.visits.length).toBeLessThan(300)
  })
})
