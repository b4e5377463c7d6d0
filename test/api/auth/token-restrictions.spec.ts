import { createHmac } from 'node:crypto'

import { TokenUse } from '../../../src/auth/token-cache.js'
import { SessionUse } from '../../../src/sessions/session-cache.js'
import { keepFarFromTheHour } from '../../support/rate-limits.js'
import { pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { fromPage, signInAs } from '../dashboard/browser.js'

let service: Service
beforeAll(
  async () =>
    (service = await startService({
      env: { TRUST_PROXY: '1', RATE_LIMIT: '600/1m', WORKSPACE_RATE_LIMIT: '100000/1m' },
    })),
)
afterAll(() => service.stop())

const from = (address: string, token: string, path = '/v1/auth/token/self') =>
  service.call('GET', path, { token, headers: { 'x-forwarded-for': address } })
const create = (restrictions: unknown, token = service.token, more: object = {}) =>
  service.call('POST', '/v1/auth/token', { token, body: { name: 'child', restrictions, ...more } })
const self = async (token: string) => (await service.call('GET', '/v1/auth/token/self', { token })).body
const refusals = async (id: string) =>
  (await service.call('GET', `/v1/audit-log?action=token.refused&object_id=${id}&limit=100`)).body.data
const unused = async (id: string) => {
  await service.app.get(TokenUse).beforeApplicationShutdown()
  return (await service.call('GET', `/v1/auth/token/${id}`)).body.last_used_at === null
}

describe('the record', () => {
  it('has no restrictions by default', async () => {
    expect((await create(undefined)).body.restrictions).toBeNull()
    expect((await create(null)).body.restrictions).toBeNull()
    expect((await create({})).body.restrictions).toBeNull()
    expect((await create({ tags: null })).body.restrictions).toBeNull()
  })

  it('is found by processes of 0.1.0, which ignore restrictions, only if it has none', async () => {
    const isFound = async (value: string) => {
      const hash = createHmac('sha256', pepper).update(value).digest()
      return (await service.db.query('SELECT FROM tokens WHERE hash = $1', [hash])).length === 1
    }
    const restricted = (await create({ tags: ['partner'] })).body
    const rotated = await service.call('POST', `/v1/auth/token/${restricted.id}/rotate`, { body: {} })
    expect(await isFound((await create(null)).body.token)).toBe(true)
    for (const { token } of [restricted, rotated.body]) {
      expect(await isFound(token)).toBe(false)
      expect((await self(token)).restrictions.tags).toEqual(['partner'])
    }
  })

  it('can be revoked by its value if it is restricted', async () => {
    const { token } = (await create({ tags: ['partner'] })).body
    const body = { token }
    expect((await service.call('POST', '/v1/auth/revoke', { token: null, body })).status).toBe(204)
    expect((await from('127.0.0.1', token)).status).toBe(401)
  })

  it('contains normalized restrictions everywhere, and keeps them on rotation', async () => {
    const given = {
      allowed_ips: ['127.0.0.1', '10.1.2.3/8', '::1', '10.0.0.0/8'],
      not_before: '2026-01-31T13:00:00+01:00',
      rate_limit: '60/m',
      tags: ['partner', 'partner', 'spring'],
    }
    const { status, body } = await create(given)
    expect(status).toBe(201)
    const restrictions = {
      allowed_ips: ['127.0.0.1/32', '10.0.0.0/8', '::1/128'],
      not_before: '2026-01-31T12:00:00.000Z',
      rate_limit: '60/1m',
      tags: ['partner', 'spring'],
    }
    expect(body.restrictions).toEqual(restrictions)
    const { body: one } = await service.call('GET', `/v1/auth/token/${body.id}`)
    expect(one.restrictions).toEqual(restrictions)
    expect((await service.call('GET', '/v1/auth/tokens')).body.data[0].restrictions).toEqual(restrictions)
    expect((await from('127.0.0.1', body.token)).body.restrictions).toEqual(restrictions)
    const rotated = await service.call('POST', `/v1/auth/token/${body.id}/rotate`, { body: {} })
    expect(rotated.body.restrictions).toEqual(restrictions)
    const entry = (await service.call('GET', `/v1/audit-log?action=token.created&object_id=${body.id}`)).body
      .data[0]
    expect(entry.details).toMatchObject(restrictions)
  })

  it.each([
    ['/restrictions', 'not_an_object', []],
    ['/restrictions/ips', 'unknown_field', { ips: [] }],
    ['/restrictions/allowed_ips', 'invalid_networks', { allowed_ips: [] }],
    ['/restrictions/allowed_ips', 'invalid_networks', { allowed_ips: '10.0.0.0/8' }],
    ['/restrictions/allowed_ips', 'invalid_networks', { allowed_ips: ['10.0.0.0/33'] }],
    ['/restrictions/allowed_ips', 'invalid_networks', { allowed_ips: Array(21).fill('10.0.0.1') }],
    ['/restrictions/not_before', 'invalid_timestamp', { not_before: '2026-02-30T00:00:00Z' }],
    ['/restrictions/rate_limit', 'invalid_rate', { rate_limit: 'off' }],
    ['/restrictions/rate_limit', 'invalid_rate', { rate_limit: '0/1m' }],
    ['/restrictions/rate_limit', 'invalid_rate', { rate_limit: '10/2h' }],
    ['/restrictions/rate_limit', 'invalid_rate', { rate_limit: '100001/1m' }],
    ['/restrictions/rate_limit', 'invalid_rate', { rate_limit: 60 }],
    ['/restrictions/tags', 'invalid_tags', { tags: [] }],
    ['/restrictions/tags', 'invalid_tags', { tags: [''] }],
    ['/restrictions/tags', 'invalid_tags', { tags: Array.from({ length: 21 }, (_, i) => `t${i}`) }],
  ])('reports %s as %s: %j', async (pointer, code, restrictions) => {
    const { status, body } = await create(restrictions)
    expect({ status, errors: body.errors }).toMatchObject({ status: 422, errors: [{ pointer, code }] })
    expect(body.errors).toHaveLength(1)
  })

  it('reports a not_before after the expiry', async () => {
    const { status, body } = await create({ not_before: '2999-01-01T00:00:00Z' }, service.token, {
      expires_in: '1h',
    })
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/restrictions/not_before', code: 'after_expiry' }] },
    })
  })
})

