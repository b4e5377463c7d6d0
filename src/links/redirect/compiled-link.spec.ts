import { storedLink } from '../../../test/support/factories/stored-link.js'
import { compileLink, maxLocationLength, withQuery, hasQrMark, withoutQrMark } from './compiled-link.js'
import { locationHeader } from '../urls.js'

describe('the location of a link', () => {
  it.each([
    'https://example.com',
    'HTTPS://Example.COM:443/%7euser/../a/./b?x={y}|z^`"<>\'&&a=#frag#ment?',
    'http://example.com/a\\b[c]%zz%',
    'https://xn--bcher-kva.example/%C3%A9',
  ])('is not changed if it is printable ASCII: %s', (url) => {
    expect(locationHeader(url)).toBe(url)
  })

  it.each([
    ['https://bücher.example/straße', 'https://xn--bcher-kva.example/stra%C3%9Fe'],
    ['https://straẞe.example/ẞ', 'https://xn--strae-oqa.example/%E1%BA%9E'],
    ['https://bücher.example:8443/', 'https://xn--bcher-kva.example:8443/'],
    ['https://例え.jp?q=日本#ふ', 'https://xn--r8jz45g.jp?q=%E6%97%A5%E6%9C%AC#%E3%81%B5'],
    ['https://Example.com/%41?q=é', 'https://Example.com/%41?q=%C3%A9'],
    ['https://example.com/🙂', 'https://example.com/%F0%9F%99%82'],
    ['https://example.com/a b?c d', 'https://example.com/a%20b?c%20d'],
    ['https://example.com/\ud800x', 'https://example.com/%EF%BF%BDx'],
    ['  https://example.com/  ', 'https://example.com/'],
    ['https://example.com/a\r\nSet-Cookie: a=b', 'https://example.com/aSet-Cookie:%20a=b'],
    ['https://example.com/\u0000\u001b\u007f', 'https://example.com/%00%1B%7F'],
  ])('encodes %j as %s', (url, location) => {
    expect(locationHeader(url)).toBe(location)
  })

  it('encodes non-ASCII characters like a WHATWG URL parser', () => {
    for (const url of [
      'https://example.com/ü?ü#ü',
      'https://münchen.example/日本?a=ß&b=🙂',
      'https://example.com/\u00a0',
    ])
      expect(locationHeader(url)).toBe(new URL(url).href)
  })

  it.each(['', 'ü', '/ü', 'https://ü b/'])('throws for %j', (url) => {
    expect(() => locationHeader(`${url}ü`)).toThrow()
  })
})

describe('compiling a link', () => {
  const row = storedLink({ slug: 'a' })

  it('replaces a status that does not redirect with 302', () => {
    expect(
      [301, 302, 307, 308, 200, 303].map((status) => compileLink({ ...row, redirect_status: status }).status),
    ).toEqual([301, 302, 307, 308, 302, 302])
  })

  it('converts the expiry to a Unix time', () => {
    expect(compileLink(row).expiresAt).toBe(Infinity)
    expect(compileLink({ ...row, expires_at: new Date(1234) }).expiresAt).toBe(1234)
  })

  it('ignores the URL of a deleted link', () => {
    expect(compileLink({ ...row, url: '', deleted_at: new Date() })).toMatchObject({
      tombstone: true,
      location: '',
    })
  })
})

describe("the visitor's query", () => {
  it.each([
    ['https://t.example/', 'a=1', 'https://t.example/?a=1'],
    ['https://t.example', 'a=1', 'https://t.example?a=1'],
    ['https://t.example/?x=1', 'a=1', 'https://t.example/?x=1&a=1'],
    ['https://t.example/?x=1&', 'a=1', 'https://t.example/?x=1&a=1'],
    ['https://t.example/?', 'a=1', 'https://t.example/?a=1'],
    ['https://t.example/#top', 'a=1', 'https://t.example/?a=1#top'],
    ['https://t.example/?x=1#top', 'a=1', 'https://t.example/?x=1&a=1#top'],
    ['https://t.example/#/route?tab=2', 'a=1', 'https://t.example/?a=1#/route?tab=2'],
    ['https://t.example/?x=%20&X=+#a#b', 'x=2&x=3', 'https://t.example/?x=%20&X=+&x=2&x=3#a#b'],
    ['https://t.example/', '', 'https://t.example/'],
    ['https://t.example/?x=1#top', '', 'https://t.example/?x=1#top'],
    ['https://t.example/', 'flag', 'https://t.example/?flag'],
    ['https://t.example/', 'a=1?b=2', 'https://t.example/?a=1?b=2'],
    ['https://t.example/', 'a[]=1&b={2}|^`\\', 'https://t.example/?a[]=1&b={2}|^`\\'],
    ['https://t.example/', 'a=%E2%82%AC%zz%', 'https://t.example/?a=%E2%82%AC%zz%'],
    ['https://t.example/', 'a=1%0d%0aX-Evil:%201', 'https://t.example/?a=1%0d%0aX-Evil:%201'],
    ['https://t.example/', 'a=1\r\nX-Evil: 1', 'https://t.example/?a=1%0D%0AX-Evil:%201'],
    ['https://t.example/', 'a=\u00e2\u0082\u00ac', 'https://t.example/?a=%E2%82%AC'],
    ['https://t.example/', 'a="<\'>\t\0', 'https://t.example/?a=%22%3C%27%3E%09%00'],
    ['https://t.example/#top', 'a=1#evil', 'https://t.example/?a=1#top'],
    ['https://t.example/', '#evil', 'https://t.example/'],
    ['https://t.example/', 'qr=1', 'https://t.example/'],
    ['https://t.example/', 'a=1&qr=1&b=2', 'https://t.example/?a=1&b=2'],
    ['https://t.example/', 'qr=10&&aqr=1', 'https://t.example/?qr=10&&aqr=1'],
  ])('added to %s: %j gives %s', (location, query, combined) => {
    expect(withQuery(location, query)).toBe(combined)
  })

  it('becomes printable ASCII for all bytes', () => {
    const every = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')
    expect(withQuery('https://t.example/', every.replace('#', ''))).toMatch(/^[\x21-\x7e]+$/)
  })

  it('is omitted if the location would be too long', () => {
    const destination = 'https://t.example/?x=1#top'
    const room = maxLocationLength - destination.length - 1
    expect(withQuery(destination, 'q'.repeat(room))).toHaveLength(maxLocationLength)
    expect(withQuery(destination, 'q'.repeat(room + 1))).toBe(destination)
    expect(withQuery(destination, '"'.repeat(room / 2))).toBe(destination)
  })
})

it.each([
  ['qr=1', ''],
  ['qr=1&a=b', 'a=b'],
  ['a=b&qr=1', 'a=b'],
  ['a=b&qr=1&c=d', 'a=b&c=d'],
  ['qr=1&qr=1', ''],
  ['a=1&qr=1#part', 'a=1#part'],
])('removes the QR mark from %s, which leaves %j', (query, unmarked) => {
  expect(hasQrMark(query)).toBe(true)
  expect(withoutQrMark(query)).toBe(unmarked)
})

it.each(['', 'a=b', 'qr=10', 'qr=', 'qr', 'xqr=1', 'QR=1', 'a=qr=1', '&a=b'])(
  'finds no QR mark in %j',
  (query) => {
    expect(hasQrMark(query)).toBe(false)
    expect(withoutQrMark(query)).toBe(query)
  },
)
