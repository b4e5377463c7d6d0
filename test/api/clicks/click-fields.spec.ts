/** The recorded fields of a click. */
import { DataSource } from 'typeorm'

import { VisitorErasure } from '../../../src/clicks/visitor-erasure.js'
import { Visitors } from '../../../src/clicks/ingest/visitors.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { exchange } from '../../support/raw-socket.js'
import { firefox, makeLink, visit } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'

const chromeOnAndroid =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36'

let plain: Service
/** A service behind a proxy on loopback that sends the country. */
let proxied: Service
beforeAll(async () => {
  plain = await shareService()
  proxied = await startService({
    db: plain.db,
    env: { TRUST_PROXY: 'loopback', COUNTRY_HEADER: 'CF-IPCountry' },
  })
})
afterAll(async () => {
  await proxied.stop()
  await plain.stop()
})

async function waitForClicks(service: Service, link: LinkResponse, count = 1): Promise<any[]> {
  return waitFor(`${count} clicks`, async () => {
    const { body } = await service.call('GET', `/v1/links/${link.id}/clicks?limit=100`)
    return body.data.length >= count ? (body.data as any[]) : null
  })
}

async function clickWith(headers: Record<string, string>, service = plain): Promise<any> {
  const link = await makeLink(plain)
  expect((await visit(service, link.slug, headers)).status).toBe(302)
  const [click] = await waitForClicks(plain, link)
  return click
}

it('a click has all fields', async () => {
  const link = await makeLink(plain, { url: 'https://target.example/?x=1', forward_query: true })
  const before = Date.now()
  await visit(plain, `${link.slug}?a=b`, {
    'user-agent': firefox,
    referer: 'https://news.example:8443/today?x=1',
    'accept-language': 'de-CH, de;q=0.9, en;q=0.8',
  })
  const after = Date.now()
  const [click] = await waitForClicks(plain, link)
  expect(click).toEqual({
    id: expect.stringMatching(/^clk_[0-7][0-9a-z]{25}$/),
    link_id: link.id,
    slug: link.slug,
    url: 'https://target.example/?x=1&a=b',
    occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    bot: false,
    referrer: 'https://news.example:8443/today?x=1',
    referrer_host: 'news.example',
    country: null,
    browser: 'Firefox',
    os: 'Linux',
    device: 'desktop',
    region: null,
    city: null,
    language: 'de-CH',
    utm_source: null,
    utm_medium: null,
    utm_campaign: null,
    utm_term: null,
    utm_content: null,
    source: 'link',
    ip: '127.0.0.0',
    visitor: expect.stringMatching(/^[\w-]{22}$/),
    event_id: null,
  })
  expect(Date.parse(click.occurred_at)).toBeGreaterThanOrEqual(before)
  expect(Date.parse(click.occurred_at)).toBeLessThanOrEqual(after)
})

it('a click without headers is a bot with empty fields', async () => {
  const link = await makeLink(plain)
  await exchange(plain.origin, `GET /${link.slug} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [click] = await waitForClicks(plain, link)
  const nothing = {
    referrer: null,
    referrer_host: null,
    country: null,
    browser: null,
    os: null,
    device: 'bot',
  }
  expect(click).toMatchObject({ ...nothing, bot: true, language: null })
})

describe('a user agent', () => {
  it.each([
    [firefox, false, 'Firefox', 'desktop'],
    [chromeOnAndroid, false, 'Chrome', 'mobile'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true, undefined, undefined],
    ['curl/8.5.0', true, undefined, undefined],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true, undefined, undefined],
    ['Dart/3.1 (dart:io)', true, null, 'bot'],
    ['MyApp/1 CFNetwork', true, null, 'bot'],
  ])('%j is recognized', async (agent, bot, browser, device) => {
    const click = await clickWith({ 'user-agent': agent })
    expect(click).toMatchObject({ bot, ...(device ? { browser, device } : { device: 'bot' }) })
  })

  it.each([
    '<script>alert(1)</script>',
    `Mozilla/5.0 ${'x'.repeat(9_000)}`,
    '%00%0d%0a',
    "'; DROP TABLE clicks; --",
    'é\u00ff',
  ])('with unusual text is recorded safely: %s', async (agent) => {
    const { browser, os, device } = await clickWith({ 'user-agent': agent })
    for (const text of [browser, os, device]) expect((text ?? '').length).toBeLessThanOrEqual(50)
  })
})

describe('a referrer', () => {
  it.each([
    ['https://a.example/', 'https://a.example/', 'a.example'],
    ['http://user:pw@b.example/x', expect.any(String), 'b.example'],
    ['android-app://com.example.app/', 'android-app://com.example.app/', null],
    ['javascript:alert(1)', 'javascript:alert(1)', null],
    ['nonsense', 'nonsense', null],
    // The characters stand for bytes, as fetch takes them: valid UTF-8, then invalid UTF-8.
    ['https://b\u00c3\u00bccher.example/', 'https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://a.example/caf\u00e9', 'https://a.example/café', 'a.example'],
  ])('%s is recorded with its host', async (referer, referrer, referrer_host) => {
    expect(await clickWith({ referer })).toMatchObject({ referrer, referrer_host })
  })

  it('is truncated when it is too long', async () => {
    const { referrer } = await clickWith({ referer: `https://a.example/${'x'.repeat(9_000)}` })
    expect(referrer).toHaveLength(2_048)
  })
})

