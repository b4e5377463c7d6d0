import { decodeId } from '../../../src/platform/database/ids.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

const everyScope = [
  'tokens:read',
  'tokens:write',
  'links:read',
  'links:write',
  'clicks:read',
  'webhooks:read',
  'webhooks:write',
  'events:read',
  'audit:read',
]
const millisecondTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const create = (body: unknown, token = service.token) =>
  service.call('POST', '/v1/auth/token', { body, token })

describe('a new token', () => {
  it('is returned as the full record and value, with 201, Location and ETag', async () => {
    const response = await create({ name: 'ci', scopes: ['links:read', 'links:write'], expires_in: '30d' })

    expect(response.status).toBe(201)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('location')).toBe(`/api/v1/auth/token/${response.body.id}`)
    expect(response.headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(response.body).toEqual({
      id: expect.stringMatching(/^tok_[0-9a-hjkmnp-tv-z]{26}$/),
      name: 'ci',
      scopes: ['links:read', 'links:write'],
      restrictions: null,
      prefix: 'lsk_live_',
      last4: response.body.token.slice(-4),
      status: 'active',
      created_at: expect.stringMatching(millisecondTime),
      expires_at: expect.stringMatching(millisecondTime),
      last_used_at: null,
      created_by: service.tokenId,
      rotated_from: null,
      token: expect.stringMatching(/^lsk_live_[0-9A-Za-z]{49}$/),
    })
  })

  it('has all scopes of its creator and null in other fields, when only a name is given', async () => {
    const response = await create({ name: 'everything' })
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({
      scopes: everyScope,
      expires_at: null,
      last_used_at: null,
      rotated_from: null,
    })
  })

  it('works immediately, and its Location returns the same record without the value', async () => {
    const created = await create({ name: 'a', scopes: ['tokens:read'] })
    const { token, ...record } = created.body
    const read = await service.call('GET', created.headers.get('location')!.replace('/api', ''), { token })
    expect(read.status).toBe(200)
    expect(read.body).toEqual({
      ...record,
      last_used_at: expect.stringMatching(millisecondTime),
      unused_scopes: expect.any(Array),
      scopes_watched_since: record.created_at,
      minted: 0,
    })
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'))
  })

  it('never shows its value again, and no table contains the value', async () => {
    const { id, token } = (await create({ name: 'secret' })).body
    const responses = await Promise.all([
      service.call('GET', `/v1/auth/token/${id}`),
      service.call('GET', '/v1/auth/tokens?limit=100'),
      service.call('GET', '/v1/auth/token/self', { token }),
      service.call('GET', '/v1/audit-log?limit=100'),
    ])
    for (const { status, text } of responses) {
      expect(status).toBe(200)
      expect(text).not.toContain(token)
      expect(text).not.toContain(token.slice(9, -6))
    }
    const rows = await service.db.query<{ text: string }>('SELECT t::text AS text FROM tokens t')
    expect(rows.map(({ text }) => text).join()).not.toContain(token.slice(9, -6))
    expect(rows.map(({ text }) => text).join()).not.toContain(Buffer.from(token).toString('hex'))
  })

  it('has the prefix lsk_test_ in the test environment', async () => {
    const test = await startService({ env: { KEY_ENVIRONMENT: 'test' } })
    try {
      const { body } = await test.call('POST', '/v1/auth/token', { body: { name: 'a' } })
      expect(body.prefix).toBe('lsk_test_')
      expect(body.token).toMatch(/^lsk_test_[0-9A-Za-z]{49}$/)
    } finally {
      await test.stop()
    }
  })
})

