/** Invalid IDs, query parameters and headers of webhook calls. */
import { badIdsFor } from '../../support/bad-input.js'
import { request } from './bad-input.js'

describe('an ID', () => {
  it.each(badIdsFor('wh'))('that is invalid returns 404: %s', async (id) => {
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/secret/rotate'],
    ] as const) {
      const { status, body } = await request(method, `/v1/webhooks/${id}${suffix}`, {
        ...(method === 'PATCH' ? { body: { description: 'x' } } : {}),
      })
      expect({ method, status, code: body.code }).toEqual({ method, status: 404, code: 'not_found' })
    }
  })
})

describe('a query parameter', () => {
  const wrongLimits = ['0', '-1', '101', '1.5', '1e2', 'ten', '', '%20', '١', 'NaN']
  const wrongCursors = ['', 'x', 'x.y', '.', '%00', 'a'.repeat(1001), "'"]
  it.each([
    ...wrongLimits.map((value) => `limit=${value}`),
    ...wrongCursors.map((value) => `cursor=${value}`),
    'limit=1&limit=1',
    'page=2',
    'Limit=1',
    'status=active',
    'limit[]=1',
    '__proto__=1',
    'x',
  ])('that is invalid returns a 400 that names it: %s', async (query) => {
    const { status, body } = await request('GET', `/v1/webhooks?${query}`)
    expect([status, body.code]).toEqual([400, 'invalid_query'])
    const named = body.errors.map(({ parameter }: { parameter: string }) => parameter)
    expect(named).toContain(query.split('=')[0])
  })

  it.each([
    ['GET', '/v1/webhooks/ID?x=1'],
    ['POST', '/v1/webhooks?url=https://receiver.example'],
    ['PATCH', '/v1/webhooks/ID?status=paused'],
    ['DELETE', '/v1/webhooks/ID?force=true'],
    ['POST', '/v1/webhooks/ID/secret/rotate?overlap=0s'],
  ])('is rejected by calls without parameters: %s %s', async (method, path) => {
    const hasBody = method === 'POST' || method === 'PATCH'
    const response = await request(method, path, hasBody ? { body: {} } : {})
    expect([response.status, response.body.code]).toEqual([400, 'invalid_query'])
  })
})

describe('a method', () => {
  it.each([
    ['PUT', '/v1/webhooks/ID', 'GET, HEAD, PATCH, DELETE'],
    ['DELETE', '/v1/webhooks', 'GET, HEAD, POST'],
    ['GET', '/v1/webhooks/ID/secret/rotate', 'POST'],
  ])('that is not allowed returns a 405 with Allow: %s %s', async (method, path, allowed) => {
    const { status, headers } = await request(method, path, { undocumented: true })
    expect(status).toBe(405)
    expect((headers.get('allow') ?? '').split(', ').sort()).toEqual(allowed.split(', ').sort())
  })
})

it.each([
  ['POST', '/v1/webhooks'],
  ['POST', '/v1/webhooks/ID/secret/rotate'],
])('an invalid Idempotency-Key returns a 400 that names the header: %s %s', async (method, path) => {
  for (const key of ['', ' ', 'a'.repeat(256), 'a b', 'é']) {
    const { status, body } = await request(method, path, {
      body: { url: 'https://receiver.example', events: ['click'] },
      headers: { 'idempotency-key': key },
    })
    expect([status, body.code, body.errors?.[0].header]).toEqual([400, 'invalid_header', 'Idempotency-Key'])
  }
})
