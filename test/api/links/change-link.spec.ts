import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink, visit, withoutInstance } from '../../support/factories/links.js'

let service: Service
let otherToken: string
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('elsewhere')
  otherToken = (await service.mint(undefined, 'elsewhere')).token
})
afterAll(() => service.stop())

const get = (id: string) => service.call('GET', `/v1/links/${id}`)
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('PATCH', `/v1/links/${id}`, { body, headers })
const remove = (id: string, headers: Record<string, string> = {}) =>
  service.call('DELETE', `/v1/links/${id}`, { headers })

const allFields = {
  title: 'Title',
  tags: ['a', 'b'],
  external_id: 'mine',
  redirect_status: 301,
  forward_query: true,
  enabled: false,
  expires_at: '2099-01-01T00:00:00.000Z',
}

describe('a change', () => {
  it.each([
    ['url', 'https://elsewhere.example/new'],
    ['title', 'New'],
    ['tags', ['c']],
    ['external_id', 'new'],
    ['redirect_status', 307],
    ['forward_query', false],
    ['enabled', true],
    ['expires_at', '2098-01-01T00:00:00.000Z'],
  ])('of %s keeps the other fields', async (field, value) => {
    const created = await makeLink(service, { ...allFields, external_id: `change ${field}` })
    const changed = await patch(created.id, { [field]: value })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...created, [field]: value, updated_at: changed.body.updated_at })
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(created.updated_at))
    expect((await get(created.id)).body).toEqual(changed.body)
  })

  it.each([
    ['title', null],
    ['tags', []],
    ['external_id', null],
    ['expires_at', null],
  ])('to null clears %s', async (field, cleared) => {
    const created = await makeLink(service, { ...allFields, external_id: `clear ${field}` })
    const { status, body } = await patch(created.id, { [field]: null })
    expect(status).toBe(200)
    expect(body).toEqual({ ...created, [field]: cleared, updated_at: body.updated_at })
  })

  it('of expires_in counts from the time of the change, and null clears the expiry', async () => {
    const { id } = await makeLink(service)
    const before = Date.now()
    const { body } = await patch(id, { expires_in: '1h' })
    expect(Date.parse(body.expires_at)).toBeGreaterThanOrEqual(before + 3_600_000)
    expect(Date.parse(body.expires_at)).toBeLessThanOrEqual(Date.now() + 3_600_000)
    expect((await patch(id, { expires_in: null })).body.expires_at).toBeNull()
  })

  it('may have the content type of a merge patch', async () => {
    const { id } = await makeLink(service)
    const headers = { 'content-type': 'application/merge-patch+json' }
    expect((await patch(id, { title: 'Merged' }, headers)).body).toMatchObject({ title: 'Merged' })
  })

  it('without effect keeps updated_at and the ETag', async () => {
    const link = await makeLink(service, { ...allFields, external_id: 'same' })
    const { etag } = Object.fromEntries((await get(link.id)).headers)
    for (const body of [{}, { ...allFields, external_id: 'same' }, { tags: ['a', 'b', 'a'] }]) {
      const response = await patch(link.id, body)
      expect(response.status).toBe(200)
      expect(response.body).toEqual(link)
      expect(response.headers.get('etag')).toBe(etag)
    }
  })

  it('always has a new version, even in quick succession', async () => {
    const { id, updated_at } = await makeLink(service)
    const seen = [updated_at]
    for (let i = 0; i < 20; i++) seen.push((await patch(id, { title: `Title ${i}` })).body.updated_at)
    expect(new Set(seen).size).toBe(21)
    expect(seen).toEqual([...seen].sort())
  })

  it('of the slug is rejected', async () => {
    const link = await makeLink(service)
    const { status, body } = await patch(link.id, { slug: 'other', title: 'not kept' })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ pointer: '/slug', code: 'unknown_field' }])
    expect(body.detail).toMatch(/^\/slug: slug cannot be changed/)
    expect((await get(link.id)).body).toEqual(link)
  })

  it('to a taken external_id returns 409 with the field', async () => {
    await makeLink(service, { external_id: 'taken' })
    const link = await makeLink(service, { external_id: 'own' })
    const { status, body } = await patch(link.id, { external_id: 'taken', title: 'New' })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'conflict', field: 'external_id' })
    expect((await get(link.id)).body).toEqual(link)
  })

  it('is not lost among 32 concurrent changes of different fields', async () => {
    const { id } = await makeLink(service)
    const bodies = [{ title: 'T' }, { tags: ['t'] }, { redirect_status: 308 }, { forward_query: true }]
    const responses = await Promise.all(Array.from({ length: 32 }, (_, i) => patch(id, bodies[i % 4])))
    expect(responses.map(({ status }) => status)).toEqual(Array(32).fill(200))
    expect((await get(id)).body).toMatchObject(Object.assign({}, ...bodies) as object)
  })
})