describe('a language', () => {
  it.each([
    ['en', 'en'],
    ['pt-BR;q=0.9', 'pt-BR'],
    ['zh-Hant-TW, en', 'zh-Hant-TW'],
    ['EN', 'en'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['abc-12345678-aa', null],
    ['*', null],
    ['<b>', null],
    ['x'.repeat(5_000), null],
  ])('%s is normalized', async (header, language) => {
    expect(await clickWith({ 'accept-language': header })).toMatchObject({ language })
  })
})

describe('the IP address', () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.77' }

  it('is the address of the connection unless a proxy is trusted', async () => {
    expect(
      await clickWith({ ...forwarded, forwarded: 'for=203.0.113.77', 'x-real-ip': '203.0.113.77' }),
    ).toMatchObject({
      ip: '127.0.0.0',
    })
  })

  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['198.51.100.9, 203.0.113.77', '203.0.113.0'],
    ['198.51.100.9, 203.0.113.77, 127.0.0.1', '203.0.113.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['198.51.100.9:1234, 203.0.113.77:51234', '203.0.113.0'],
    ['[2001:db8:1:2::3]:443', '2001:db8:1::'],
  ])('behind a trusted proxy is the last one that is not a proxy, truncated: %s', async (header, ip) => {
    expect(await clickWith({ 'x-forwarded-for': header }, proxied)).toMatchObject({ ip })
  })

  it.each(['', 'unknown', '<script>', '203.0.113.77.1', ','])(
    'is the address of the proxy or null when the proxy sends %j',
    async (header) => {
      const { ip } = await clickWith({ 'x-forwarded-for': header }, proxied)
      expect([null, '127.0.0.0']).toContain(ip)
    },
  )

  it.each([
    ['full', '203.0.113.77'],
    ['none', null],
  ])('is recorded according to CLICK_IP=%s', async (mode, ip) => {
    const service = await startService({ db: plain.db, env: { TRUST_PROXY: 'loopback', CLICK_IP: mode } })
    try {
      expect(await clickWith(forwarded, service)).toMatchObject({ ip })
    } finally {
      await service.stop()
    }
  })

  it('is never stored in full when it is truncated', async () => {
    await clickWith({ 'x-forwarded-for': '203.0.113.78' }, proxied)
    expect(await plain.db.query(`SELECT id FROM clicks WHERE clicks::text LIKE '%203.0.113.78%'`)).toEqual([])
  })
})

describe('the country', () => {
  it.each([
    ['DE', 'DE'],
    ['fr', 'FR'],
    ['XX', null],
    ['T1', null],
    ['', null],
    ['Germany', null],
    ["D'", null],
  ])('is read from the proxy header %j', async (header, country) => {
    expect(await clickWith({ 'cf-ipcountry': header }, proxied)).toMatchObject({ country })
  })

  it('is not read from a header that is not configured', async () => {
    expect(await clickWith({ 'cf-ipcountry': 'DE', 'x-country': 'DE' })).toMatchObject({ country: null })
  })
})

