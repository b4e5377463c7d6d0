import { decodeId } from '../../../src/platform/database/ids.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const rotate = (id: string, body: unknown = {}, token = service.token) =>
  service.call('POST', `/v1/auth/token/${id}/rotate`, { body, token })
const self = (token: string) => service.call('GET', '/v1/auth/token/self', { token })
const getExpiry = async (id: string) => {
  const { expires_at } = (await service.call('GET', `/v1/auth/token/${id}`)).body
  return expires_at === null ? null : Date.parse(expires_at)
}

describe('rotating a token', () => {
  it('returns 201 and a new token with the same name and scopes and the ID of the old one', async () => {
    const old = await service.mint('links:read,clicks:read')
    const { status, headers, body } = await rotate(old.id)
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/auth/token/${body.id}`)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toMatchObject({
      name: 'a test token',
      scopes: ['links:read', 'clicks:read'],
      status: 'active',
      expires_at: null,
      created_by: service.tokenId,
      rotated_from: old.id,
    })
    expect(body.id).not.toBe(old.id)
    expect(body.token).not.toBe(old.token)
    expect((await self(body.token)).status).toBe(200)
  })

  it('defaults to an overlap of 24 hours without a body', async () => {
    const old = await service.mint('links:read')
    const before = Date.now()
    const { status } = await service.call('POST', `/v1/auth/token/${old.id}/rotate`)
    expect(status).toBe(201)
    const end = (await getExpiry(old.id))!
    expect(end).toBeGreaterThanOrEqual(before + 86_400_000)
    expect(end).toBeLessThanOrEqual(Date.now() + 86_400_000)
    expect((await self(old.token)).status).toBe(200)
  })

  it('keeps the old token valid until the overlap ends', async () => {
    const old = await service.mint('links:read')
    expect((await self(old.token)).status).toBe(200)
    const { body } = await rotate(old.id, { overlap: '4s' })
    expect((await self(old.token)).status).toBe(200)
    const refused = await waitFor('the overlap to end', async () => {
      const response = await self(old.token)
      return response.status === 401 ? response : null
    })
    expect(refused.body.code).toBe('token_expired')
    expect((await self(body.token)).status).toBe(200)
  })

  it('does not extend the expiry of the old token, which also applies to the new one', async () => {
    const old = await service.mint('links:read', undefined, '1h')
    const end = await getExpiry(old.id)
    const { body } = await rotate(old.id, { overlap: '2h' })
    expect(await getExpiry(old.id)).toBe(end)
    expect(Date.parse(body.expires_at)).toBe(end)
  })

  it('can be done with the token itself', async () => {
    const own = await service.mint('tokens:write,links:read')
    const { status, body } = await rotate(own.id, { overlap: '1s' }, own.token)
    expect(status).toBe(201)
    expect(body).toMatchObject({ created_by: own.id, rotated_from: own.id })
  })

  it('returns 404 for a revoked or expired token', async () => {
    const revoked = await service.mint('links:read')
    await service.call('DELETE', `/v1/auth/token/${revoked.id}`)
    expect((await rotate(revoked.id)).status).toBe(404)
    const expired = await service.mint('links:read')
    await service.db.query(`UPDATE tokens SET expires_at = now() - interval '1 s' WHERE id = $1`, [
      decodeId('tok', expired.id),
    ])
    expect((await rotate(expired.id)).status).toBe(404)
  })

  it.each(['0s', '31d', '24', 24, null, '', '1.5h', {}, ['24h']])(
    'rejects an overlap of %j',
    async (overlap) => {
      const old = await service.mint('links:read')
      const { status, body } = await rotate(old.id, { overlap })
      expect(status).toBe(422)
      expect(body.errors[0]).toMatchObject({ pointer: '/overlap', code: 'invalid_duration' })
      expect(await getExpiry(old.id)).toBeNull()
    },
  )
})

describe('rotating a token with more rights', () => {
  it('is rejected for more scopes', async () => {
    const narrow = await service.mint('tokens:write,links:read')
    const { status, body } = await rotate(service.tokenId, {}, narrow.token)
    expect(status).toBe(403)
    expect(body.code).toBe('scope_escalation')
    expect(body.excess.scopes).toContain('audit:read')
    expect(await getExpiry(service.tokenId)).toBeNull()
  })

  it('is rejected for a later expiry', async () => {
    const brief = await service.mint(undefined, undefined, '1h')
    const { status, body } = await rotate(service.tokenId, {}, brief.token)
    expect(status).toBe(403)
    expect(body).toMatchObject({ code: 'scope_escalation', excess: { expires_at: null } })
    expect(await getExpiry(service.tokenId)).toBeNull()
  })
})

describe('concurrent rotations', () => {
  it('of one token all succeed, and every new token works', async () => {
    const old = await service.mint('links:read')
    const responses = await Promise.all(Array.from({ length: 8 }, () => rotate(old.id, { overlap: '1h' })))
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(201))
    for (const { body } of responses) expect((await self(body.token)).status).toBe(200)
  })

  it('of two tokens by each other do not deadlock', async () => {
    for (let round = 0; round < 10; round++) {
      const [a, b] = [await service.mint(), await service.mint()]
      const responses = await Promise.all([rotate(a.id, {}, b.token), rotate(b.id, {}, a.token)])
      // The later rotation may be refused, because its token now expires before the new one would.
      for (const { status } of responses) expect([201, 403]).toContain(status)
      expect(responses.map(({ status }) => status)).toContain(201)
    }
  })
})
