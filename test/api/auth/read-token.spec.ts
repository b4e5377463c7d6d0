import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { TokenUse } from '../../../src/auth/token-cache.js'
import { decodeId } from '../../../src/platform/database/ids.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const self = (token: string) => service.call('GET', '/v1/auth/token/self', { token })
const storedUse = async (id: string) => {
  const rows = await service.db.query<{ last_used_at: Date | null }>(
    'SELECT last_used_at FROM tokens WHERE id = $1',
    [decodeId('tok', id)],
  )
  return rows[0]!.last_used_at
}

describe('self', () => {
  it('shows the calling token, whatever its scopes', async () => {
    const { id, token } = await service.mint('clicks:read')
    const { status, body, headers } = await self(token)
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/)
    expect(Object.keys(body).sort()).toEqual(
      [
        'id',
        'name',
        'scopes',
        'prefix',
        'last4',
        'status',
        'created_at',
        'expires_at',
        'last_used_at',
        'created_by',
        'restrictions',
        'rotated_from',
      ].sort(),
    )
    expect(body).toMatchObject({
      id,
      scopes: ['clicks:read'],
      created_by: null,
      rotated_from: null,
      expires_at: null,
    })
  })

  it('needs no scope for HEAD', async () => {
    const { token } = await service.mint('clicks:read')
    const head = await service.call('HEAD', '/v1/auth/token/self', { token })
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
  })
})

describe('a token', () => {
  it('is returned by its ID, with the scope tokens:read', async () => {
    const { id } = await service.mint('links:read')
    expect((await service.call('GET', `/v1/auth/token/${id}`)).body).toMatchObject({ id, status: 'active' })
    const { token } = await service.mint('tokens:write')
    expect((await service.call('GET', `/v1/auth/token/${id}`, { token })).status).toBe(403)
  })

  it('of another workspace returns the same 404 as an unknown or malformed ID, byte for byte', async () => {
    const other = await service.mint(undefined, 'other')
    const unknown = 'tok_01kaj3v9z4f8hva3x7m2c5d6ne'
    const headers = { 'x-request-id': 'same' }
    for (const [method, suffix] of [
      ['GET', ''],
      ['DELETE', ''],
      ['DELETE', '?descendants=true'],
      ['POST', '/rotate'],
    ] as const) {
      const responses = await Promise.all(
        [other.id, unknown, 'not-an-id', other.id.toUpperCase()].map((id) =>
          service.call(method, `/v1/auth/token/${id}${suffix}`, { headers }),
        ),
      )
      for (const { status, text, headers: received } of responses) {
        expect(status).toBe(404)
        expect(text).toBe(responses[0]!.text)
        expect([...received].filter(([name]) => name !== 'date')).toEqual(
          [...responses[0]!.headers].filter(([name]) => name !== 'date'),
        )
      }
      expect(responses[0]!.body).toMatchObject({ code: 'not_found', instance: 'same' })
    }
    expect((await self(other.token)).status).toBe(200)
  })
})

describe('an expired token', () => {
  it('is rejected as expired, is not listed, and has the status expired', async () => {
    const { id, token } = await service.mint('links:read', undefined, '60s')
    expect((await self(token)).status).toBe(200)
    const uuid = decodeId('tok', id)!
    await service.db.query(`UPDATE tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [uuid])
    await service.db.query(`SELECT pg_notify('link_service_changes', $1)`, [`token:${uuid}`])

    const refused = await waitFor('the expiry to be seen', async () => {
      const response = await self(token)
      return response.status === 401 ? response : null
    })
    expect(refused.body.code).toBe('token_expired')
    const list = await service.call('GET', '/v1/auth/tokens?limit=100')
    expect(list.body.data.map((each: { id: string }) => each.id)).not.toContain(id)
    expect((await service.call('GET', `/v1/auth/token/${id}`)).body.status).toBe('expired')
  })

  it('is rejected at its expiry while it is cached', async () => {
    const { id, token } = await service.mint('links:read', undefined, '60s')
    const soon = new Date(Date.now() + 4_000)
    await service.db.query('UPDATE tokens SET expires_at = $2 WHERE id = $1', [decodeId('tok', id), soon])
    expect((await self(token)).status).toBe(200)
    const refused = await waitFor('the expiry', async () => {
      const response = await self(token)
      return response.status === 401 ? response : null
    })
    expect(Date.now()).toBeGreaterThanOrEqual(soon.getTime())
    expect(refused.body.code).toBe('token_expired')
  })
})

describe('last_used_at', () => {
  it('is null before the first use and shows each use immediately', async () => {
    const { id, token } = await service.mint('links:read')
    expect((await service.call('GET', `/v1/auth/token/${id}`)).body.last_used_at).toBeNull()

    const before = Date.now()
    const own = Date.parse((await self(token)).body.last_used_at)
    expect(own).toBeGreaterThanOrEqual(before)
    expect(own).toBeLessThanOrEqual(Date.now())
    const shown = (await service.call('GET', `/v1/auth/token/${id}`)).body.last_used_at
    expect(Date.parse(shown)).toBe(own)
    const list = (await service.call('GET', '/v1/auth/tokens')).body.data
    expect(list.find((each: { id: string }) => each.id === id).last_used_at).toBe(shown)
  })

  it('is not written during the request', async () => {
    // Earlier uses are written now, so that nothing is written for the next ten seconds.
    await service.app.get(TokenUse).beforeApplicationShutdown()
    const { id, token } = await service.mint('links:read')
    await self(token)
    expect(await storedUse(id)).toBeNull()
  })

  it('does not change the ETag', async () => {
    const { token } = await service.mint('links:read')
    const first = await self(token)
    const second = await waitFor('a later use', async () => {
      const response = await self(token)
      return response.body.last_used_at === first.body.last_used_at ? null : response
    })
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  it('is written at shutdown, and never moved back', async () => {
    const stopping = await startService({ db: service.db })
    const used = await stopping.mint('links:read')
    const later = await stopping.mint('links:read')
    const before = Date.now()
    await stopping.call('GET', '/v1/auth/token/self', { token: used.token })
    await stopping.call('GET', '/v1/auth/token/self', { token: later.token })
    const future = new Date('2100-01-01T00:00:00Z')
    await service.db.query('UPDATE tokens SET last_used_at = $2 WHERE id = $1', [
      decodeId('tok', later.id),
      future,
    ])

    await stopping.stop()

    expect((await storedUse(used.id))!.getTime()).toBeGreaterThanOrEqual(before)
    expect(await storedUse(later.id)).toEqual(future)
  })
})
