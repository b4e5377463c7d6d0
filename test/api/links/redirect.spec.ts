/** Redirects of short links over HTTP. */
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { exchange } from '../../support/raw-socket.js'
import { expire, makeLink, visit } from '../../support/factories/links.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())

const patch = (id: string, body: unknown) => service.call('PATCH', `/v1/links/${id}`, { body })
const getClickCount = async (id: string): Promise<number> =>
  (await service.call('GET', `/v1/links/${id}`)).body.clicks.total

/** Visits the link and expects one click more than `count`. Clicks are counted in order, so earlier ones are included. */
async function expectCount(id: string, slug: string, count: number): Promise<void> {
  expect((await visit(service, slug)).status).toBeLessThan(400)
  await waitFor('the last click to be counted', async () => (await getClickCount(id)) > count)
  expect(await getClickCount(id)).toBe(count + 1)
}

describe('a redirect', () => {
  it('goes to the same host on every version of Node', async () => {
    const { slug } = await makeLink(service, { url: 'https://straẞe.example/ẞ' })
    const { headers } = await visit(service, slug)
    expect(headers.get('location')).toBe('https://xn--strae-oqa.example/%E1%BA%9E')
  })

  it.each([301, 302, 307, 308])(
    'has the status %i of its link, and the documented headers',
    async (redirect_status) => {
      const { slug } = await makeLink(service, {
        redirect_status,
        url: 'https://bücher.example/%7Ea/../b?q=ü#ü',
      })
      const { status, headers } = await visit(service, slug)
      expect(status).toBe(redirect_status)
      expect(headers.get('location')).toBe('https://xn--bcher-kva.example/%7Ea/../b?q=%C3%BC#%C3%BC')
      expect(headers.get('cache-control')).toBe('private, no-store')
      expect(headers.get('x-robots-tag')).toBe('noindex')
      expect(headers.get('x-request-id')).toMatch(/./)
    },
  )

  it('works and is counted for an old destination over the current limit', async () => {
    const { id, slug } = await makeLink(service)
    await service.db.query('UPDATE links SET url = $2 WHERE slug = $1', [
      slug,
      `https://e.com/${'€'.repeat(8170)}`,
    ])
    const { status, headers } = await exchange(service.origin, `GET /${slug} HTTP/1.1\r\nHost: a\r\n\r\n`)
    expect(status).toBe(302)
    expect(headers['location']).toBe(`https://e.com/${'%E2%82%AC'.repeat(8170)}`)
    await waitFor('the click to be counted', async () => (await getClickCount(id)) === 1)
    expect((await patch(id, { title: 'changed' })).status).toBe(200)
  })

  it('is counted for GET, but not for HEAD or prefetches', async () => {
    const { id, slug } = await makeLink(service)
    const responses = [
      await visit(service, slug, {}, 'HEAD'),
      await visit(service, slug, { 'sec-purpose': 'prefetch' }),
      await visit(service, slug, { 'sec-purpose': 'prefetch;prerender' }),
      await visit(service, slug, { purpose: 'prefetch' }),
    ]
    for (const { status, headers } of responses)
      expect([status, headers.get('location')]).toEqual([302, 'https://target.example/page'])
    await expectCount(id, slug, 0)
  })

  it('needs no token and has no rate limit', async () => {
    const limited = await startService({ db: service.db, env: { RATE_LIMIT: '5/1m' } })
    try {
      const { slug } = await makeLink(service)
      const responses = await Promise.all(Array.from({ length: 50 }, () => visit(limited, slug)))
      expect(responses.map(({ status }) => status)).toEqual(Array(50).fill(302))
    } finally {
      await limited.stop()
    }
  })

  it('applies a change immediately on the same instance', async () => {
    const { id, slug } = await makeLink(service)
    await visit(service, slug)
    for (let i = 0; i < 20; i++) {
      await patch(id, { url: `https://target.example/${i}` })
      expect((await visit(service, slug)).headers.get('location')).toBe(`https://target.example/${i}`)
    }
  })

  it('works immediately for a new slug that was unknown before', async () => {
    expect((await visit(service, 'soon')).status).toBe(404)
    await makeLink(service, { slug: 'soon' })
    expect((await visit(service, 'soon')).status).toBe(302)
  })

  it('ends exactly at the expiry', async () => {
    const { id, slug } = await makeLink(service, { expires_in: '4s' })
    const { expires_at } = (await service.call('GET', `/v1/links/${id}`)).body
    const seen: { status: number; sentAt: number; answeredAt: number }[] = []
    await waitFor('the expiry', async () => {
      const sentAt = Date.now()
      const { status } = await visit(service, slug)
      seen.push({ status, sentAt, answeredAt: Date.now() })
      return status === 410
    })
    const end = Date.parse(expires_at)
    expect(seen.filter(({ status, sentAt }) => sentAt >= end && status !== 410)).toEqual([])
    expect(seen.filter(({ status, answeredAt }) => answeredAt < end && status !== 302)).toEqual([])
    expect(seen.length).toBeGreaterThan(1)
  })
})

