import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink } from '../../support/factories/links.js'

let service: Service
let otherToken: string
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('elsewhere')
  otherToken = (await service.mint(undefined, 'elsewhere')).token
})
afterAll(() => service.stop())

const create = (body: unknown, headers: Record<string, string> = {}, token = service.token) =>
  service.call('POST', '/v1/links', { body, headers, token })
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('a link', () => {
  it('requires only a URL', async () => {
    const { status, headers, body } = await create({ url: 'https://example.com/a?b=c#d' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^lnk_[0-7][0-9a-z]{25}$/),
      slug: expect.stringMatching(/^[23456789a-km-zA-HJ-NP-Z]{7}$/),
      short_url: `http://localhost:0/${body.slug}`,
      url: 'https://example.com/a?b=c#d',
      title: null,
      note: null,
      tags: [],
      external_id: null,
      redirect_status: 302,
      forward_query: false,
      enabled: true,
      expires_at: null,
      clicks: { total: 0, human: 0 },
      last_clicked_at: null,
      created_at: timestamp,
      updated_at: body.created_at,
    })
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect(headers.get('location')).toMatch(new RegExp(`/api/v1/links/${body.id}$`))
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
  })

  it('has all given fields, and is returned unchanged later', async () => {
    const fields = {
      url: 'http://example.com:8080/%7Ea/../b?x=1&x=2',
      slug: 'Every_Field-1',
      title: 'Frühling \u{1F331} <b>',
      tags: ['sale', 'Sale', 'größe'],
      external_id: 'campaign 17/ä',
      redirect_status: 308,
      forward_query: true,
      enabled: false,
      expires_at: '2099-01-02T03:04:05.678+02:00',
    }
    const created = await create(fields)
    expect(created.status).toBe(201)
    expect(created.body).toMatchObject({ ...fields, expires_at: '2099-01-02T01:04:05.678Z' })
    const read = await service.call('GET', `/v1/links/${created.body.id}`)
    expect(read.status).toBe(200)
    expect(read.body).toEqual(created.body)
    expect(read.headers.get('etag')).toBe(created.headers.get('etag'))
  })

  it.each([301, 302, 307, 308])('can redirect with %i', async (redirect_status) => {
    expect(await makeLink(service, { redirect_status })).toMatchObject({ redirect_status })
  })

  it.each([
    ['1s', 1],
    ['5m', 300],
    ['3650d', 3650 * 86_400],
  ])('can expire in %s', async (expires_in, seconds) => {
    const { body } = await create({ url: 'https://example.com', expires_in })
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(seconds * 1000)
  })

  it.each([
    'a',
    '-',
    '_',
    '0',
    'A'.repeat(64),
    'API',
    'favicon',
    'hasOwnProperty',
    '__defineGetter__',
    'null',
  ])('can have the slug %s', async (slug) => {
    expect(await makeLink(service, { slug })).toMatchObject({ slug })
  })

  it('has a case-sensitive slug', async () => {
    for (const slug of ['case', 'Case', 'CASE'])
      expect(await makeLink(service, { slug })).toMatchObject({ slug })
  })

  it.each([
    ['title', '\u{1F331}'.repeat(300)],
    ['external_id', '\u{1F331}'.repeat(255)],
    ['tags', Array.from({ length: 20 }, (_, i) => `${i}`.padStart(2, '0') + '\u{1F331}'.repeat(48))],
    ['url', `https://example.com/${'a'.repeat(8192 - 20)}`],
    ['url', 'https://bücher.example/straße?q=ü#ü'],
    ['url', 'https://[2001:db8::1]:8443/'],
    ['title', null],
    ['tags', null],
    ['external_id', null],
    ['expires_at', null],
    ['expires_in', null],
  ])('accepts %s at its limits', async (field, value) => {
    const { status, body } = await create({ url: 'https://example.com', [field]: value })
    expect(status).toBe(201)
    if (value !== null) expect(body[field]).toEqual(value)
  })

  it('removes repeated tags', async () => {
    expect(await makeLink(service, { tags: ['b', 'a', 'b', 'a'] })).toMatchObject({ tags: ['b', 'a'] })
  })
})

describe('a conflict', () => {
  it('is returned for a slug that is taken in any workspace', async () => {
    await makeLink(service, { slug: 'taken' })
    for (const token of [service.token, otherToken]) {
      const { status, body } = await create({ url: 'https://example.com', slug: 'taken' }, {}, token)
      expect(status).toBe(409)
      expect(body).toMatchObject({ code: 'conflict', field: 'slug', errors: [{ pointer: '/slug' }] })
    }
  })

  it('names the link with the slug only in its own workspace', async () => {
    const { id } = await makeLink(service, { slug: 'held' })
    const refuse = async (token = service.token) =>
      (await create({ url: 'https://example.com', slug: 'held' }, {}, token)).body.detail
    const withoutLink = '/slug: The slug held is in use, or was used by a deleted link. Choose another slug.'
    expect(await refuse()).toContain(`belongs to your link ${id}.`)
    expect(await refuse(otherToken)).toBe(withoutLink)
    await service.call('DELETE', `/v1/links/${id}`)
    expect(await refuse()).toBe(withoutLink)
  })

  it('is returned for an external_id that is taken in the workspace', async () => {
    await makeLink(service, { external_id: 'one' })
    const { status, body } = await create({
      url: 'https://example.com',
      external_id: 'one',
      slug: 'refused-slug',
    })
    expect(status).toBe(409)
    expect(body).toMatchObject({ code: 'conflict', field: 'external_id' })
    expect(await makeLink(service, { external_id: 'one' }, otherToken)).toMatchObject({ external_id: 'one' })
    // The slug of the refused request is free.
    await makeLink(service, { slug: 'refused-slug' })
  })

  it('is returned to all but one of 300 concurrent requests for a slug', async () => {
    const responses = await Promise.all(
      Array.from({ length: 300 }, (_, i) => create({ url: `https://example.com/${i}`, slug: 'wanted' })),
    )
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(299)
    const winner = responses.find(({ status }) => status === 201)!
    const rows = await service.db.query(`SELECT url FROM links WHERE slug = 'wanted'`)
    expect(rows).toEqual([{ url: winner.body.url }])
  }, 60_000)

  it('is returned to all but one of 100 concurrent requests for an external_id', async () => {
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => create({ url: 'https://example.com', external_id: 'raced' })),
    )
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([201, ...Array<number>(99).fill(409)])
    expect(responses.filter(({ body }) => body.field === 'external_id')).toHaveLength(99)
  })
})

describe('an Idempotency-Key', () => {
  it('creates one link in two requests', async () => {
    const body = { url: 'https://example.com/once' }
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = [await create(body, headers), await create(body, headers)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    const other = await create({ url: 'https://example.com/other' }, headers)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
    expect(await service.db.query(`SELECT id FROM links WHERE url LIKE '%.com/once'`)).toHaveLength(1)
  })

  it('creates one link in 50 concurrent requests', async () => {
    const body = { url: 'https://example.com/fifty' }
    const responses = await Promise.all(
      Array.from({ length: 50 }, () => create(body, { 'idempotency-key': 'fifty' })),
    )
    expect(responses.filter(({ status }) => status !== 201 && status !== 409)).toEqual([])
    const ids = new Set(
      responses.filter(({ status }) => status === 201).map(({ body: link }) => link.id as string),
    )
    expect(ids.size).toBe(1)
    expect(await service.db.query(`SELECT id FROM links WHERE url LIKE '%.com/fifty'`)).toHaveLength(1)
  })
})