describe('the campaign and the source', () => {
  const target = 'https://target.example/?utm_source=target&utm_term=kept'

  it('come from the visited URL, else from the destination, and qr=1 is not forwarded', async () => {
    const link = await makeLink(plain, { url: target, forward_query: true })
    const response = await visit(plain, `${link.slug}?qr=1&utm_source=visited&x=1`)
    expect(response.headers.get('location')).toBe(`${target}&utm_source=visited&x=1`)
    const [click] = await waitForClicks(plain, link)
    expect(click).toMatchObject({ source: 'qr', utm_source: 'visited', utm_term: 'kept', utm_medium: null })
  })

  it('are read for a link that does not forward the query', async () => {
    const link = await makeLink(plain, { url: target })
    const response = await visit(plain, `${link.slug}?utm_medium=poster`)
    expect(response.headers.get('location')).toBe(target)
    const [click] = await waitForClicks(plain, link)
    expect(click).toMatchObject({ source: 'link', utm_source: 'target', utm_medium: 'poster' })
  })
})

describe('the visitor', () => {
  it('has one ID per day on all links and instances, and different visitors have different IDs', async () => {
    const [one, other] = [await makeLink(plain), await makeLink(plain)]
    const from = (address: string, agent = firefox) => ({ 'x-forwarded-for': address, 'user-agent': agent })
    await visit(proxied, one.slug, from('203.0.113.1'))
    await visit(proxied, one.slug, from('203.0.113.2'))
    await visit(proxied, one.slug, from('203.0.113.1', chromeOnAndroid))
    await visit(proxied, one.slug, from('203.0.113.1'))
    await visit(proxied, other.slug, from('203.0.113.1'))
    await visit(plain, other.slug)
    await visit(proxied, other.slug, from('127.0.0.1'))
    const [again, chrome, neighbour, first] = (await waitForClicks(plain, one, 4)).map(
      ({ visitor }) => visitor,
    )
    expect(again).toBe(first)
    const others = (await waitForClicks(plain, other, 3)).map(({ visitor }) => visitor)
    expect(others).toContain(first)
    expect(new Set([first, chrome, neighbour, ...others]).size).toBe(4)
    // Both instances saw the same address and browser.
    expect(new Set(others).size).toBe(2)
  })

  it('is computed with a daily salt, of which at most two exist', async () => {
    await clickWith({})
    const salts = await plain.db.query<{ day: string; length: number }>(
      'SELECT day::text, length(salt) FROM visitor_salts',
    )
    expect(salts.length).toBeLessThanOrEqual(2)
    for (const { length } of salts) expect(length).toBe(32)
  })

  it('loses an old salt that another process created', async () => {
    await plain.db.query(`INSERT INTO visitor_salts (day, salt) VALUES ('2026-01-31', '\\x00')`)
    await new Visitors(plain.app.get(DataSource)).loadSalts([])
    expect(await plain.db.query(`SELECT FROM visitor_salts WHERE day < '2026-02-01'`)).toEqual([])
  })
})

it('the data of a visitor can be erased without deleting the clicks', async () => {
  const [one, other] = [await makeLink(plain), await makeLink(plain)]
  const headers = { 'x-forwarded-for': '203.0.113.90', referer: 'https://news.example/me' }
  await visit(proxied, `${one.slug}?mail=me`, headers)
  await visit(proxied, other.slug, headers)
  await visit(proxied, other.slug, { ...headers, 'x-forwarded-for': '203.0.113.91' })
  const [click] = await waitForClicks(plain, one)
  await waitForClicks(plain, other, 2)
  const erasure = new VisitorErasure(plain.app.get(DataSource))
  expect(await erasure.eraseVisitorOfClick(click.id as string)).toBe(2)
  const nothing = { visitor: null, ip: null, referrer: null, language: null }
  expect(await waitForClicks(plain, one)).toEqual([expect.objectContaining(nothing)])
  const [neighbour, erased] = await waitForClicks(plain, other, 2)
  expect(erased).toMatchObject(nothing)
  expect(neighbour).toMatchObject({ ip: '203.0.113.0', visitor: expect.any(String) })
  expect(await erasure.eraseVisitorOfClick('clk_01kaj4d0qae6svf0k9w3m7x2ht')).toBeNull()
  expect(await erasure.eraseVisitorOfClick('nonsense')).toBeNull()
})
