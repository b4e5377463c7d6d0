/** Invalid IDs, query parameters and headers of link and click calls. */
import { badIdsFor, noTimes } from '../../support/bad-input.js'
import { service, target } from './bad-input.js'

describe('an ID', () => {
  it.each(badIdsFor('lnk'))('that is invalid returns 404: %s', async (id) => {
    for (const [method, suffix] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/clicks'],
    ] as const) {
      const { status, body } = await service.call(method, `/v1/links/${id}${suffix}`, {
        ...(method === 'PATCH' ? { body: { title: 'x' } } : {}),
      })
      expect({ method, status, code: body.code }).toEqual({ method, status: 404, code: 'not_found' })
    }
  })
})

const wrongLimits = [
  '0',
  '-1',
  '101',
  '1.5',
  '1e2',
  '0x10',
  'ten',
  '',
  '%20',
  '١',
  '99999999999999999999',
  'NaN',
]
const wrongCursors = ['', 'x', 'x.y', '.', '%00', 'a'.repeat(1001), '%F0%9F%94%91', '..%2f', 'null', "'"]
const wrongTexts = ['', '%20', '%00', 'a%00', '%0a', '%1b[31m', 'a'.repeat(301)]
const wrongTimes = [
  '',
  'now',
  '2026',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '1767225600',
  '2026-13-01T00:00:00Z',
  ...noTimes.map(encodeURIComponent),
  '2026-01-01T00:00:00Z%00',
  '-000001-01-01T00:00:00Z',
  "'",
]
const unknown = [
  'page=2',
  'Limit=1',
  'x',
  '=1',
  '__proto__=1',
  '__proto__[x]=1',
  'constructor=1',
  'limit[]=1',
  'limit[gt]=1',
  'offset=1',
  'order=asc',
  'fields=id',
]

describe('a query parameter', () => {
  const all = (name: string, values: string[]) => values.map((value) => `${name}=${value}`)
  it.each([
    [
      '/v1/links',
      [
        ...all('limit', wrongLimits),
        ...all('cursor', wrongCursors),
        ...unknown,
        'limit=1&limit=1',
        'slug=target',
        'after=',
      ],
    ],
    [
      '/v1/links',
      [
        ...all('q', wrongTexts),
        ...all('tag', wrongTexts),
        ...all('external_id', wrongTexts),
        'q=a&q=b',
        'q[]=a',
        'tag[]=a',
        'tag=a&tag=b',
      ],
    ],
    ['/v1/links', [...all('created_after', wrongTimes), ...all('created_before', wrongTimes)]],
    [
      '/v1/links',
      [
        ...all('enabled', ['', '1', 'TRUE', 'yes', 'null', 'true%20']),
        ...all('sort', [
          '',
          'id',
          'clicks',
          '-created_at,slug',
          '+created_at',
          '--clicks',
          'toString',
          '__proto__',
          'created_at;DROP TABLE links',
        ]),
      ],
    ],
    [
      '/v1/links/ID/clicks',
      [...all('limit', wrongLimits), ...all('cursor', wrongCursors), ...unknown, 'after=', 'bot=true'],
    ],
    [
      '/v1/clicks',
      [
        ...all('limit', wrongLimits),
        ...all('after', wrongCursors.slice(1)),
        ...unknown,
        'cursor=',
        'after=&after=',
        ...all('link_id', wrongTexts),
      ],
    ],
  ])('of %s that is invalid returns a 400 that names it', async (path, queries) => {
    for (const query of queries) {
      const { status, body } = await service.call('GET', `${path.replace('ID', target)}?${query}`)
      expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'invalid_query' })
      const named = body.errors.map(({ parameter }: { parameter: string }) => parameter)
      expect(named).toContain(query.split('=')[0])
    }
  })

  it('with characters of SQL, patterns or regular expressions is plain text', async () => {
    for (const text of [
      "'",
      '"',
      '--',
      '%',
      '_',
      '\\',
      '%5C',
      '%25%25',
      '(',
      '[',
      '*',
      '.*',
      '$1',
      ':text',
      '{}',
      '\u{1F331}',
    ])
      for (const name of ['q', 'tag', 'external_id']) {
        const { status } = await service.call(
          'GET',
          `/v1/links?${name}=${text.startsWith('%') ? text.replace(/^%$|^%(?=%)/, '%25') : encodeURIComponent(text)}`,
        )
        expect({ name, text, status }).toEqual({ name, text, status: 200 })
      }
  })

  it('link_id that is malformed or unknown returns no clicks', async () => {
    for (const id of ['x', 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne', "'", 'tok_01kaj3v9z4f8hva3x7m2c5d6ne']) {
      const { status, body } = await service.call('GET', `/v1/clicks?link_id=${id}`)
      expect([status, body.data, body.has_more]).toEqual([200, [], false])
      expect(body.next_cursor).toEqual(expect.any(String))
    }
  })

  it.each([
    ['GET', '/v1/links/ID?x=1'],
    ['GET', '/v1/links/ID?__proto__=1'],
    ['POST', '/v1/links?url=https://example.com'],
    ['PATCH', '/v1/links/ID?title=x'],
    ['DELETE', '/v1/links/ID?force=true'],
  ])('is rejected by calls without parameters: %s %s', async (method, path) => {
    const hasBody = method === 'POST' || method === 'PATCH'
    const response = await service.call(
      method,
      path.replace('ID', target),
      hasBody ? { body: { url: 'https://example.com' } } : {},
    )
    expect([response.status, response.body.code]).toEqual([400, 'invalid_query'])
  })
})

describe('a method', () => {
  it.each([
    ['PUT', '/v1/links/ID', 'GET, HEAD, PATCH, DELETE'],
    ['POST', '/v1/links/ID', 'GET, HEAD, PATCH, DELETE'],
    ['DELETE', '/v1/links', 'GET, HEAD, POST'],
    ['POST', '/v1/clicks', 'GET, HEAD'],
    ['DELETE', '/v1/links/ID/clicks', 'GET, HEAD'],
  ])('that is not allowed returns a 405 with Allow: %s %s', async (method, path, allowed) => {
    const { status, headers } = await service.call(method, path.replace('ID', target), { undocumented: true })
    expect(status).toBe(405)
    const named = (headers.get('allow') ?? '').split(', ').sort()
    expect(named).toEqual(allowed.split(', ').sort())
  })
})

describe('an Idempotency-Key', () => {
  it.each(['', ' ', 'a'.repeat(256), 'a b', 'é'])(
    'of %j returns a 400 that names the header',
    async (key) => {
      const { status, body } = await service.call('POST', '/v1/links', {
        body: { url: 'https://example.com' },
        headers: { 'idempotency-key': key },
      })
      expect(status).toBe(400)
      expect(body).toMatchObject({ code: 'invalid_header', errors: [{ header: 'Idempotency-Key' }] })
    },
  )
})
