/** All errors of the API. */
import { createTokenValue } from '../../../src/auth/token-value.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'

let service: Service
beforeAll(async () => (service = await startService({ env: { PUBLIC_URL: 'https://links.example' } })))
afterAll(() => service.stop())

const challenge = 'Bearer realm="link-service"'

function expectProblem(response: ServiceResponse, status: number, code: string): void {
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.body).toMatchObject({
    type: `https://links.example/errors/${code}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
    instance: response.headers.get('x-request-id'),
    code,
  })
}

describe('401', () => {
  it.each([
    ['no credentials', {}],
    ['another scheme', { authorization: 'Basic dTpw' }],
    ['an empty header', { authorization: '' }],
  ])('has the code unauthorized for %s', async (_, headers) => {
    const response = await service.call('GET', '/v1/auth/token/self', { token: null, headers })
    expectProblem(response, 401, 'unauthorized')
    expect(response.headers.get('www-authenticate')).toBe(challenge)
  })

  it('has the code invalid_token and the same body for malformed and unknown tokens', async () => {
    const texts = new Set<string>()
    for (const token of ['x', 'lsk_live_x', createTokenValue('live'), createTokenValue('test')]) {
      const headers = { 'x-request-id': 'same' }
      const response = await service.call('GET', '/v1/auth/token/self', { token, headers })
      expectProblem(response, 401, 'invalid_token')
      expect(response.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`)
      texts.add(response.text)
    }
    expect(texts.size).toBe(1)
  })

  it('has the code token_revoked for a revoked token', async () => {
    const { id, token } = await service.mint()
    await service.call('DELETE', `/v1/auth/token/${id}`)
    const response = await service.call('GET', '/v1/auth/token/self', { token })
    expectProblem(response, 401, 'token_revoked')
    expect(response.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`)
  })

  it('has the code token_revoked when the token is revoked while it creates another', async () => {
    const { token } = await service.mint()
    expect((await service.call('GET', '/v1/auth/token/self', { token })).status).toBe(200)
    // Without a notification, the guard accepts the cached token.
    await service.db.query('UPDATE tokens SET revoked_at = now() WHERE last4 = $1', [token.slice(-4)])
    const response = await service.call('POST', '/v1/auth/token', { token, body: { name: 'a' } })
    expectProblem(response, 401, 'token_revoked')
    expect(response.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`)
  })

  it('has the code token_expired for an expired token', async () => {
    const { token } = await service.mint('links:read', undefined, '60s')
    await service.db.query(`UPDATE tokens SET expires_at = now() - interval '1 s' WHERE last4 = $1`, [
      token.slice(-4),
    ])
    const response = await service.call('GET', '/v1/auth/token/self', { token })
    expectProblem(response, 401, 'token_expired')
    expect(response.headers.get('www-authenticate')).toBe(`${challenge}, error="invalid_token"`)
  })

  it('takes precedence over errors in the path, query or body', async () => {
    for (const [method, path, raw] of [
      ['POST', '/v1/auth/token', '{'],
      ['GET', '/v1/auth/tokens?limit=x', undefined],
      ['GET', '/v1/auth/token/nonsense', undefined],
    ] as const)
      expectProblem(
        await service.call(method, path, { token: null, ...(raw ? { raw } : {}) }),
        401,
        'unauthorized',
      )
  })
})

describe('403', () => {
  it('has the code insufficient_scope, and the required and granted scopes', async () => {
    const { token } = await service.mint('links:read,clicks:read')
    const response = await service.call('POST', '/v1/auth/token', { token, body: { name: 'a' } })
    expectProblem(response, 403, 'insufficient_scope')
    expect(response.headers.get('www-authenticate')).toBe(
      `${challenge}, error="insufficient_scope", scope="tokens:write"`,
    )
    expect(response.body).toMatchObject({
      required: ['tokens:write'],
      granted: ['links:read', 'clicks:read'],
    })
  })

  it.each([
    ['tokens:write', 'POST', '/v1/auth/token'],
    ['tokens:write', 'DELETE', '/v1/auth/token/ID'],
    ['tokens:write', 'POST', '/v1/auth/token/ID/rotate'],
    ['tokens:read', 'GET', '/v1/auth/tokens'],
    ['tokens:read', 'GET', '/v1/auth/token/ID'],
    ['audit:read', 'GET', '/v1/audit-log'],
    ['instance:read', 'GET', '/v1/instance'],
  ])('is returned without %s for %s %s, whatever the other scopes', async (scope, method, path) => {
    const all =
      'tokens:read,tokens:write,links:read,links:write,clicks:read,webhooks:read,webhooks:write,events:read,audit:read'
    const others = all.split(',').filter((other) => other !== scope)
    const { id, token } = await service.mint(others.join())
    const response = await service.call(method, path.replace('ID', id), {
      token,
      ...(method === 'POST' ? { body: { name: 'a' } } : {}),
    })
    expectProblem(response, 403, 'insufficient_scope')
    expect(response.body.required).toEqual([scope])
  })

  it('has the code scope_escalation for a token with more scopes', async () => {
    const { token } = await service.mint('tokens:write')
    const response = await service.call('POST', '/v1/auth/token', {
      token,
      body: { name: 'a', scopes: ['audit:read'] },
    })
    expectProblem(response, 403, 'scope_escalation')
  })
})

