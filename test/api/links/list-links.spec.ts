import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  for (const name of ['filtered', 'counted', 'busy', 'large']) await service.addWorkspace(name)
})
afterAll(() => service.stop())

const list = (token: string, query = ''): Promise<ServiceResponse> =>
  service.call('GET', `/v1/links${query && `?${query}`}`, { token })
const getSlugs = ({ body }: ServiceResponse): string[] => body.data.map(({ slug }: LinkResponse) => slug)

describe('a filter', () => {
  let token: string
  let links: LinkResponse[]
  beforeAll(async () => {
    ;({ token } = await service.mint(undefined, 'filtered'))
    links = []
    for (const fields of [
      { slug: 'alpha', url: 'https://one.example/Path', title: 'Grüße aus Köln', tags: ['x', 'y'] },
      { slug: 'beta', url: 'https://two.example/100%25_a', title: null, tags: ['y'], external_id: 'b 1' },
      { slug: 'gamma_1', url: 'https://three.example/\\back', title: '100% off', enabled: false },
    ]) {
      links.push(await makeLink(service, fields, token))
      // The links need different creation times.
      await waitFor('the next millisecond', () => Date.now() > Date.parse(links.at(-1)!.created_at) + 1)
    }
  })

  it.each([
    ['', ['gamma_1', 'beta', 'alpha']],
    ['q=alpha', ['alpha']],
    ['q=ALPHA', ['alpha']],
    ['q=three.example', ['gamma_1']],
    ['q=gr%C3%BC%C3%9Fe', ['alpha']],
    ['q=100%25', ['gamma_1', 'beta']],
    ['q=%25', ['gamma_1', 'beta']],
    ['q=_', ['gamma_1', 'beta']],
    ['q=%5C', ['gamma_1']],
    ['q=a%25a', []],
    ["q='", []],
    ['q=alpha%20beta', []],
    ['tag=y', ['beta', 'alpha']],
    ['tag=x', ['alpha']],
    ['tag=X', []],
    ['tag=%7By%7D', []],
    ['external_id=b%201', ['beta']],
    ['external_id=B%201', []],
    ['enabled=true', ['beta', 'alpha']],
    ['enabled=false', ['gamma_1']],
    ['tag=y&enabled=true&q=example&external_id=b%201', ['beta']],
    ['tag=x&enabled=false', []],
    ['sort=created_at', ['alpha', 'beta', 'gamma_1']],
    ['sort=-created_at', ['gamma_1', 'beta', 'alpha']],
    ['sort=created_at&tag=y', ['alpha', 'beta']],
    ['sort=-clicks&tag=y', ['beta', 'alpha']],
    ['created_after=2099-01-01T00:00:00Z', []],
    ['created_before=2001-01-01T00:00:00Z', []],
    ['created_before=1960-01-01T00:00:00Z', []],
    ['created_after=0000-01-01T00:00:00Z', ['gamma_1', 'beta', 'alpha']],
    ['created_before=9999-12-31T23:59:59.999Z', ['gamma_1', 'beta', 'alpha']],
  ])('of %s finds %j', async (query, slugs) => {
    const response = await list(token, query)
    expect(response.status).toBe(200)
    expect(getSlugs(response)).toEqual(slugs)
  })

  it('by time excludes the bounds', async () => {
    const { created_at: middle } = links[1]!
    expect(getSlugs(await list(token, `created_after=${middle}`))).toEqual(['gamma_1'])
    expect(getSlugs(await list(token, `created_before=${middle}`))).toEqual(['alpha'])
    expect(
      getSlugs(
        await list(token, `created_after=${links[0]!.created_at}&created_before=${links[2]!.created_at}`),
      ),
    ).toEqual(['beta'])
  })

  it('returns the same records as GET by ID', async () => {
    const { body } = await list(token)
    for (const record of body.data)
      expect(record).toEqual((await service.call('GET', `/v1/links/${record.id}`, { token })).body)
  })
})

describe('sort=-clicks', () => {
  it('lists the most clicked links first, then the newest, over all pages', async () => {
    const { token } = await service.mint(undefined, 'counted')
    const links: LinkResponse[] = []
    for (let i = 0; i < 9; i++) links.push(await makeLink(service, {}, token))
    const clicks = [0, 2, 1, 2, 0, 3, 1, 0, 2]
    for (const [i, count] of clicks.entries())
      for (let n = 0; n < count; n++) await visit(service, links[i]!.slug)
    await waitFor('the counts', async () => {
      const { body } = await list(token, 'limit=100')
      return body.data.reduce((sum: number, link: LinkResponse) => sum + link.clicks.total, 0) === 11
    })
    const expected = [5, 8, 3, 1, 6, 2, 7, 4, 0].map((i) => links[i]!.slug)
    expect(getSlugs(await list(token, 'sort=-clicks'))).toEqual(expected)
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const page = await list(token, `sort=-clicks&limit=2${cursor}`)
      seen.push(...getSlugs(page))
      if (!page.body.has_more) break
      cursor = `&cursor=${page.body.next_cursor}`
    }
    expect(seen).toEqual(expected)
  })
})

