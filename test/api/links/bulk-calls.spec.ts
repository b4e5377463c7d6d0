/** Bulk calls for links. */
import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink, visit, withoutInstance } from '../../support/factories/links.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const url = 'https://target.example/page'
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', `/v1/links/bulk${path}`, { body, headers })
const pointers = ({ body }: ServiceResponse) =>
  body.errors.map((error: any) => `${error.pointer} ${error.code}`) as string[]
const statuses = ({ body }: ServiceResponse) => body.results.map((result: any) => result.status) as string[]
const counts = async () => {
  const [row] = await service.db.query(
    `SELECT (SELECT count(*) FROM links WHERE workspace_id = own.id)::int AS links,
       (SELECT count(*) FROM events WHERE workspace_id = own.id)::int AS events,
       (SELECT count(*) FROM audit_log WHERE workspace_id = own.id AND object_type = 'link')::int AS audited
     FROM workspaces own WHERE name = $1`,
    [service.workspaceFor('default')],
  )
  return row
}

it('quotes an invalid value literally in the error', async () => {
  const value = "$value$target$'"
  const { status, body } = await post('', { links: [{ url }], on_conflict: value.repeat(3) })
  expect(status).toBe(422)
  expect(body.errors[0].detail).toContain(JSON.stringify(value.repeat(3).slice(0, 40)))
  const huge = await post('', { links: [{ url }], on_conflict: value.repeat(50_000) })
  expect(huge.status).toBe(422)
  expect(huge.text.length).toBeLessThan(2_000)
})

