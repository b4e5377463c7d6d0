import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'

import type { CompiledLink } from './compiled-link.js'
import { contentSecurityPolicy } from './pages.js'
import { LinkCache } from './link-cache.js'
import { createRedirectHandler } from './redirect-handler.js'
import type { RedirectOptions, Visit } from './redirect-handler.js'

const base: CompiledLink = {
  linkId: '01890a5d-ac96-774b-bcce-b302099a8057',
  workspaceId: '01890a5d-ac96-774b-bcce-b302099a8058',
  slug: 'launch',
  location: 'https://target.example/page?x=1#top',
  status: 302,
  forwardQuery: false,
  enabled: true,
  expiresAt: Infinity,
  tombstone: false,
}

let server: Server
let origin: string
let links: Map<string, CompiledLink>
let visits: Visit[]
let release: () => void
let holdAnswers: boolean
let databaseDown: boolean
let fresh: boolean
let now: number
let loads: number
let cache: LinkCache

async function start(options: Partial<RedirectOptions> = {}): Promise<void> {
  const held: (() => void)[] = []
  release = () => held.splice(0).forEach((answer) => answer())
  cache = new LinkCache({
    load: async (slug) => {
      loads++
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (databaseDown) throw new Error('the password of the database is hunter2')
      return links.get(slug) ?? null
    },
    feedIsFresh: () => fresh,
    now: () => now,
  })
  const redirect = createRedirectHandler({
    links: cache,
    clicks: {
      append(visit, whenDurable, arg) {
        visits.push(visit)
        if (holdAnswers) held.push(() => whenDurable(arg))
        else setImmediate(whenDurable, arg)
      },
    },
    reserved: new Set(['api', 'docs']),
    problem: (code, requestId) => JSON.stringify({ code, instance: requestId }),
    now: () => now,
    ...options,
  })
  server = createServer((req, res) => {
    if (!redirect(req, res)) res.writeHead(299).end('handed on')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function restart(options: Partial<RedirectOptions>): Promise<void> {
  server.close()
  await start(options)
}

beforeEach(async () => {
  links = new Map([['launch', base]])
  visits = []
  holdAnswers = false
  databaseDown = false
  fresh = true
  now = 1_763_712_000_000
  loads = 0
  await start()
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

function get(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(origin + path, { redirect: 'manual', ...init })
}

function put(changes: Partial<CompiledLink>): void {
  const link = { ...base, ...changes }
  links.set(link.slug, link)
  cache.invalidate(link.slug)
}

/** Sends bytes as they are and reads until the server closes the connection. */
async function raw(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  socket.write(Buffer.from(bytes, 'latin1'))
  let received = ''
  for await (const chunk of socket) received += (chunk as Buffer).toString('latin1')
  return received
}

const request = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`

describe('a redirect', () => {
  it.each([301, 302, 307, 308] as const)('answers %i with its headers and no body', async (status) => {
    put({ status })
    // From the database, then from memory.
    for (let visit = 0; visit < 2; visit++) {
      const answer = await get('/launch')
      expect(answer.status).toBe(status)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        location: 'https://target.example/page?x=1#top',
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex',
        'content-length': '0',
        'x-request-id': expect.stringMatching(/^[A-Za-z0-9._~-]+$/),
      })
      expect(await answer.text()).toBe('')
    }
    expect(loads).toBe(1)
  })

  it('asks the database once for a hundred visitors at once', async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => get('/launch')))
    expect(answers.every(({ status }) => status === 302)).toBe(true)
    expect(loads).toBe(1)
    expect(visits).toHaveLength(100)
  })

  it('records what it knows of the visitor', async () => {
    await restart({ countryHeader: 'CF-IPCountry' })
    await get('/launch?ref=1', {
      headers: {
        'user-agent': 'Test/1',
        referer: 'https://from.example/',
        'accept-language': 'de',
        'cf-ipcountry': 'AT',
      },
    })
    expect(visits).toEqual([
      {
        linkId: base.linkId,
        workspaceId: base.workspaceId,
        slug: 'launch',
        url: base.location,
        userAgent: 'Test/1',
        referer: 'https://from.example/',
        acceptLanguage: 'de',
        address: '127.0.0.1',
        country: 'AT',
      },
    ])
  })

  it('takes the address from whoever knows the proxies, and records nothing where there is nothing', async () => {
    await restart({ clientAddress: () => '203.0.113.9' })
    await raw(request('/launch'))
    expect(visits[0]).toMatchObject({
      address: '203.0.113.9',
      userAgent: '',
      referer: '',
      acceptLanguage: '',
      country: '',
    })
  })

  it('leaves only when its click is durable', async () => {
    await get('/launch')
    holdAnswers = true
    let answered = false
    const answer = get('/launch').then(() => (answered = true))
    while (visits.length < 2) await new Promise((resolve) => setTimeout(resolve, 2))
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(answered).toBe(false)
    release()
    await answer
    expect(answered).toBe(true)
  })

  it('answers HEAD alike, and does not count it', async () => {
    const answer = await get('/launch', { method: 'HEAD' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, base.location])
    expect(visits).toEqual([])
  })

  it.each([
    ['Sec-Purpose', 'prefetch'],
    ['Sec-Purpose', 'prefetch;prerender'],
    ['Purpose', 'prefetch'],
    ['X-Purpose', 'preview'],
    ['X-Moz', 'Prefetch'],
  ])('answers a prefetch (%s: %s) and does not count it', async (name, value) => {
    const answer = await get('/launch', { headers: { [name]: value } })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, base.location])
    expect(visits).toEqual([])
  })

  it('keeps a sane request id and replaces any other', async () => {
    const idOf = async (id: string) =>
      (await get('/launch', { headers: { 'x-request-id': id } })).headers.get('x-request-id')
    expect(await idOf('my-id.1_2')).toBe('my-id.1_2')
    for (const bad of ['a b', '<script>', 'x'.repeat(500), 'ü']) expect(await idOf(bad)).not.toBe(bad)
    expect(await idOf('')).not.toBe(await idOf(''))
  })

  it.each([
    ['/launch?a=1&b=%C3%A9', 'https://target.example/page?x=1&a=1&b=%C3%A9#top'],
    ['/launch?', 'https://target.example/page?x=1#top'],
    ['/launch', 'https://target.example/page?x=1#top'],
    ['/launch/?a=1', 'https://target.example/page?x=1&a=1#top'],
    ['/launch?a=%0d%0aSet-Cookie:x', 'https://target.example/page?x=1&a=%0d%0aSet-Cookie:x#top'],
    ['/launch?u=https://evil.example/?q', 'https://target.example/page?x=1&u=https://evil.example/?q#top'],
  ])('forwards the query of %s when the link says so', async (path, location) => {
    put({ forwardQuery: true })
    expect((await get(path)).headers.get('location')).toBe(location)
    expect(visits[0]?.url).toBe(location)
    put({ forwardQuery: false })
    expect((await get(path)).headers.get('location')).toBe(base.location)
  })

  it('leaves the query out where the location would be too long', async () => {
    put({ forwardQuery: true, location: `https://target.example/${'p'.repeat(8_000)}` })
    expect((await get(`/launch?${'q'.repeat(8_000)}`)).headers.get('location')).toHaveLength(
      23 + 8_000 + 1 + 8_000,
    )
    expect((await get(`/launch?${'q'.repeat(9_000)}`)).headers.get('location')).toHaveLength(23 + 8_000)
  })

  it('makes what no query may hold harmless', async () => {
    put({ forwardQuery: true })
    expect(await raw(request('/launch?a=b"<>\'#evil'))).toContain(
      '\r\nLocation: https://target.example/page?x=1&a=b%22%3C%3E%27#top\r\n',
    )
  })

  it('answers requests that come together on one connection in their order', async () => {
    links.set('other', { ...base, slug: 'other', location: 'https://other.example/' })
    await get('/other')
    const received = await raw(
      `GET /launch HTTP/1.1\r\nHost: x\r\n\r\nGET /other HTTP/1.1\r\nHost: x\r\n\r\n${request('/api')}`,
    )
    expect(
      [...received.matchAll(/^(?:HTTP\/1.1 (\d+)|Location: (\S+))/gm)].map(
        ([, status, location]) => status ?? location,
      ),
    ).toEqual(['302', base.location, '302', 'https://other.example/', '299'])
  })
})

describe('no redirect', () => {
  it.each([
    ['disabled', { enabled: false }, 410, 'gone'],
    ['deleted', { tombstone: true, location: '' }, 410, 'gone'],
    ['expired', { expiresAt: 0 }, 410, 'gone'],
  ] as const)('for a %s link', async (_, changes, status, code) => {
    put(changes)
    for (const method of ['GET', 'HEAD']) {
      const answer = await get('/launch', { method })
      expect(answer.status).toBe(status)
      expect(answer.headers.get('location')).toBeNull()
      if (method === 'GET') expect(await answer.json()).toMatchObject({ code })
      else expect(await answer.text()).toBe('')
    }
    expect(visits).toEqual([])
  })

  it('from the very millisecond a link expires, also when it is in memory', async () => {
    put({ expiresAt: now + 1_000 })
    now += 999
    expect((await get('/launch')).status).toBe(302)
    now += 1
    expect((await get('/launch')).status).toBe(410)
    expect(loads).toBe(1)
  })

  it('for an unknown slug, and the database is not asked each time', async () => {
    for (let i = 0; i < 20; i++) expect((await get('/nothing')).status).toBe(404)
    expect(loads).toBe(1)
    links.set('nothing', { ...base, slug: 'nothing' })
    cache.invalidate('nothing')
    expect((await get('/nothing')).status).toBe(302)
  })

  it('while the database is down and memory has nothing', async () => {
    databaseDown = true
    const answer = await get('/launch')
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    const text = await answer.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'unavailable' })
    expect(text).not.toContain('hunter2')
    databaseDown = false
    expect((await get('/launch')).status).toBe(302)
  })

  it('but the old one while the database is down and memory has it', async () => {
    await get('/launch')
    fresh = false
    databaseDown = true
    expect((await get('/launch')).status).toBe(302)
    now += 3_600_000
    expect((await get('/launch')).status).toBe(302)
    links.set('launch', { ...base, enabled: false })
    databaseDown = false
    now += 1_000
    expect((await get('/launch')).status).toBe(410)
  })

  it.each([
    ['/nothing', 404],
    ['/switched-of', 410],
    ['/down', 503],
  ])('is a page of its own for browsers: %s', async (path, status) => {
    put({ slug: 'switched-of', enabled: false })
    databaseDown = status === 503
    const answer = await get(path, {
      headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'x-request-id': 'reflect-me' },
    })
    const html = await answer.text()
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('x-robots-tag')).toBe('noindex')
    expect(answer.headers.get('vary')).toBe('Accept')
    expect(Number(answer.headers.get('content-length'))).toBe(Buffer.byteLength(html))
    expect(html).not.toMatch(/src=|href=|<script|url\(|@import|reflect-me/)
    expect(html).not.toContain(path.slice(1))
  })

  it('has a page whose style the policy allows, and nothing else', async () => {
    const html = await (await get('/nothing', { headers: { accept: 'text/html' } })).text()
    const style = /<style>([^]*)<\/style>/.exec(html)![1]!
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(style))).toString('base64')
    expect(contentSecurityPolicy).toMatch(/^default-src 'none'; /)
    expect(contentSecurityPolicy).toContain(`style-src 'sha256-${digest}'`)
  })

  it('and no crash where the answer itself cannot be made', async () => {
    const errors: string[] = []
    await restart({
      problem: () => {
        throw new Error('no words')
      },
      onError: (error) => errors.push(error.message),
    })
    await expect(get('/nothing')).rejects.toThrow()
    await expect(get('/nothing')).rejects.toThrow()
    expect((await get('/launch')).status).toBe(302)
    expect(errors).toContain('no words')
  })
})