describe('404', () => {
  it.each([
    '/v1/nothing',
    '/v1/auth',
    '/v1/auth/tokens/',
    '/v1/auth/token/self/more',
    '/nothing',
    '/api',
    '/api/v1',
    '/api/v2/auth/tokens',
    '/.env',
    '/docs/nothing.js',
    '/docs/..%2f..%2fpackage.json',
    '/errors',
    '/errors/nothing',
    '/errors/__proto__',
    '/errors/constructor',
    '/%zz',
    '/%',
    '/%c3%28',
    `/${'a'.repeat(8000)}`,
  ])('is returned for the path %s', async (path) => {
    for (const token of [service.token, null])
      expectProblem(await service.call('GET', path, { token, undocumented: true }), 404, 'not_found')
  })

  it('is returned for an ID that is unknown, malformed or of another workspace', async () => {
    await service.addWorkspace('other')
    const { id } = await service.mint(undefined, 'other')
    for (const each of [id, 'x', 'tok_01kaj3v9z4f8hva3x7m2c5d6ne'])
      expectProblem(await service.call('GET', `/v1/auth/token/${each}`), 404, 'not_found')
  })

  it.each([
    ['/v1/links/lnk_nothing', 'No link with this ID was found.'],
    ['/v1/links/by-slug/nothing', 'No link with this slug was found.'],
    ['/v1/auth/token/tok_01kaj3v9z4f8hva3x7m2c5d6ne', 'No token with this ID was found.'],
    ['/v1/webhooks/wh_x/deliveries/dlv_x', 'No webhook with this ID was found.'],
    ['/v1/clicks/clk_x/explain', 'No click with this ID was found.'],
    ['/v1/imports/imp_x', 'No import with this ID was found.'],
    ['/v1/events/%00%22%C3%BC%E2%80%AE', 'No event with this ID was found.'],
    ['/v1/nothing', 'No route matches this URL.'],
  ])('for %s says: %s', async (path, detail) => {
    const response = await service.call('GET', path, { undocumented: true })
    expectProblem(response, 404, 'not_found')
    expect(response.body.detail).toBe(detail)
  })
})

describe('405', () => {
  it.each([
    ['PUT', '/v1/auth/tokens', 'GET, HEAD'],
    ['POST', '/v1/auth/tokens', 'GET, HEAD'],
    ['DELETE', '/v1/auth/tokens', 'GET, HEAD'],
    ['GET', '/v1/auth/token', 'POST'],
    ['HEAD', '/v1/auth/token', 'POST'],
    ['PATCH', '/v1/auth/token/self', 'DELETE, GET, HEAD'],
    ['PUT', '/v1/auth/token/tok_01kaj3v9z4f8hva3x7m2c5d6ne', 'DELETE, GET, HEAD'],
    ['GET', '/v1/auth/token/x/rotate', 'POST'],
    ['GET', '/v1/auth/revoke', 'POST'],
    ['POST', '/v1/audit-log', 'GET, HEAD'],
    ['OPTIONS', '/v1/auth/tokens', 'GET, HEAD'],
    ['POST', '/healthz', 'GET, HEAD'],
    ['POST', '/docs', 'GET, HEAD'],
    ['DELETE', '/openapi.json', 'GET, HEAD'],
    ['POST', '/docs/', 'GET, HEAD'],
    // A literal segment is not the ID of a link.
    ['PUT', '/v1/links/bulk', 'POST'],
    ['PUT', '/v1/links/by-slug/clicks', 'GET, HEAD'],
  ])('is returned for %s %s with Allow', async (method, path, allow) => {
    const response = await service.call(method, path, { undocumented: true })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    if (method !== 'HEAD') expectProblem(response, 405, 'method_not_allowed')
  })

  it('is returned for any short link', async () => {
    for (const path of ['/missing-link', '/a'])
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const response = await fetch(service.origin + path, { method })
        expect(response.status).toBe(405)
        expect(response.headers.get('allow')).toBe('GET, HEAD')
      }
    for (const path of ['/api', '/v1', '/a/b', '/a.b'])
      expect((await fetch(service.origin + path, { method: 'POST' })).status).toBe(404)
  })

  it('is not returned for HEAD where GET is allowed', async () => {
    for (const path of ['/v1/auth/tokens', '/v1/auth/token/self', '/v1/audit-log', '/docs', '/healthz']) {
      const head = await service.call('HEAD', path)
      expect({ path, status: head.status, text: head.text }).toEqual({ path, status: 200, text: '' })
    }
  })
})