describe('sort=-clicks of many links', () => {
  it('finds links that have fewer clicks than 10,000 deleted or newer ones', async () => {
    const { token } = await service.mint(undefined, 'large')
    const oldest = await makeLink(service, {}, token)
    await waitFor('the next millisecond', () => Date.now() > Date.parse(oldest.created_at) + 1)
    const { created_at: between } = await makeLink(service, {}, token)
    await service.db.query(
      `WITH link AS (
         INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
         SELECT new_id(), workspace_id, 'large-' || n, url, tags, redirect_status, forward_query, enabled, created_at, updated_at
         FROM links CROSS JOIN generate_series(1, 10000) AS n WHERE slug = $1
         RETURNING id, workspace_id
       ) INSERT INTO link_counters (link_id, workspace_id, total, human) SELECT id, workspace_id, 1, 1 FROM link`,
      [oldest.slug],
    )
    expect(getSlugs(await list(token, `sort=-clicks&created_before=${between}`))).toEqual([oldest.slug])
    await service.db.query(`UPDATE links SET deleted_at = now() WHERE slug LIKE 'large-%'`)
    expect(getSlugs(await list(token, 'sort=-clicks'))).toContain(oldest.slug)
  })
})

describe('a page', () => {
  it.each(['created_at', '-created_at', '-clicks'])(
    'by %s neither repeats nor skips links while links are created',
    async (sort) => {
      const { token } = await service.mint(undefined, 'busy')
      const existing: string[] = []
      for (let i = 0; i < 23; i++) existing.push((await makeLink(service, { tags: [sort] }, token)).slug)
      const seen: string[] = []
      const added: string[] = []
      for (let cursor = ''; ;) {
        const page = await list(token, `sort=${sort}&limit=4&tag=${sort}${cursor}`)
        expect(page.status).toBe(200)
        seen.push(...getSlugs(page))
        if (!page.body.has_more) {
          expect(page.body.next_cursor).toBeNull()
          expect(page.headers.get('link')).toBeNull()
          break
        }
        if (added.length < 12) {
          const more = await Promise.all([1, 2].map(() => makeLink(service, { tags: [sort] }, token)))
          added.push(...more.map(({ slug }) => slug))
        }
        cursor = `&cursor=${page.body.next_cursor}`
      }
      expect(new Set(seen).size).toBe(seen.length)
      const old = seen.filter((slug) => !added.includes(slug))
      expect(old).toEqual(sort === 'created_at' ? existing : existing.reverse())
    },
  )

  it('has a Link header with the cursor and the other parameters', async () => {
    const { token } = await service.mint()
    await makeLink(service, { tags: ['paged'] }, token)
    const second = await makeLink(service, { tags: ['paged'] }, token)
    const page = await list(token, 'limit=1&tag=paged')
    expect(getSlugs(page)).toEqual([second.slug])
    const [, url] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '')!
    const next = new URL(url!).searchParams
    expect(Object.fromEntries(next)).toEqual({ limit: '1', tag: 'paged', cursor: page.body.next_cursor })
  })

  it('accepts its cursor with another limit, but not with other filters', async () => {
    const { token } = await service.mint()
    for (let i = 0; i < 3; i++) await makeLink(service, { tags: ['bound'], title: 'bound' }, token)
    const { next_cursor } = (await list(token, 'limit=1&tag=bound&sort=created_at')).body
    const listNext = (query: string) => list(token, `${query}&cursor=${next_cursor}`)
    expect((await listNext('limit=2&tag=bound&sort=created_at')).body.data).toHaveLength(2)
    for (const query of [
      'tag=bound',
      'tag=bound&sort=-created_at',
      'tag=x&sort=created_at',
      'sort=created_at',
      'tag=bound&sort=created_at&q=bound',
      'tag=bound&sort=created_at&enabled=true',
    ]) {
      const { status, body } = await listNext(query)
      expect({ query, status }).toEqual({ query, status: 400 })
      expect(body).toMatchObject({ code: 'invalid_query', errors: [{ parameter: 'cursor' }] })
    }
    const { token: other } = await service.mint(undefined, 'busy')
    expect((await list(other, `limit=1&tag=bound&sort=created_at&cursor=${next_cursor}`)).status).toBe(400)
  })
})
