/** Headers of every response, and headers that depend on settings. */
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { exchange } from '../../support/raw-socket.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

/** One request per kind of response: success, problems of handlers, guard and router, pages and probes. */
const samples: [method: string, path: string, isSignedIn: boolean][] = [
  ['GET', '/v1/auth/token/self', true],
  ['POST', '/v1/auth/token', true],
  ['POST', '/v1/auth/revoke', false],
  ['GET', '/v1/auth/token/x', true],
  ['GET', '/v1/auth/token/self', false],
  ['PUT', '/v1/auth/tokens', true],
  ['GET', '/nothing', false],
  ['GET', '/%zz', false],
  ['GET', '/errors/not_found', false],
  ['GET', '/docs', false],
  ['GET', '/openapi.json', false],
  ['GET', '/healthz', false],
  ['GET', '/readyz', false],
]

const sample = (
  [method, path, isSignedIn]: (typeof samples)[number],
  headers: Record<string, string>,
  at = service,
) =>
  at.call(method, path, {
    headers,
    token: isSignedIn ? at.token : null,
    ...(method === 'PUT' ? { undocumented: true } : {}),
    ...(method === 'POST' ? { body: path.endsWith('revoke') ? { token: 'x' } : {} } : {}),
  })

describe.each(samples)('%s %s (with a token: %s)', (...which) => {
  it('returns a valid X-Request-Id unchanged', async () => {
    for (const id of ['a', 'b7e0-41', 'A_b.c~9', 'x'.repeat(128)])
      expect((await sample(which, { 'x-request-id': id })).headers.get('x-request-id')).toBe(id)
  })

  it('replaces an invalid X-Request-Id', async () => {
    const invalid = [
      '',
      ' ',
      'x'.repeat(129),
      'a b',
      'a"b',
      '<script>',
      'é',
      'a,b',
      '${jndi:ldap://x}',
      '../../a',
    ]
    const replaced: (string | null)[] = []
    for (const id of invalid)
      replaced.push((await sample(which, { 'x-request-id': id })).headers.get('x-request-id'))
    expect(new Set(replaced).size).toBe(invalid.length)
    for (const id of replaced) expect(id).toMatch(/^[\w-]{8,64}$/)
  })

  it('has security headers and no CORS headers', async () => {
    const { headers } = await sample(which, { origin: 'https://evil.example' })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('cache-control')).toMatch(/^(no-store|no-cache)$/)
    expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
  })
})

describe('CORS', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type, idempotency-key',
  }

  it('is off by default', async () => {
    const { status, headers } = await service.call('OPTIONS', '/v1/auth/token', {
      token: null,
      undocumented: true,
      headers: { origin: 'https://app.example', ...preflight },
    })
    expect(status).toBe(405)
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })

  describe('with CORS_ORIGINS', () => {
    let open: Service
    beforeAll(async () => {
      open = await startService({
        db: service.db,
        env: { CORS_ORIGINS: 'https://app.example, https://other.example' },
      })
    })
    afterAll(() => open.stop())

    it.each(['https://app.example', 'https://other.example'])('allows %s', async (origin) => {
      const preflightResponse = await open.call('OPTIONS', '/v1/auth/token', {
        token: null,
        undocumented: true,
        headers: { origin, ...preflight },
      })
      expect(preflightResponse.status).toBe(204)
      expect(preflightResponse.headers.get('access-control-allow-origin')).toBe(origin)
      expect(preflightResponse.headers.get('access-control-allow-methods')).toBe(
        'GET, HEAD, POST, PUT, PATCH, DELETE',
      )
      expect(preflightResponse.headers.get('access-control-allow-headers')).toMatch(/authorization/i)
      expect(preflightResponse.headers.get('access-control-allow-credentials')).toBeNull()
      expect(preflightResponse.headers.get('x-request-id')).toMatch(/^[\w-]{8,64}$/)

      const response = await open.call('GET', '/v1/auth/token/self', { headers: { origin } })
      expect(response.status).toBe(200)
      expect(response.headers.get('access-control-allow-origin')).toBe(origin)
      expect(response.headers.get('vary')).toMatch(/origin/i)
      expect(response.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id/)
    })

    it('returns 204 for an OPTIONS request that is not a preflight', async () => {
      const { status } = await open.call('OPTIONS', '/v1/auth/tokens', { token: null, undocumented: true })
      expect(status).toBe(204)
    })

    it('lets a page read errors', async () => {
      const { status, headers } = await open.call('GET', '/v1/auth/token/self', {
        token: null,
        headers: { origin: 'https://app.example' },
      })
      expect(status).toBe(401)
      expect(headers.get('access-control-allow-origin')).toBe('https://app.example')
    })

    it.each(['https://evil.example', 'https://app.example.evil.example', 'http://app.example', 'null'])(
      'does not allow %s',
      async (origin) => {
        const { headers } = await open.call('GET', '/v1/auth/token/self', { headers: { origin } })
        expect(headers.get('access-control-allow-origin')).not.toBe(origin)
        expect(headers.get('access-control-allow-origin')).not.toBe('*')
      },
    )
  })
})

describe('the link to the next page', () => {
  beforeAll(() => service.mint())

  it.each([
    ['the path', '/api/v1/auth/tokens?limit=1', '/api/v1/auth/tokens'],
    ['a path with two slashes', '//api/v1/auth/tokens?limit=1', null],
    ['a path with another host', '//evil.example/api/v1/auth/tokens?limit=1', null],
    [
      'an absolute URL of another host',
      'http://evil.example/api/v1/auth/tokens?limit=1',
      '/api/v1/auth/tokens',
    ],
    [
      'an absolute URL with a port',
      'https://evil.example:81/api/v1/auth/tokens?limit=1',
      '/api/v1/auth/tokens',
    ],
    [
      'an absolute URL with a user',
      'http://a:b@evil.example/api/v1/auth/tokens?limit=1',
      '/api/v1/auth/tokens',
    ],
    ['an absolute URL with an invalid host', 'http://a:x/api/v1/auth/tokens?limit=1', null],
    ['an absolute URL in capitals', 'HTTP://EVIL.EXAMPLE/api/v1/auth/tokens?limit=1', '/api/v1/auth/tokens'],
  ])('points to this service when the request line has %s', async (_, target, path) => {
    const { status, headers, body } = await exchange(
      service.origin,
      `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer ${service.token}\r\n\r\n`,
    )
    const link = headers['link']
    if (path === null) return expect([status, link]).toEqual([404, undefined])
    expect(status).toBe(200)
    expect(link).toBe(
      `<http://localhost:0${path}?limit=1&cursor=${encodeURIComponent(body.next_cursor)}>; rel="next"`,
    )
  })
})