describe('bulk creation', () => {
  it('returns a report and the links in order', async () => {
    const links = Array.from({ length: 1000 }, (_, i) => ({ url: `${url}?${i}`, title: `Link ${i}` }))
    const response = await post('', { links })
    expect(response.status).toBe(200)
    const { results, ...report } = response.body
    expect(report).toEqual({ created: 1000, updated: 0, deleted: 0, skipped: 0, failed: 0 })
    expect(results.map(({ index }: any) => index)).toEqual(links.map((_, i) => i))
    expect(results.map(({ link }: any) => link.title)).toEqual(links.map(({ title }) => title))
    expect(results[17]).toMatchObject({ status: 'created', error: null })
    const { body } = await service.call('GET', `/v1/links/${results[17].link.id}`)
    expect(body).toEqual(results[17].link)
  })

  it('creates links and events in the order of the request', async () => {
    const slugs = ['order-z', undefined, 'order-a', undefined, 'order-m']
    await post('', { links: slugs.map((slug, i) => ({ url, title: `Place ${i}`, slug })) })
    const titles = slugs.map((_, i) => `Place ${i}`)
    const list = await service.call('GET', `/v1/links?limit=${slugs.length}`)
    expect(list.body.data.map(({ title }: any) => title).reverse()).toEqual(titles)
    const events = await service.call('GET', `/v1/events?type=link.created&limit=${slugs.length}`)
    expect(events.body.data.map(({ data }: any) => data.link.title).reverse()).toEqual(titles)
  })

  it('creates all links or none, and names all errors', async () => {
    await makeLink(service, { slug: 'taken-one', external_id: 'taken-one' })
    const before = await counts()
    const response = await post('', {
      links: [
        { url },
        { url: 'ftp://target.example', titel: 'x', slug: 'a b' },
        { url, slug: 'taken-one', external_id: 'taken-one' },
        'no object',
        { url, slug: 'api' },
        { url, slug: 'in-here-twice' },
        { url, slug: 'in-here-twice' },
        { url, expires_at: '2031-01-01T00:00:00Z', expires_in: '1d' },
      ],
    })
    expect(response.status).toBe(422)
    expect(response.body.code).toBe('validation_failed')
    expect(pointers(response)).toEqual([
      '/links/1/titel unknown_field',
      '/links/1/slug invalid_slug',
      '/links/1/url invalid_url',
      '/links/2/slug taken',
      '/links/2/external_id taken',
      '/links/3 not_an_object',
      '/links/4/slug reserved',
      '/links/6/slug taken',
      '/links/7/expires_in mutually_exclusive',
    ])
    expect(await counts()).toEqual(before)
  })

  it('returns 409 when all errors are conflicts', async () => {
    const { id } = await makeLink(service, { slug: 'taken-two' })
    const response = await post('', { links: [{ url }, { url, slug: 'taken-two' }] })
    expect(response.body.errors[0].detail).toContain(`belongs to your link ${id}.`)
    expect(response).toMatchObject({ status: 409, body: { code: 'conflict', field: 'slug' } })
    expect(pointers(response)).toEqual(['/links/1/slug taken'])
  })

  it('creates each link separately with atomic=false', async () => {
    await makeLink(service, { slug: 'taken-three' })
    const response = await post('', {
      atomic: false,
      links: [{ url, slug: 'taken-three' }, { url, slug: 'free-three' }, { url: 'nothing' }],
    })
    expect(response.status).toBe(200)
    expect(statuses(response)).toEqual(['failed', 'created', 'failed'])
    expect(response.body).toMatchObject({ created: 1, failed: 2 })
    expect(response.body.results[0]).toMatchObject({
      link: null,
      error: { code: 'conflict', errors: [{ pointer: '/links/0/slug', code: 'taken' }] },
    })
    expect(response.body.results[2].error).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/links/2/url', code: 'invalid_url' }],
    })
    expect((await visit(service, 'free-three')).status).toBe(302)
  })

  it('skips or updates existing links', async () => {
    await makeLink(service, { slug: 'there-1', title: 'Before' })
    const links = [{ url: `${url}?new`, slug: 'there-1' }]
    expect(statuses(await post('', { on_conflict: 'skip', links }))).toEqual(['skipped'])
    const response = await post('', { on_conflict: 'update', links })
    expect(response.body.results[0]).toMatchObject({
      status: 'updated',
      link: { title: 'Before', url: `${url}?new` },
    })
  })

  it.each([
    [{ links: [] }, '/links invalid_list'],
    [{ links: 'x' }, '/links invalid_list'],
    [{}, '/links required'],
    [{ links: Array.from({ length: 1001 }, () => ({ url })) }, '/links invalid_list'],
    [{ links: [{ url }], on_conflict: 'replace' }, '/on_conflict invalid_conflict_mode'],
    [{ links: [{ url }], atomic: 'no' }, '/atomic invalid_flag'],
  ])('rejects %p', async (body, fault) => {
    const response = await post('', body)
    expect(response.status).toBe(422)
    expect(pointers(response)).toEqual([fault])
  })

  it('accepts up to 10 MiB', async () => {
    const padded = (bytes: number) => {
      const text = JSON.stringify({ links: [{ url }] })
      return text + ' '.repeat(bytes - text.length)
    }
    const mebibyte = 1024 * 1024
    const send = (path: string, raw: string) => service.call('POST', path, { raw })
    expect((await send('/v1/links/bulk', padded(10 * mebibyte))).status).toBe(200)
    expect((await send('/v1/links/bulk', padded(10 * mebibyte + 1))).status).toBe(413)
    expect((await send('/v1/links', padded(257 * 1024))).status).toBe(413)
  })

  it('runs once for a repeated Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'bulk-1' }
    const body = { links: [{ url }, { url }] }
    const first = await post('', body, headers)
    const before = await counts()
    const again = await post('', body, headers)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await counts()).toEqual(before)
    expect((await post('', { links: [{ url }] }, headers)).body.code).toBe('idempotency_mismatch')
  })

  it('requires links:write', async () => {
    const { token } = await service.mint('links:read')
    for (const path of ['', '/update', '/delete'])
      expect((await service.call('POST', `/v1/links/bulk${path}`, { token, body: {} })).status).toBe(403)
  })
})