describe('allowed_ips', () => {
  it('rejects other addresses before anything is counted, and records the first of a minute', async () => {
    const { id, token } = (await create({ allowed_ips: ['198.51.100.0/24', '2001:db8::/32'] })).body
    for (let i = 0; i < 3; i++) {
      const { status, body, headers } = await from('203.0.113.9', token)
      expect({ status, body }).toMatchObject({
        status: 403,
        body: {
          code: 'restricted',
          restriction: 'allowed_ips',
          detail: 'This token cannot be used from the IP address 203.0.113.9.',
        },
      })
      expect(headers.get('ratelimit')).toBeNull()
    }
    expect(await unused(id)).toBe(true)
    expect(await refusals(id)).toMatchObject([
      {
        actor: { id },
        address: '203.0.113.9',
        details: { restriction: 'allowed_ips', method: 'GET', path: '/api/v1/auth/token/self' },
      },
    ])
    for (const address of ['198.51.100.7', '::ffff:198.51.100.7', '2001:db8::7']) {
      const allowed = await from(address, token)
      expect(allowed.status).toBe(200)
      expect(allowed.headers.get('ratelimit')).not.toBeNull()
    }
    expect((await from('203.0.113.9', token)).status).toBe(403)
    expect(await unused(id)).toBe(false)
    expect(await refusals(id)).toHaveLength(1)
  })

  it('trusts only what TRUST_PROXY allows', async () => {
    const direct = await startService({ db: service.db })
    try {
      const { token } = await service.mint(undefined, undefined, undefined, { allowed_ips: ['198.51.100.7'] })
      const headers = {
        'x-forwarded-for': '198.51.100.7',
        'x-real-ip': '198.51.100.7',
        forwarded: 'for=198.51.100.7',
      }
      expect((await direct.call('GET', '/v1/auth/token/self', { token, headers })).body.code).toBe(
        'restricted',
      )
      expect((await service.call('GET', '/v1/auth/token/self', { token, headers })).status).toBe(200)
    } finally {
      await direct.stop()
    }
  })

  it('applies to the dashboard: signing in, and each request of a session', async () => {
    const { id, token } = (await create({ allowed_ips: ['127.0.0.1'] })).body
    const signIn = (address: string) =>
      service.call('POST', '/dashboard/session', {
        token: null,
        body: { token },
        headers: { ...fromPage, 'x-forwarded-for': address },
      })
    expect(await signIn('203.0.113.9')).toMatchObject({ status: 403, body: { restriction: 'allowed_ips' } })
    const entries = await service.call('GET', `/v1/audit-log?action=session.refused&object_id=${id}`)
    expect(entries.body.data).toMatchObject([{ details: { reason: 'restricted' } }])
    const cookie = await signInAs(service, token)
    const read = (address: string) =>
      service.call('GET', '/dashboard/api/v1/auth/token/self', {
        token: null,
        headers: { cookie, 'x-forwarded-for': address },
      })
    expect((await read('127.0.0.1')).status).toBe(200)
    await service.app.get(SessionUse).beforeApplicationShutdown()
    const usedAt = async () => {
      await service.app.get(SessionUse).beforeApplicationShutdown()
      return await service.db.query('SELECT last_used_at FROM dashboard_sessions ORDER BY id DESC LIMIT 1')
    }
    const before = await usedAt()
    expect((await read('203.0.113.9')).body.restriction).toBe('allowed_ips')
    expect(await usedAt()).toEqual(before)
  })
})