describe('If-Match', () => {
  it('accepts the current ETag and rejects a stale one', async () => {
    const { id } = await makeLink(service)
    const stale = (await get(id)).headers.get('etag')!
    const changed = await patch(id, { title: 'First' }, { 'if-match': stale })
    expect(changed.status).toBe(200)
    const current = changed.headers.get('etag')!
    expect(current).not.toBe(stale)
    for (const response of [
      await patch(id, { title: 'Second' }, { 'if-match': stale }),
      await patch(id, { title: 'Second' }, { 'if-match': `W/${current}` }),
      await patch(id, { title: 'Second' }, { 'if-match': 'nonsense' }),
      await remove(id, { 'if-match': stale }),
    ]) {
      expect(response.status).toBe(412)
      expect(response.body).toMatchObject({
        code: 'precondition_failed',
        detail: expect.stringContaining('Read it again'),
      })
    }
    expect((await get(id)).body).toEqual(changed.body)
    expect((await patch(id, {}, { 'if-match': `"x", ${current}` })).status).toBe(200)
    expect((await patch(id, {}, { 'if-match': '*' })).status).toBe(200)
    expect((await remove(id, { 'if-match': current })).status).toBe(204)
  })

  it('accepts one of 20 changes to the same version', async () => {
    const { id } = await makeLink(service)
    const ifMatch = { 'if-match': (await get(id)).headers.get('etag')! }
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(id, { title: `${i}` }, ifMatch)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(412)])
  })
})

describe('a deleted link', () => {
  it('returns 404, and its slug can never be used again', async () => {
    const { id, slug } = await makeLink(service, { external_id: 'again' })
    expect((await visit(service, slug)).status).toBe(302)
    const deleted = await remove(id)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await visit(service, slug)).status).toBe(410)
    const unknown = withoutInstance(await get('lnk_01kaj3v9z4f8hva3x7m2c5d6ne'))
    for (const response of [await get(id), await patch(id, { title: 'x' }), await remove(id)])
      expect(withoutInstance(response)).toEqual(unknown)
    expect((await service.call('GET', '/v1/links?external_id=again')).body.data).toEqual([])
    for (const token of [service.token, otherToken]) {
      const { status, body } = await service.call('POST', '/v1/links', {
        token,
        body: { url: 'https://example.com', slug },
      })
      expect([status, body.field]).toEqual([409, 'slug'])
    }
    expect((await visit(service, slug)).status).toBe(410)
    // The external ID can be used again.
    await makeLink(service, { external_id: 'again' })
  })

  it('is deleted once by concurrent requests', async () => {
    const { id } = await makeLink(service)
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)])
  })
})

describe('a link of another workspace', () => {
  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['GET', '/clicks'],
  ])('returns the same 404 as an unknown link: %s%s', async (method, suffix) => {
    const link = await makeLink(service)
    const request = (id: string) =>
      service.call(method, `/v1/links/${id}${suffix}`, {
        token: otherToken,
        ...(method === 'PATCH' ? { body: { title: 'changed' } } : {}),
      })
    const response = await request(link.id)
    expect(response.status).toBe(404)
    const notFound = await request('lnk_01kaj3v9z4f8hva3x7m2c5d6ne')
    expect(withoutInstance(response)).toEqual(withoutInstance(notFound))
    expect(response.text.length).toBe(notFound.text.length)
    expect((await get(link.id)).body).toEqual(link)
  })

  it('is not listed', async () => {
    const own = await makeLink(service, {}, otherToken)
    const { body } = await service.call('GET', '/v1/links?limit=100', { token: otherToken })
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([own.id])
  })
})

describe('the required scope', () => {
  it.each([
    ['POST', '/v1/links', 'links:write'],
    ['PATCH', '/v1/links/ID', 'links:write'],
    ['DELETE', '/v1/links/ID', 'links:write'],
    ['GET', '/v1/links', 'links:read'],
    ['GET', '/v1/links/ID', 'links:read'],
    ['GET', '/v1/links/ID/clicks', 'clicks:read'],
    ['GET', '/v1/clicks', 'clicks:read'],
  ])('of %s %s is only %s', async (method, path, scope) => {
    const all = ['links:read', 'links:write', 'clicks:read', 'tokens:read', 'tokens:write', 'audit:read']
    const { id } = await makeLink(service)
    const request = (token: string | null) =>
      service.call(method, path.replace('ID', id), {
        token,
        ...(method === 'POST' || method === 'PATCH' ? { body: { url: 'https://example.com/x' } } : {}),
      })
    const { token: without } = await service.mint(all.filter((each) => each !== scope).join())
    const refused = await request(without)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'insufficient_scope', required: [scope] })
    expect(refused.headers.get('www-authenticate')).toContain(`scope="${scope}"`)
    expect((await request(null)).status).toBe(401)
    const { token: only } = await service.mint(scope)
    expect((await request(only)).status).toBeLessThan(300)
  })
})