describe('forward_query', () => {
  it.each([
    ['https://t.example/', 'a=1&b=%20', 'https://t.example/?a=1&b=%20'],
    ['https://t.example/?x=1', 'a=1', 'https://t.example/?x=1&a=1'],
    ['https://t.example/p?x=1#frag?y', 'a=1', 'https://t.example/p?x=1&a=1#frag?y'],
    ['https://t.example/p#frag', 'a=1', 'https://t.example/p?a=1#frag'],
    ['https://t.example/?', 'a=1', 'https://t.example/?a=1'],
    ['https://t.example/?x=1', 'x=2', 'https://t.example/?x=1&x=2'],
    ['https://t.example/', '', 'https://t.example/'],
    ['https://t.example/', 'u=//evil.example/%0d%0aX:y', 'https://t.example/?u=//evil.example/%0d%0aX:y'],
  ])('combines %s and %s to %s', async (url, query, location) => {
    const { id, slug } = await makeLink(service, { url, forward_query: true })
    expect((await visit(service, `${slug}?${query}`)).headers.get('location')).toBe(location)
    await patch(id, { forward_query: false })
    expect((await visit(service, `${slug}?${query}`)).headers.get('location')).toBe(url)
  })
})

describe('a link without a redirect', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const slugFactories = {
    unknown: () => Promise.resolve('never-there'),
    disabled: async () => (await makeLink(service, { enabled: false })).slug,
    expired: async () => {
      const link = await makeLink(service)
      await expire(service, link)
      return link.slug
    },
    deleted: async () => {
      const { id, slug } = await makeLink(service)
      await service.call('DELETE', `/v1/links/${id}`)
      return slug
    },
  }
  it.each([
    ['unknown', 404, 'not_found'],
    ['disabled', 410, 'gone'],
    ['expired', 410, 'gone'],
    ['deleted', 410, 'gone'],
  ] as const)('(%s) returns a page to browsers and a problem to programs', async (kind, status, code) => {
    const slug = await slugFactories[kind]()
    const page = await visit(service, slug, browser)
    expect(page.status).toBe(status)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'/)
    expect(page.headers.get('location')).toBeNull()
    const html = await page.text()
    expect(html).toMatch(/^<!doctype html>/i)
    expect(html).not.toContain(slug)
    const problem = await visit(service, slug)
    expect(problem.status).toBe(status)
    expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    const id = problem.headers.get('x-request-id')
    expect(await problem.json()).toMatchObject({
      status,
      code,
      instance: id,
      type: `http://localhost:0/errors/${code}`,
    })
    const head = await visit(service, slug, {}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([status, ''])
  })

  it('counts no clicks', async () => {
    const link = await makeLink(service)
    const { id, slug } = link
    for (const end of [() => patch(id, { enabled: false }), () => expire(service, link)]) {
      expect((await end()).status).toBe(200)
      expect((await visit(service, slug)).status).toBe(410)
    }
    await patch(id, { expires_at: null })
    await expectCount(id, slug, 0)
  })
})

describe('a hostile path', () => {
  it.each([
    '/..',
    '/../target',
    '/%2e%2e/target',
    '//target',
    '//evil.example/target',
    '/\\evil.example',
    '/target%00',
    '/target%0d%0aLocation:%20https://evil.example',
    '/%74arget',
    '/target;a=1',
    '/target.html',
    '/t%C3%A4rget',
    '/target%E2%80%8B',
    '/<script>alert(1)</script>',
    "/'OR'1'='1",
    '/%',
    '/%zz',
    '/TARGET',
    `/${'a'.repeat(65)}`,
    `/${'a'.repeat(8_000)}`,
    '/target/more',
    // Other specs create links with unusual slugs in the same service, but not with these.
    '/__proto__',
    '/constructor',
  ])('%s does not redirect', async (path) => {
    await service.call('POST', '/v1/links', { body: { url: 'https://target.example/', slug: 'target' } })
    const response = await exchange(
      service.origin,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect([400, 404]).toContain(response.status)
    expect(response.headers['location']).toBeUndefined()
    expect(response.text.toLowerCase()).not.toMatch(/<script>|select |stack/)
  })

  it.each(['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'a\rX-Evil: 1', 'a\0b'])(
    'with a raw %j in the query adds no header',
    async (query) => {
      const { slug } = await makeLink(service, { forward_query: true })
      const response = await exchange(
        service.origin,
        `GET /${slug}?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      )
      expect(response.headers).not.toHaveProperty('x-evil')
      // Node.js ends the request line at a line break, so the rest never becomes part of the response.
      expect(response.headers['location'] ?? '').toMatch(/^(https:\/\/target\.example\/page\?a)?$/)
    },
  )

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('does not redirect %s', async (method) => {
    const { slug } = await makeLink(service)
    const { status, headers } = await visit(service, slug, {}, method)
    expect([404, 405]).toContain(status)
    expect(headers.get('location')).toBeNull()
  })
})