describe('bulk updates', () => {
  it('patch fields, then remove and add tags, with events and new redirects', async () => {
    const links = [
      await makeLink(service, { tags: ['a', 'b'] }),
      await makeLink(service, { tags: ['b', 'c'], title: 'Same' }),
    ]
    for (const { slug } of links) expect((await visit(service, slug)).status).toBe(302)
    const response = await post('/update', {
      ids: links.map(({ id }) => id),
      patch: { title: 'Same', redirect_status: 307 },
      add_tags: ['d'],
      remove_tags: ['b'],
    })
    expect(response.body).toMatchObject({ updated: 2 })
    expect(response.body.results.map(({ link }: any) => link.tags)).toEqual([
      ['a', 'd'],
      ['c', 'd'],
    ])
    for (const { slug } of links) expect((await visit(service, slug)).status).toBe(307)
    const { body } = await service.call('GET', `/v1/events?link_id=${links[1]!.id}&type=link.updated`)
    expect(body.data).toMatchObject([{ data: { previous: { tags: ['b', 'c'], redirect_status: 302 } } }])
    expect(Object.keys(body.data[0].data.previous).sort()).toEqual(['redirect_status', 'tags'])
    const again = await post('/update', { ids: [links[0]!.id], add_tags: ['d'] })
    expect(again.body).toMatchObject({ updated: 0, skipped: 1 })
  })

  it('return not_found for foreign, unknown and deleted links', async () => {
    const { token } = await service.mint(undefined, 'other')
    const foreign = await makeLink(service, {}, token)
    const own = await makeLink(service)
    const deleted = await makeLink(service)
    await service.call('DELETE', `/v1/links/${deleted.id}`)
    const ids = [own.id, foreign.id, deleted.id, 'lnk_nothing', 17]
    for (const [path, more] of [
      ['/update', { patch: { title: 'x' } }],
      ['/delete', {}],
    ] as const) {
      const before = await counts()
      const response = await post(path, { ids, ...more })
      expect(response.status).toBe(422)
      expect(pointers(response)).toEqual([1, 2, 3, 4].map((i) => `/ids/${i} not_found`))
      expect(await counts()).toEqual(before)
      const each = await post(path, { ids, atomic: false, ...more })
      expect(each.body).toMatchObject({
        failed: 4,
        results: [{ error: null }, { error: { code: 'not_found' } }, {}, {}, {}],
      })
      const failures = each.body.results.slice(1).map((result: any) => withoutPointer(result))
      expect(new Set(failures).size).toBe(1)
    }
    expect((await service.call('GET', `/v1/links/${foreign.id}`, { token })).status).toBe(200)
  })

  it('reject one external ID for two links', async () => {
    const [a, b, holder] = [
      await makeLink(service),
      await makeLink(service),
      await makeLink(service, { external_id: 'held' }),
    ]
    const both = await post('/update', { ids: [a.id, b.id], patch: { external_id: 'for-both' } })
    expect(both.status).toBe(409)
    expect(pointers(both)).toEqual(['/ids/1/external_id taken'])
    const held = await post('/update', {
      ids: [a.id, holder.id],
      patch: { external_id: 'held' },
      atomic: false,
    })
    expect(statuses(held)).toEqual(['failed', 'skipped'])
  })

  it.each([
    [{ ids: ['x'] }, ['/patch required']],
    [{ ids: [], add_tags: ['x'] }, ['/ids invalid_list']],
    [
      { ids: ['x'], patch: { url: 'x', nothing: 1 } },
      ['/patch/nothing unknown_field', '/patch/url invalid_url'],
    ],
    [{ ids: ['x'], patch: { slug: 'new' } }, ['/patch/slug unknown_field']],
    [{ ids: ['x'], patch: [], add_tags: 'x' }, ['/patch not_an_object', '/add_tags invalid_tags']],
  ])('reject %p', async (body, faults) => {
    const response = await post('/update', body)
    expect(response.status).toBe(422)
    expect(pointers(response).sort()).toEqual([...faults].sort())
  })

  it('reject more tags than the limit', async () => {
    const tags = Array.from({ length: 20 }, (_, i) => `t${i}`)
    const { id } = await makeLink(service, { tags })
    const response = await post('/update', { ids: [id], add_tags: ['one more'] })
    expect(pointers(response)).toEqual(['/ids/0 too_many_tags'])
    expect((await post('/update', { ids: [id], add_tags: ['other'], remove_tags: ['t0'] })).status).toBe(200)
  })
})

describe('bulk deletion', () => {
  it('returns 410 for the slugs, with one event and one audit entry per link', async () => {
    const links = [await makeLink(service), await makeLink(service)]
    for (const { slug } of links) expect((await visit(service, slug)).status).toBe(302)
    const ids = links.map(({ id }) => id)
    const response = await post('/delete', { ids: [...ids, ids[0]] })
    expect(response.body).toMatchObject({ deleted: 2, skipped: 1, failed: 0 })
    for (const { slug, id } of links) {
      expect((await visit(service, slug)).status).toBe(410)
      const events = await service.call('GET', `/v1/events?link_id=${id}&type=link.deleted`)
      expect(events.body.data).toHaveLength(1)
      const audited = await service.call('GET', `/v1/audit-log?object_id=${id}&action=link.deleted`)
      expect(audited.body.data).toMatchObject([{ actor: { id: service.tokenId }, details: { slug } }])
    }
    const again = await post('', { links: links.map(({ slug }) => ({ url, slug })) })
    expect(again.status).toBe(409)
  })
})

const withoutPointer = ({ status, link, error }: any) =>
  JSON.stringify({
    status,
    link,
    error: { ...error, errors: error.errors.map(({ code, detail }: any) => [code, detail]) },
  })

it('returns the same error for a foreign and an unknown ID', async () => {
  const { token } = await service.mint(undefined, 'other')
  const foreign = await makeLink(service, {}, token)
  const responses = await Promise.all(
    [foreign.id, 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne'].map((id) => post('/delete', { ids: [id] })),
  )
  expect(withoutInstance(responses[0]!)).toEqual(withoutInstance(responses[1]!))
})