describe('what is not a short link is handed on', () => {
  it.each([
    '/',
    '/api',
    '/api/',
    '/docs?x',
    '/api/v1/links',
    '/launch/more',
    '/launch//',
    '//launch',
    '//evil.example/launch',
    '/..',
    '/.',
    '/launch.',
    '/favicon.ico',
    '/%6caunch',
    '/%2e%2e',
    '/launch%00',
    '/launch%0d%0aX:%20y',
    '/lau+nch',
    '/lau nch'.replace(' ', '%20'),
    '/launch;a=1',
    '/launch#x',
    '/?launch',
    '/caf\u00c3\u00a9',
    'http://x/launch',
    '*',
    `/${'a'.repeat(65)}`,
    `/${'a'.repeat(10_000)}`,
  ])('%s', async (target) => {
    links.set('', base)
    expect((await raw(request(target))).slice(0, 12)).toMatch(/HTTP\/1.1 299|HTTP\/1.1 400/)
    expect(loads).toBe(0)
    expect(visits).toEqual([])
  })

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s', async (method) => {
    await get('/launch')
    expect((await get('/launch', { method })).status).toBe(299)
  })

  it('takes a slug of 64 characters, of any letter it may have, and one slash behind it', async () => {
    const slug = `aZ09_-${'x'.repeat(58)}`
    links.set(slug, { ...base, slug })
    expect((await get(`/${slug}`)).status).toBe(302)
    expect((await get(`/${slug}/`)).status).toBe(302)
    expect((await get(`/${slug.toUpperCase()}`)).status).toBe(404)
  })

  it('ends at a line break: a header behind it is a header of the request and not of the answer', async () => {
    put({ forwardQuery: true })
    expect(await raw('GET /launch?a=1\r\nX-Evil: 1 HTTP/1.1\r\nHost: x\r\n\r\n')).not.toContain('X-Evil')
  })

  it.each([
    'GET /launch?a=\rb HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /launch?a=\nb HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /launch?a=\0b HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /launch?a=\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /launch?a=\tb HTTP/1.1\r\nHost: x\r\n\r\n',
  ])('node refuses %j before it comes here', async (bytes) => {
    put({ forwardQuery: true })
    const received = await raw(bytes)
    expect(received).toMatch(/^HTTP\/1.1 400 /)
    expect(received).not.toContain('target.example')
  })
})
