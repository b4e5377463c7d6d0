/** API calls of the dashboard, with a session instead of a token. */
import { makeLink, visit } from '../../support/factories/links.js'
import { LiveFollower } from '../../support/live-follower.js'
import { startService } from '../../support/service.js'
import type { CallOptions, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { fromPage, signInAs } from './browser.js'

let service: Service
let cookie: string
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: '1000/1h' } })
  cookie = await signInAs(service, service.token)
})
afterAll(() => service.stop())

const call = (method: string, path: string, options: CallOptions = {}) =>
  service.call(method, `/dashboard/api${path}`, {
    token: null,
    ...options,
    headers: { cookie, ...fromPage, ...options.headers },
  })
const link = { url: 'https://target.example/' }

it('returns the responses of the API, with URLs below /dashboard/api', async () => {
  const created = await call('POST', '/v1/links', { body: link })
  expect(created.status).toBe(201)
  expect(created.headers.get('location')).toBe(`/dashboard/api/v1/links/${created.body.id}`)
  expect(created.headers.get('etag')).toMatch(/^"/)
  expect(created.headers.get('ratelimit-policy')).toContain('"default";q=1000')
  await call('POST', '/v1/links', { body: link })
  const page = await call('GET', '/v1/links?limit=1')
  expect(page.headers.get('link')).toMatch(/\/dashboard\/api\/v1\/links\?limit=1&cursor=[^>]+>; rel="next"$/)
  const byBearer = await service.call('GET', '/v1/links?limit=1')
  expect(byBearer.headers.get('link')).toMatch(/\/api\/v1\/links\?/)
  expect(byBearer.headers.get('link')).not.toContain('dashboard')
  expect(byBearer.body.data).toEqual(page.body.data)
  expect((await call('GET', '/v1/nothing', { undocumented: true })).body.code).toBe('not_found')
  expect((await call('PUT', '/v1/links', { undocumented: true })).headers.get('allow')).toContain('POST')
})

it('streams live clicks until the session ends', async () => {
  const own = await signInAs(service, (await service.mint()).token)
  const { slug } = await makeLink(service)
  const follower = await LiveFollower.start(`${service.origin}/dashboard/api/v1/clicks/live`, { cookie: own })
  const startedAt = performance.now()
  // The session is checked twice a second.
  for (let count = 1; performance.now() - startedAt < 1_200; count++) {
    await visit(service, slug)
    await waitFor('the click', () => follower.received.length === count)
  }
  await service.call('DELETE', '/dashboard/session', { token: null, headers: { cookie: own, ...fromPage } })
  await waitFor('the end', () => follower.isEnded)
})

it('has the scopes of the token', async () => {
  const narrow = await service.mint('links:read')
  const response = await call('POST', '/v1/links', {
    body: link,
    headers: { cookie: await signInAs(service, narrow.token) },
  })
  expect(response).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
})

it('rejects tokens, and the API rejects cookies', async () => {
  const bearer = { authorization: `Bearer ${service.token}` }
  const none = await service.call('GET', '/dashboard/api/v1/links', { token: null, headers: bearer })
  expect(none).toMatchObject({ status: 401, body: { code: 'no_session' } })
  const api = await service.call('GET', '/v1/links', { token: null, headers: { cookie } })
  expect(api).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
})

it.each(['', 'link_service_session=', `link_service_session=${'a'.repeat(43)}`, 'other=1'])(
  'rejects the cookie %j',
  async (other) => {
    const response = await call('GET', '/v1/links', { headers: { cookie: other } })
    expect(response).toMatchObject({ status: 401, body: { code: 'no_session' } })
  },
)

it('rejects two session cookies, because another host may have set one', async () => {
  const twice = { cookie: `${cookie}; link_service_session=${'a'.repeat(43)}` }
  expect((await call('GET', '/v1/links', { headers: twice })).status).toBe(401)
})

it.each(['/dashboard/%61pi/v1/links', '/dashboard//api/v1/links', '/dashboard/api', '/dashboard/api/v1x'])(
  'returns 404 for %s',
  async (path) => {
    const response = await service.call('POST', path, {
      token: null,
      body: link,
      headers: { cookie, ...fromPage },
    })
    expect(response.status).toBe(404)
  },
)

describe('rejects cross-site requests', () => {
  const refused = { status: 403, body: { code: 'cross_site' } }
  const count = async () => (await service.db.query('SELECT FROM links')).length

  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another host of the site', { 'sec-fetch-site': 'same-site' }],
    ['typed into the address bar', { 'sec-fetch-site': 'none' }],
    [
      'with a matching origin and another site',
      { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:0' },
    ],
  ])('%s', async (_name, headers) => {
    const before = await count()
    expect(await call('POST', '/v1/links', { body: link, headers })).toMatchObject(refused)
    expect(await count()).toBe(before)
  })

  const sent = (headers: Record<string, string>) =>
    service.call('POST', '/dashboard/api/v1/links', {
      token: null,
      body: link,
      headers: { cookie, ...headers },
    })

  it.each([[{}], [{ origin: 'null' }], [{ origin: 'https://evil.example' }], [{ origin: 'nonsense' }]])(
    'from an old browser with %j',
    async (headers) => {
      expect(await sent(headers)).toMatchObject(refused)
    },
  )

  it('but accepts an old browser on a page of this service', async () => {
    expect((await sent({ origin: service.origin })).status).toBe(201)
  })

  it.each([
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=a',
    'text/plain',
    'TEXT/PLAIN; charset=utf-8',
    '',
  ])('with a body of type %j', async (type) => {
    const body = new TextEncoder().encode(JSON.stringify(link))
    const before = await count()
    expect(await call('POST', '/v1/links', { raw: body, headers: { 'content-type': type } })).toMatchObject(
      refused,
    )
    expect(await count()).toBe(before)
  })

  it('to sign in or out', async () => {
    for (const method of ['POST', 'DELETE']) {
      const response = await service.call(method, '/dashboard/session', {
        token: null,
        ...(method === 'POST' ? { body: { token: service.token } } : {}),
        headers: { cookie, 'sec-fetch-site': 'cross-site' },
      })
      expect(response).toMatchObject(refused)
      expect(response.headers.get('set-cookie')).toBeNull()
    }
    expect((await call('GET', '/v1/links')).status).toBe(200)
  })
})

it('serves neither pages, sessions nor calls with DASHBOARD=off', async () => {
  const off = await startService({ env: { DASHBOARD: 'off' } })
  for (const [method, path] of [
    ['GET', '/dashboard/links'],
    ['POST', '/dashboard/session'],
    ['GET', '/dashboard/api/v1/links'],
  ] as const)
    expect((await off.call(method, path, { undocumented: true })).status).toBe(404)
  await off.stop()
})

it('rejects a BASE_PATH below /dashboard and /docs/guide', async () => {
  for (const [path, page] of [
    ['/dashboard', '/dashboard'],
    ['/dashboard/api', '/dashboard'],
    ['/docs/guide/api', '/docs/guide'],
  ] as const)
    await expect(startService({ db: service.db, env: { BASE_PATH: path } })).rejects.toThrow(
      `BASE_PATH must not be below ${page}`,
    )
  const accepted = await startService({ db: service.db, env: { BASE_PATH: '/dashboards' } })
  await accepted.stop()
})
