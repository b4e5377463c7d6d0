/** Links by external ID and by slug. */
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink, visit, withoutInstance } from '../../support/factories/links.js'

let service: Service
let foreignToken: string
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
  foreignToken = (await service.mint(undefined, 'other')).token
})
afterAll(() => service.stop())

const url = 'https://target.example/page'
const put = (id: string, body: object, token = service.token, headers: Record<string, string> = {}) =>
  service.call('PUT', `/v1/links/by-external-id/${encodeURIComponent(id)}`, { body, token, headers })

describe('PUT by external ID', () => {
  it('creates the link, replaces all fields, and does nothing for the same fields', async () => {
    const created = await put('orders/17 ü', {
      url,
      title: 'One',
      tags: ['a'],
      slug: 'put-one',
      expires_in: '1d',
    })
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe(`/api/v1/links/${created.body.id}`)
    expect(created.body).toMatchObject({ external_id: 'orders/17 ü', slug: 'put-one', tags: ['a'] })

    const changed = await put('orders/17 ü', { url: `${url}?2`, redirect_status: 308 })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('location')).toBeNull()
    expect(changed.headers.get('etag')).not.toBe(created.headers.get('etag'))
    expect(changed.body).toMatchObject({
      id: created.body.id,
      slug: 'put-one',
      url: `${url}?2`,
      title: null,
      tags: [],
      redirect_status: 308,
      expires_at: null,
      external_id: 'orders/17 ü',
    })
    const again = await put('orders/17 ü', { url: `${url}?2`, redirect_status: 308 })
    expect(again.body).toEqual(changed.body)
    expect((await visit(service, 'put-one')).status).toBe(308)
    const { body } = await service.call('GET', `/v1/events?link_id=${created.body.id}`)
    expect(body.data.map(({ type }: any) => type)).toEqual(['link.updated', 'link.created'])
  })

  it('changes only the version in If-Match', async () => {
    const created = await put('matched', { url })
    const etag = created.headers.get('etag')!
    await put('matched', { url, title: 'newer' })
    for (const tag of [etag, '"nonsense"'])
      expect(await put('matched', { url, title: 'lost' }, service.token, { 'if-match': tag })).toMatchObject({
        status: 412,
        body: { code: 'precondition_failed' },
      })
    const { body, headers } = await service.call('GET', `/v1/links/${created.body.id}`)
    expect(body.title).toBe('newer')
    const named = { 'if-match': `"other", ${headers.get('etag')!}` }
    expect((await put('matched', { url }, service.token, named)).status).toBe(200)
    expect((await put('matched', { url, title: 'any' }, service.token, { 'if-match': '*' })).status).toBe(200)
    expect((await put('missing', { url }, service.token, { 'if-match': '*' })).status).toBe(412)
    expect((await put('missing', { url })).status).toBe(201)
  })

  it('only creates the link with If-None-Match', async () => {
    const onlyNew = { 'if-none-match': '*' }
    const created = await put('only-new', { url }, service.token, onlyNew)
    expect(created.status).toBe(201)
    for (const tag of ['*', created.headers.get('etag')!])
      expect(
        await put('only-new', { url, title: 'lost' }, service.token, { 'if-none-match': tag }),
      ).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
    const { body } = await service.call('GET', `/v1/links/${created.body.id}`)
    expect(body.title).toBeNull()
    const other = { 'if-none-match': '"other"' }
    expect((await put('only-new', { url, title: 'changed' }, service.token, other)).status).toBe(200)
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => put('only-one', { url }, service.token, onlyNew)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 412, 412, 412, 412, 412, 412, 412])
  })

  it('rejects another slug for an existing link', async () => {
    await makeLink(service, { slug: 'put-other' })
    await put('own', { url, slug: 'put-own' })
    for (const [id, slug] of [
      ['own', 'put-other'],
      ['own', 'put-unused'],
      ['new', 'put-other'],
    ] as const)
      expect(await put(id, { url, slug })).toMatchObject({
        status: 409,
        body: { code: 'conflict', field: 'slug' },
      })
    expect((await put('own', { url, slug: 'put-own' })).status).toBe(200)
  })

  it('does not change the link of another workspace', async () => {
    const foreign = await put('shared', { url, title: 'Theirs' }, foreignToken)
    const own = await put('shared', { url, title: 'Ours' })
    expect([foreign.status, own.status]).toEqual([201, 201])
    const read = await service.call('GET', `/v1/links/${foreign.body.id}`, { token: foreignToken })
    expect(read.body.title).toBe('Theirs')
  })

  it('creates one link in concurrent calls', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => put('at-once', { url })))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
  })

  it('rejects invalid input', async () => {
    expect((await put(' ', { url })).body.errors).toMatchObject([{ parameter: 'external_id' }])
    expect((await put('x', { url, external_id: 'y' })).body.errors).toMatchObject([
      { pointer: '/external_id' },
    ])
    expect((await put('x', { url, external_id: 'x' })).status).toBe(201)
    expect((await put('x', {})).body.errors).toMatchObject([{ pointer: '/url', code: 'required' }])
  })
})

describe('GET by slug', () => {
  it('returns the link', async () => {
    const link = await makeLink(service, { slug: 'By-Slug_1' })
    const response = await service.call('GET', '/v1/links/by-slug/By-Slug_1')
    expect(response).toMatchObject({ status: 200, body: link })
    const byId = await service.call('GET', `/v1/links/${link.id}`)
    expect(response.headers.get('etag')).toBe(byId.headers.get('etag'))
  })

  it('returns the same 404 for foreign, deleted and unknown links', async () => {
    await makeLink(service, { slug: 'by-foreign' }, foreignToken)
    const deleted = await makeLink(service, { slug: 'by-deleted' })
    await service.call('DELETE', `/v1/links/${deleted.id}`)
    const responses = await Promise.all(
      ['by-foreign', 'by-deleted', 'by-nothing', 'a b', 'by-slug_1'].map((slug) =>
        service.call('GET', `/v1/links/by-slug/${encodeURIComponent(slug)}`),
      ),
    )
    expect(new Set(responses.map((response) => JSON.stringify(withoutInstance(response)))).size).toBe(1)
    expect(responses[0]!.status).toBe(404)
  })
})
