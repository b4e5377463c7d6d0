import { noTimes } from '../../support/bad-input.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const list = (query = '', token = service.token) => service.call('GET', `/v1/audit-log${query}`, { token })
const actionsOn = async (id: string) =>
  (await list(`?object_id=${id}&limit=100`)).body.data.map(({ action }: { action: string }) => action)
const getEntryIds = ({ body }: ServiceResponse): string[] => body.data.map(({ id }: { id: string }) => id)

describe('an audit entry', () => {
  it('contains the actor, action, object, time, IP address and request', async () => {
    const before = Date.now()
    const created = await service.call('POST', '/v1/auth/token', {
      body: { name: 'ci', scopes: ['links:read'] },
      headers: { 'x-request-id': 'create-token' },
    })
    const { body } = await list(`?object_id=${created.body.id}`)
    expect(body.data).toEqual([
      {
        id: expect.stringMatching(/^aud_[0-9a-hjkmnp-tv-z]{26}$/),
        action: 'token.created',
        actor: { type: 'token', id: service.tokenId, name: 'a test token' },
        object: { type: 'token', id: created.body.id, name: 'ci' },
        address: '127.0.0.1',
        request_id: 'create-token',
        details: { name: 'ci', scopes: ['links:read'] },
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    ])
    expect(Date.parse(body.data[0].occurred_at)).toBeGreaterThanOrEqual(before)
    expect(Date.parse(body.data[0].occurred_at)).toBeLessThanOrEqual(Date.now())
  })

  it('names the command line as the actor of a command', async () => {
    const { id } = await service.mint()
    expect((await list(`?object_id=${id}`)).body.data[0]).toMatchObject({
      action: 'token.created',
      actor: { type: 'command_line', id: null, name: null },
      address: null,
      request_id: null,
    })
  })

  it('is written for a token that tries to grant more than it has', async () => {
    const { id, token } = await service.mint('tokens:write', undefined, '1h')
    const post = (path: string, body: object) => service.call('POST', path, { token, body })
    expect((await post('/v1/auth/token', { name: 'a', scopes: ['audit:read'] })).status).toBe(403)
    expect((await post('/v1/auth/token', { name: 'a', expires_in: '2h' })).status).toBe(403)
    expect((await post(`/v1/auth/token/${service.tokenId}/rotate`, {})).status).toBe(403)
    const { data } = (await list(`?object_id=${id}&action=token.refused`)).body
    expect(data.map(({ details }: { details: unknown }) => details)).toEqual([
      { excess: 'scopes', method: 'POST', path: '/api/v1/auth/token/:id/rotate' },
      { excess: 'expires_at', method: 'POST', path: '/api/v1/auth/token' },
      { excess: 'scopes', method: 'POST', path: '/api/v1/auth/token' },
    ])
  })

  it('is written for rotations, revocations and refusals for scope', async () => {
    const { id, token } = await service.mint('tokens:write')
    const child = (await service.call('POST', '/v1/auth/token', { token, body: { name: 'a' } })).body
    const successor = (await service.call('POST', `/v1/auth/token/${id}/rotate`, { body: {} })).body
    await list('', token)
    await service.call('DELETE', `/v1/auth/token/${id}?descendants=true`)

    expect(await actionsOn(id)).toEqual(['token.revoked', 'token.refused', 'token.rotated', 'token.created'])
    expect(await actionsOn(child.id)).toEqual(['token.revoked', 'token.created'])
    const entries = (await list(`?object_id=${id}`)).body.data
    expect(entries[1]).toMatchObject({
      actor: { type: 'token', id },
      details: { required: 'audit:read', method: 'GET', path: '/api/v1/audit-log' },
    })
    expect(entries[2].details).toEqual({ successor: successor.id })
  })

  it('is written for a revocation by value, with the token itself as the actor', async () => {
    const { id, token } = await service.mint()
    await service.call('POST', '/v1/auth/revoke', { token: null, body: { token } })
    expect((await list(`?object_id=${id}&action=token.revoked`)).body.data).toEqual([
      expect.objectContaining({
        actor: { type: 'token', id, name: 'a test token' },
        address: '127.0.0.1',
      }),
    ])
  })

  it('is not written for failed calls', async () => {
    const before = getEntryIds(await list('?limit=100'))
    await service.call('POST', '/v1/auth/token', { body: { name: '' } })
    await service.call('DELETE', '/v1/auth/token/tok_01kaj3v9z4f8hva3x7m2c5d6ne')
    await service.call('GET', '/v1/auth/token/self', { token: 'nonsense' })
    expect(getEntryIds(await list('?limit=100'))).toEqual(before)
  })
})

describe('the audit log', () => {
  it('contains no token values', async () => {
    const created = (await service.call('POST', '/v1/auth/token', { body: { name: 'a' } })).body
    const rotated = (await service.call('POST', `/v1/auth/token/${created.id}/rotate`, { body: {} })).body
    await service.call('GET', `/v1/auth/token/${created.token}`, {
      token: (await service.mint('links:read')).token,
    })
    await service.call('POST', '/v1/auth/revoke', { token: null, body: { token: rotated.token } })
    const rows = await service.db.query<{ text: string }>('SELECT a::text AS text FROM audit_log a')
    const everything = rows.map(({ text }) => text).join() + (await list('?limit=100')).text
    for (const { token } of [created, rotated]) expect(everything).not.toContain(token.slice(9))
  })

  it('shows only entries of the workspace, whatever the filter', async () => {
    await service.addWorkspace('other')
    const stranger = await service.mint(undefined, 'other')
    const own = await service.mint()
    const seen = await list('?limit=100', stranger.token)
    expect(seen.body.data.map(({ object }: any) => object.id)).toEqual([stranger.id])
    for (const query of [`?object_id=${own.id}`, `?token_id=${service.tokenId}`])
      expect((await list(query, stranger.token)).body).toEqual({
        data: [],
        has_more: false,
        next_cursor: null,
      })
  })

  it('needs the scope audit:read', async () => {
    const { token } = await service.mint('tokens:read,tokens:write')
    expect((await list('', token)).status).toBe(403)
  })

  it('lists entries newest first, and pages without gaps while entries are added', async () => {
    const all = getEntryIds(await list('?limit=100'))
    expect(all).toEqual([...all].sort().reverse())
    const seen: string[] = []
    let query = '?limit=3'
    for (;;) {
      const page = await list(query)
      seen.push(...getEntryIds(page))
      await service.mint()
      if (!page.body.has_more) break
      expect(page.headers.get('link')).toMatch(/rel="next"$/)
      query = `?limit=3&cursor=${page.body.next_cursor}`
    }
    expect(seen).toEqual(all)
  })
})

describe('the filters of the audit log', () => {
  it('by action, token and object can be combined', async () => {
    const { id, token } = await service.mint()
    const child = (await service.call('POST', '/v1/auth/token', { token, body: { name: 'a' } })).body
    await service.call('DELETE', `/v1/auth/token/${child.id}`, { token })
    const byToken = (await list(`?token_id=${id}`)).body.data
    expect(byToken.map(({ action }: any) => action)).toEqual(['token.revoked', 'token.created'])
    const both = (await list(`?token_id=${id}&action=token.created&object_id=${child.id}`)).body.data
    expect(both).toHaveLength(1)
    for (const { action } of (await list('?action=token.revoked&limit=100')).body.data)
      expect(action).toBe('token.revoked')
  })

  it('by time exclude the bounds', async () => {
    await service.mint()
    const newest = (await list('?limit=1')).body.data[0]
    const at = newest.occurred_at
    const before = new Date(Date.parse(at) - 1).toISOString()
    const after = new Date(Date.parse(at) + 1).toISOString()
    expect(getEntryIds(await list(`?created_after=${at}`))).not.toContain(newest.id)
    expect(getEntryIds(await list(`?created_before=${at}`))).not.toContain(newest.id)
    expect(getEntryIds(await list(`?created_after=${before}&created_before=${after}`))).toContain(newest.id)
  })

  it('accept times of any age in any time zone', async () => {
    for (const time of [
      '0000-01-01T00:00:00Z',
      '0001-01-01T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00%2B14:00',
      '2026-01-31T12:00:00.123456789%2B01:00',
      '2026-01-31t12:00:00z',
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:59:59.999%2B14:00',
    ])
      for (const name of ['created_after', 'created_before']) {
        const response = await list(`?${name}=${time}`)
        expect({ time, name, status: response.status }).toEqual({ time, name, status: 200 })
      }
    expect((await list('?created_after=1969-01-01T00:00:00Z')).body.data.length).toBeGreaterThan(0)
    expect((await list('?created_before=1969-01-01T00:00:00Z')).body.data).toEqual([])
    expect((await list('?created_after=9999-12-31T23:59:59Z')).body.data).toEqual([])
  })

  it.each([
    ['action', 'token.eaten'],
    ['action', ''],
    ['action', '__proto__'],
    ['token_id', ''],
    ['token_id', '%00'],
    ['token_id', 'a'.repeat(101)],
    ['object_id', ''],
    ['created_after', 'yesterday'],
    ['created_after', '2026-01-31'],
    ['created_after', '1769860800'],
    ['created_before', '2026-02-30T25:00:00Z'],
    ...noTimes.map((time) => ['created_after', encodeURIComponent(time)]),
    ['created_before', '2026-01-31T12:00:00'],
    ['created_before', '%2B275760-09-13T00:00:00Z'],
    ['created_before', ''],
  ])('reject %s=%s', async (parameter, value) => {
    const { status, body } = await list(`?${parameter}=${value}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_query', errors: [{ parameter }] })
  })

  it.each(['token_id', 'object_id'])('return no entries for an unknown %s', async (parameter) => {
    for (const value of ['x', "'", 'tok_01kaj3v9z4f8hva3x7m2c5d6ne', 'wsp_01kaj3v9z4f8hva3x7m2c5d6ne'])
      expect((await list(`?${parameter}=${value}`)).body.data).toEqual([])
  })

  it('must be repeated with a cursor', async () => {
    const { next_cursor } = (await list('?limit=1&action=token.created')).body
    expect((await list(`?limit=1&action=token.created&cursor=${next_cursor}`)).status).toBe(200)
    for (const query of ['', '&action=token.revoked', `&action=token.created&token_id=${service.tokenId}`])
      expect((await list(`?limit=1&cursor=${next_cursor}${query}`)).status).toBe(400)
  })
})

describe('the names in an audit entry', () => {
  it('include those of deleted links and webhooks and of revoked tokens', async () => {
    const { body: link } = await service.call('POST', '/v1/links', { body: { url: 'https://example.com' } })
    const webhook = async (fields: object) =>
      (
        await service.call('POST', '/v1/webhooks', {
          body: { url: 'https://receiver.example/hook', events: ['click'], ...fields },
        })
      ).body
    const described = await webhook({ description: 'CRM' })
    const plain = await webhook({})
    await service.call('DELETE', `/v1/links/${link.id}`)
    await service.call('DELETE', `/v1/webhooks/${described.id}`)
    const listObjectNames = async (id: string) =>
      (await list(`?object_id=${id}`)).body.data.map(({ object }: any) => object.name)
    expect(await listObjectNames(link.id)).toEqual([link.slug, link.slug])
    expect(await listObjectNames(described.id)).toEqual(['CRM', 'CRM'])
    expect(await listObjectNames(plain.id)).toEqual(['receiver.example'])
  })
})

describe('the export of the audit log', () => {
  const splitLines = (text: string) => text.trimEnd().split('\r\n')

  it('contains all entries that match the filters, newest first, as CSV', async () => {
    const { id, token } = await service.mint('links:write')
    const links = Array.from({ length: 600 }, (_, i) => ({ url: `https://example.com/${i}` }))
    const { body } = await service.call('POST', '/v1/links/bulk', { token, body: { links } })
    expect(body.created).toBe(600)
    const { headers, text } = await service.call('GET', `/v1/audit-log/export?token_id=${id}`)
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"')
    const [head, ...rows] = splitLines(text)
    expect(head).toBe(
      'occurred_at,action,object_type,object_id,object_name,actor_type,actor_id,actor_name,address,request_id,details,id',
    )
    const newest = (await list(`?token_id=${id}&limit=1`)).body.data[0]
    expect(rows[0]).toContain(
      `${newest.occurred_at},link.created,link,${newest.object.id},${newest.object.name},token,${id},a test token,127.0.0.1,`,
    )
    const exported = rows.map((row) => row.slice(row.lastIndexOf(',') + 1))
    expect(new Set(exported).size).toBe(600)
    expect(exported).toEqual(exported.toSorted().reverse())
    const none = await service.call('GET', `/v1/audit-log/export?token_id=${id}&action=link.deleted`)
    expect(splitLines(none.text)).toEqual([head])
  })

  it('protects spreadsheets from formulas', async () => {
    const { body } = await service.call('POST', '/v1/auth/token', {
      body: { name: '=cmd|calc', scopes: ['links:read'] },
    })
    const { text } = await service.call('GET', `/v1/audit-log/export?object_id=${body.id}`)
    expect(text).toContain(`,${body.id},'=cmd|calc,`)
  })

  it('requires audit:read, and rejects unknown parameters', async () => {
    const { token } = await service.mint('tokens:read')
    expect((await service.call('GET', '/v1/audit-log/export', { token })).status).toBe(403)
    expect((await service.call('GET', '/v1/audit-log/export?limit=5')).status).toBe(400)
  })
})