describe('the scopes of a new token', () => {
  it('are deduplicated and sorted', async () => {
    const { status, body } = await create({
      name: 'a',
      scopes: ['links:write', 'links:read', 'links:write', 'tokens:read'],
    })
    expect(status).toBe(201)
    expect(body.scopes).toEqual(['tokens:read', 'links:read', 'links:write'])
  })

  it('default to the scopes of the calling token', async () => {
    const { token } = await service.mint('tokens:write,links:read')
    expect((await create({ name: 'a' }, token)).body.scopes).toEqual(['tokens:write', 'links:read'])
  })

  it.each([
    [{ name: 'a', scopes: [] }],
    [{ name: 'a', scopes: null }],
    [{ name: 'a', scopes: ['links:admin'] }],
    [{ name: 'a', scopes: ['links:read', 'LINKS:WRITE'] }],
  ])('are rejected with a list of the known scopes in %j', async (body) => {
    const response = await create(body)
    expect(response.status).toBe(422)
    expect(response.body.errors).toEqual([
      { pointer: '/scopes', code: 'invalid_scopes', detail: expect.any(String) },
    ])
    for (const scope of everyScope) expect(response.body.errors[0].detail).toContain(scope)
  })

  it('can include :write without :read', async () => {
    const { token } = (await create({ name: 'a', scopes: ['tokens:write'] })).body
    expect((await service.call('GET', '/v1/auth/tokens', { token })).status).toBe(403)
    expect((await create({ name: 'b' }, token)).status).toBe(201)
  })

  it('cannot exceed the scopes of the calling token, and the error names the excess', async () => {
    const { token } = await service.mint('tokens:write,links:read')
    const before = await service.db.query('SELECT id FROM tokens')
    const response = await create({ name: 'a', scopes: ['links:read', 'links:write', 'audit:read'] }, token)
    expect(response.status).toBe(403)
    expect(response.body).toMatchObject({
      code: 'scope_escalation',
      excess: { scopes: ['links:write', 'audit:read'] },
    })
    expect(response.body.detail).toContain('links:write, audit:read')
    expect(await service.db.query('SELECT id FROM tokens')).toHaveLength(before.length)
  })
})

describe('the expiry of a new token', () => {
  it.each([
    ['60s', 60],
    ['99999s', 99_999],
    ['1m', 60],
    ['90m', 5_400],
    ['12h', 43_200],
    ['1d', 86_400],
    ['365d', 31_536_000],
    ['52w', 31_449_600],
    ['8760h', 31_536_000],
  ])('of %s is that long after created_at', async (expiresIn, seconds) => {
    const { status, body } = await create({ name: 'a', expires_in: expiresIn })
    expect(status).toBe(201)
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(seconds * 1000)
  })

  it.each(['59s', '1s', '366d', '53w', '8761h', '99999w'])(
    'is rejected out of bounds: %s',
    async (expiresIn) => {
      const { status, body } = await create({ name: 'a', expires_in: expiresIn })
      expect(status).toBe(422)
      expect(body.errors).toEqual([
        {
          pointer: '/expires_in',
          code: 'invalid_duration',
          detail: expect.stringContaining('"60s" to "365d"'),
        },
      ])
    },
  )

  it('can be null', async () => {
    const { status, body } = await create({ name: 'a', expires_in: null })
    expect(status).toBe(201)
    expect(body.expires_at).toBeNull()
  })

  it('cannot be later than the expiry of the calling token, nor null if that token expires', async () => {
    const { token } = await service.mint(undefined, undefined, '1h')
    const own = (await service.call('GET', '/v1/auth/token/self', { token })).body.expires_at

    const none = await create({ name: 'a' }, token)
    expect(none.status).toBe(403)
    expect(none.body).toMatchObject({
      code: 'scope_escalation',
      excess: { expires_at: null, latest: own },
    })

    const later = await create({ name: 'a', expires_in: '2h' }, token)
    expect(later.status).toBe(403)
    expect(later.body).toMatchObject({ code: 'scope_escalation', excess: { latest: own } })
    expect(Date.parse(later.body.excess.expires_at)).toBeGreaterThan(Date.parse(own))

    const sooner = await create({ name: 'a', expires_in: '59m' }, token)
    expect(sooner.status).toBe(201)
    expect(Date.parse(sooner.body.expires_at)).toBeLessThanOrEqual(Date.parse(own))
  })

  it('is shortened to the expiry of the calling token when the excess is under a minute', async () => {
    const { id, token } = await service.mint(undefined, undefined, '1h')
    const own = (await service.call('GET', '/v1/auth/token/self', { token })).body.expires_at
    const child = await create({ name: 'a', expires_in: '1h' }, token)
    expect([child.status, child.body.expires_at]).toEqual([201, own])
    // This also applies to the child of a child.
    const grandchild = await create({ name: 'a', expires_in: '1h' }, child.body.token)
    expect([grandchild.status, grandchild.body.expires_at]).toEqual([201, own])

    const endEarlier = (seconds: number) =>
      service.db.query('UPDATE tokens SET expires_at = $2 WHERE id = $1', [
        decodeId('tok', id),
        new Date(Date.parse(own) - seconds * 1000),
      ])
    await endEarlier(50)
    const bySeconds = await create({ name: 'a', expires_in: '1h' }, token)
    expect(bySeconds.status).toBe(201)
    expect(Date.parse(bySeconds.body.expires_at)).toBe(Date.parse(own) - 50_000)
    await endEarlier(61)
    const byAMinute = await create({ name: 'a', expires_in: '1h' }, token)
    expect([byAMinute.status, byAMinute.body.code]).toEqual([403, 'scope_escalation'])
  })
})
