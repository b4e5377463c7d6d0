import { maxLocationLength, withQuery } from './forward-query.js'

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
  ])('to %s: %j gives %s', (location, query, whole) => {
    expect(withQuery(location, query)).toBe(whole)
  })

  it('never makes anything but printable ASCII, whatever the bytes', () => {
    const every = Array.from({ length: 256 }, (_, byte) => String.fromCharCode(byte)).join('')
    expect(withQuery('https://t.example/', every.replace('#', ''))).toMatch(/^[\x21-\x7e]+$/)
  })

  it('is left out where the whole would be too long', () => {
    const target = 'https://t.example/?x=1#top'
    const room = maxLocationLength - target.length - 1
    expect(withQuery(target, 'q'.repeat(room))).toHaveLength(maxLocationLength)
    expect(withQuery(target, 'q'.repeat(room + 1))).toBe(target)
    expect(withQuery(target, '"'.repeat(room / 2))).toBe(target)
  })
})