describe('not_before', () => {
  it('rejects the token until then', async () => {
    const at = new Date(Date.now() + 4_000).toISOString()
    const { id, token } = (await create({ not_before: at })).body
    const early = await from('127.0.0.1', token)
    expect({ status: early.status, body: early.body }).toMatchObject({
      status: 403,
      body: {
        code: 'restricted',
        restriction: 'not_before',
        detail: `This token cannot be used before ${at}.`,
      },
    })
    expect(await unused(id)).toBe(true)
    await waitFor('the token to become valid', async () => (await from('127.0.0.1', token)).status === 200)
  })
})

describe('rate_limit', () => {
  keepFarFromTheHour()

  it('replaces RATE_LIMIT on all replicas, and keeps the limit of the workspace', async () => {
    const { token } = (await create({ rate_limit: '6/1h' })).body
    const replica = await startService({
      db: service.db,
      env: { RATE_LIMIT: '600/1m', WORKSPACE_RATE_LIMIT: '100000/1m' },
    })
    try {
      const statuses: number[] = []
      for (let i = 0; i < 7; i++) {
        const { status, headers } = await (i % 2 ? replica : service).call('GET', '/v1/auth/token/self', {
          token,
        })
        statuses.push(status)
        expect(headers.get('ratelimit-policy')).toBe('"default";q=6;w=3600, "workspace";q=100000;w=60')
        expect(headers.get('ratelimit')).toMatch(/^"default";r=\d+;t=\d+, "workspace";r=\d+;t=\d+$/)
      }
      expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429])
      const other = await service.call('GET', '/v1/auth/token/self')
      expect(other.headers.get('ratelimit-policy')).toBe('"default";q=600;w=60, "workspace";q=100000;w=60')
    } finally {
      await replica.stop()
    }
  })

  it('can exceed RATE_LIMIT, and applies when it is off', async () => {
    const off = await startService({ db: service.db, env: { RATE_LIMIT: 'off' } })
    try {
      const { token } = await service.mint(undefined, undefined, undefined, { rate_limit: '700/1m' })
      const response = await off.call('GET', '/v1/auth/token/self', { token })
      expect(response.headers.get('ratelimit-policy')).toBe('"default";q=700;w=60')
      expect((await off.call('GET', '/v1/auth/token/self')).headers.get('ratelimit-policy')).toBeNull()
    } finally {
      await off.stop()
    }
  })
})

describe('a child token', () => {
  const parent = {
    allowed_ips: ['127.0.0.0/8', '::1'],
    not_before: '2026-01-01T00:00:00.000Z',
    rate_limit: '100/1m',
    tags: ['a', 'b'],
  }
  let token: string
  beforeAll(async () => ({ token } = (await create(parent)).body))

  it('inherits the restrictions that are absent', async () => {
    const { restrictions } = await self(token)
    expect((await create(undefined, token)).body.restrictions).toEqual(restrictions)
    expect((await create({ tags: null }, token)).body.restrictions).toEqual(restrictions)
    expect((await create({ tags: ['b'] }, token)).body.restrictions).toEqual({ ...restrictions, tags: ['b'] })
  })

  it('can be more restricted', async () => {
    const narrower = {
      allowed_ips: ['127.0.0.1/32'],
      not_before: '2026-01-02T00:00:00.000Z',
      rate_limit: '50/1h',
      tags: ['a'],
    }
    expect((await create(narrower, token)).body.restrictions).toEqual(narrower)
  })

  it.each([
    [{ allowed_ips: ['127.0.0.1', '128.0.0.0/8'] }, { allowed_ips: ['128.0.0.0/8'] }],
    [{ not_before: '2025-12-31T00:00:00Z' }, { not_before: '2025-12-31T00:00:00.000Z' }],
    [{ rate_limit: '101/1m' }, { rate_limit: '101/1m' }],
    [{ rate_limit: '101/1h' }, { rate_limit: '101/1h' }],
    [{ rate_limit: '10/1s' }, { rate_limit: '10/1s' }],
    [{ tags: ['a', 'c'] }, { tags: ['c'] }],
  ])('cannot be less restricted: %j', async (wanted, excess) => {
    const { status, body } = await create(wanted, token)
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'scope_escalation', excess: { restrictions: excess } },
    })
  })

  it('cannot replace a token that is less restricted', async () => {
    const { token: limited } = (await create({ rate_limit: '10/1m' })).body
    const { id } = await service.mint('links:read')
    const { status, body } = await service.call('POST', `/v1/auth/token/${id}/rotate`, {
      token: limited,
      body: {},
    })
    expect({ status, body }).toMatchObject({
      status: 403,
      body: { code: 'scope_escalation', excess: { restrictions: { rate_limit: null } } },
    })
  })

  it('is also bounded when a session creates it', async () => {
    const cookie = await signInAs(service, token)
    const { status, body } = await service.call('POST', '/dashboard/api/v1/auth/token', {
      token: null,
      body: { name: 'child', restrictions: { tags: ['c'] } },
      headers: { cookie, ...fromPage },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'scope_escalation' })
  })
})
