import type { Click } from '../journal/click-line.js'
import { campaignOf, describeClick, keptAddress } from './describe-click.js'

const click: Click = {
  id: '019aa43d-a7e4-7a23-b50f-a7a0985699ae',
  time: Date.parse('2026-01-31T12:00:00Z'),
  linkId: '019aa43d-a7e4-7a23-b50f-a7a0985699af',
  workspaceId: '019aa43d-a7e4-7a23-b50f-a7a0985699ad',
  slug: 'spring',
  url: 'https://example.com/',
  userAgent: '',
  referer: '',
  acceptLanguage: '',
  address: '203.0.113.77',
  country: '',
  query: '',
}

/** Header values as the journal has them: one character for each byte. */
const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('latin1')

const described = (fields: Partial<Click>) =>
  describeClick(
    { ...click, ...fields },
    {
      addressMode: 'full',
      locationOf: () => ({ country: 'DE', region: 'DE-BE', city: 'Berlin' }),
      visitorOf: () => 'somebody',
      now: click.time,
    },
  )

describe('the referrer', () => {
  it.each([
    ['https://news.example/today', 'news.example'],
    ['https://bücher.example/straße', 'xn--bcher-kva.example'],
    ['https://пример.example/путь?q=я', 'xn--e1afmkfd.example'],
    ['https://例え.example/🌱', 'xn--r8jz45g.example'],
  ])('%s is read as UTF-8', (referrer, referrerHost) => {
    expect(described({ referer: bytes(referrer) })).toMatchObject({ referrer, referrerHost })
  })

  it.each(['https://a.example/café', 'https://a.example/na\u00efve?\u00ff', '\u00c3'])(
    '%s in bytes that are no UTF-8 is read as Latin-1',
    (referrer) => {
      expect(described({ referer: bytes(referrer, 'latin1') })).toMatchObject({ referrer })
    },
  )

  it.each([
    [253, 'x'.repeat(249)],
    [254, null],
  ])('with a host of %i characters has one that can be asked for, or none', (length, label) => {
    const host = `${'x'.repeat(length - 4)}.com`
    expect(described({ referer: `https://${host}/` })).toMatchObject({
      referrer: `https://${host}/`,
      referrerHost: label && `${label}.com`,
    })
  })

  it('that was cut within a character loses no more than that character', () => {
    const long = `https://a.example/${'я'.repeat(2_000)}`
    const { referrer } = described({ referer: bytes(long).slice(0, 2_048) })
    expect(referrer).toBe(long.slice(0, 18 + 1_015))
    expect(described({ referer: bytes(`x${long}`).slice(0, 2_048) }).referrer).toBe(
      `x${long}`.slice(0, 19 + 1_014),
    )
  })

  it('keeps no control character, in whichever encoding it came', () => {
    expect(described({ referer: bytes('https://a.example/\u0085\u009b\u007f\u0000x') }).referrer).toBe(
      'https://a.example/x',
    )
    expect(described({ referer: '\u0085\u009bé' }).referrer).toBe('é')
  })
})

it('a user agent of bytes that are no text is harmless', () => {
  expect(described({ userAgent: '\u00ff\u00fe\u0080' })).toMatchObject({ browser: null, os: null })
})

describe('the place', () => {
  const file = { country: 'DE', region: 'DE-BE', city: 'Berlin' }

  it.each([
    ['', file],
    ['DE', file],
    ['FR', { country: 'FR', region: null, city: null }],
  ])('where the proxy says %j', (country, expected) => {
    expect(described({ country })).toMatchObject(expected)
  })
})

it('a click is never later than the moment at which it is described', () => {
  const time = click.time + 86_400_000
  expect(described({ time })).toMatchObject({ occurredAt: new Date(click.time), ahead: true })
  expect(described({})).toMatchObject({ occurredAt: new Date(click.time), ahead: null })
})

it.each([
  ['qr=1&utm_source=poster', { source: 'qr', utmSource: 'poster' }],
  ['', { source: null, utmSource: null }],
])('the query %j says where the visit came from', (query, expected) => {
  expect(described({ query })).toMatchObject(expected)
})

describe('the kept part of an address', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['::1', '::'],
  ])('of %s is %s', (address, kept) => {
    expect(keptAddress(address, 'truncate')).toBe(kept)
  })

  it('is all of it, or nothing, where that was set', () => {
    expect(keptAddress('::ffff:203.0.113.77', 'full')).toBe('203.0.113.77')
    expect(keptAddress('2001:DB8:0::1', 'full')).toBe('2001:db8::1')
    expect(keptAddress('203.0.113.77', 'none')).toBeNull()
  })

  it.each(['', 'unknown', '203.0.113', '<script>', '203.0.113.77, 10.0.0.1'])('is nothing of %j', (text) => {
    expect(keptAddress(text, 'full')).toBeNull()
  })
})

const target = 'https://example.com/?utm_source=mail&utm_medium=email#utm_term=no'

it.each([
  ['', { utmSource: 'mail', utmMedium: 'email', utmTerm: null }],
  ['utm_source=news', { utmSource: 'news', utmMedium: 'email' }],
  ['utm_source=&utm_campaign=a%20b+c', { utmSource: 'mail', utmCampaign: 'a b c' }],
  ['utm_source=one&utm_source=two', { utmSource: 'one' }],
  ['utm_content=%E2%9C%93&utm_term=%00%0a', { utmContent: '✓', utmTerm: null }],
  ['utm_content=%FF%zz', { utmContent: '\ufffd%zz' }],
  ['xutm_source=a&UTM_SOURCE=b', { utmSource: 'mail' }],
])('of a visit with %j', (query, expected) => {
  expect(campaignOf(query, target)).toMatchObject(expected)
})

it('is cut where it is too long, and never within a character', () => {
  const { utmSource } = campaignOf(`utm_source=${encodeURIComponent('🌱'.repeat(300))}`, '')
  expect(utmSource).toBe('🌱'.repeat(100))
})

describe('the address', () => {
  it.each([
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%br-lan', 'fe80::1'],
    ['fe80::1%eth0.1', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['%eth0', null],
    ['1', null],
  ])('%s is kept as %s', (address, ip) => {
    expect(described({ address })).toMatchObject({ ip })
    expect(keptAddress(address, 'truncate') === null).toBe(ip === null)
  })
})

it('a click counts also where it cannot be described', () => {
  const broken = () => {
    throw new Error('a damaged file')
  }
  const how = {
    addressMode: 'full',
    locationOf: broken,
    visitorOf: () => 'somebody',
    now: click.time,
  } as const
  expect(describeClick({ ...click, address: '203.0.113.7', userAgent: 'Mozilla/5.0' }, how)).toMatchObject({
    id: click.id,
    linkId: click.linkId,
    country: null,
    ip: null,
    visitor: null,
  })
})
