import type { Click } from '../journal/click-line.js'
import { shownAddress } from '../../platform/util/shown-address.js'
import { parseCampaign, describeClick } from './describe-click.js'

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
  traceparent: '',
}

/** Encodes a header value like the journal: one character for each byte. */
const bytes = (text: string, encoding: BufferEncoding = 'utf8') =>
  Buffer.from(text, encoding).toString('latin1')

const described = (fields: Partial<Click>) =>
  describeClick(
    { ...click, ...fields },
    {
      addressMode: 'full',
      locate: () => ({ country: 'DE', region: 'DE-BE', city: 'Berlin' }),
      hashVisitor: () => 'visitor',
      now: click.time,
    },
  )

describe('referrer', () => {
  it.each([
    ['https://news.example/today', 'news.example'],
    ['https://bücher.example/straße', 'xn--bcher-kva.example'],
    ['https://пример.example/путь?q=я', 'xn--e1afmkfd.example'],
    ['https://例え.example/🌱', 'xn--r8jz45g.example'],
  ])('decodes %s as UTF-8', (referrer, referrerHost) => {
    expect(described({ referer: bytes(referrer) })).toMatchObject({ referrer, referrerHost })
  })

  it.each(['https://a.example/café', 'https://a.example/na\u00efve?\u00ff', '\u00c3'])(
    'decodes %s as Latin-1 if its bytes are not valid UTF-8',
    (referrer) => {
      expect(described({ referer: bytes(referrer, 'latin1') })).toMatchObject({ referrer })
    },
  )

  it.each([
    [253, 'x'.repeat(249)],
    [254, null],
  ])('with a host of %i characters stores the host only up to 253 characters', (length, label) => {
    const host = `${'x'.repeat(length - 4)}.com`
    expect(described({ referer: `https://${host}/` })).toMatchObject({
      referrer: `https://${host}/`,
      referrerHost: label && `${label}.com`,
    })
  })

  it('loses only one character if it was truncated within that character', () => {
    const long = `https://a.example/${'я'.repeat(2_000)}`
    const { referrer } = described({ referer: bytes(long).slice(0, 2_048) })
    expect(referrer).toBe(long.slice(0, 18 + 1_015))
    expect(described({ referer: bytes(`x${long}`).slice(0, 2_048) }).referrer).toBe(
      `x${long}`.slice(0, 19 + 1_014),
    )
  })

  it('drops control characters in UTF-8 and Latin-1', () => {
    expect(described({ referer: bytes('https://a.example/\u0085\u009b\u007f\u0000x') }).referrer).toBe(
      'https://a.example/x',
    )
    expect(described({ referer: '\u0085\u009bé' }).referrer).toBe('é')
  })
})

it('accepts a user agent that is not valid text', () => {
  expect(described({ userAgent: '\u00ff\u00fe\u0080' })).toMatchObject({ browser: null, os: null })
})

describe('location', () => {
  const file = { country: 'DE', region: 'DE-BE', city: 'Berlin' }

  it.each([
    ['', file],
    ['DE', file],
    ['FR', { country: 'FR', region: null, city: null }],
  ])('combines the country %j from the proxy with the file', (country, expected) => {
    expect(described({ country })).toMatchObject(expected)
  })
})

it('limits the time of a click to the current time', () => {
  const time = click.time + 86_400_000
  expect(described({ time })).toMatchObject({ occurredAt: new Date(click.time), ahead: true })
  expect(described({})).toMatchObject({ occurredAt: new Date(click.time), ahead: null })
})

it.each([
  ['qr=1&utm_source=poster', { source: 'qr', utmSource: 'poster' }],
  ['', { source: null, utmSource: null }],
])('reads source and campaign from the query %j', (query, expected) => {
  expect(described({ query })).toMatchObject(expected)
})

describe('stored IP address', () => {
  it.each([
    ['203.0.113.77', '203.0.113.0'],
    ['::ffff:203.0.113.77', '203.0.113.0'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['::1', '::'],
  ])('truncates %s to %s', (address, network) => {
    expect(shownAddress(address, 'truncate')).toBe(network)
  })

  it('is the full address or null, depending on the mode', () => {
    expect(shownAddress('::ffff:203.0.113.77', 'full')).toBe('203.0.113.77')
    expect(shownAddress('2001:DB8:0::1', 'full')).toBe('2001:db8::1')
    expect(shownAddress('203.0.113.77', 'none')).toBeNull()
  })

  it.each(['', 'unknown', '203.0.113', '<script>', '203.0.113.77, 10.0.0.1'])('is null for %j', (text) => {
    expect(shownAddress(text, 'full')).toBeNull()
  })
})

const destination = 'https://example.com/?utm_source=mail&utm_medium=email#utm_term=no'

it.each([
  ['', { utmSource: 'mail', utmMedium: 'email', utmTerm: null }],
  ['utm_source=news', { utmSource: 'news', utmMedium: 'email' }],
  ['utm_source=&utm_campaign=a%20b+c', { utmSource: 'mail', utmCampaign: 'a b c' }],
  ['utm_source=one&utm_source=two', { utmSource: 'one' }],
  ['utm_content=%E2%9C%93&utm_term=%00%0a', { utmContent: '✓', utmTerm: null }],
  ['utm_content=%FF%zz', { utmContent: '\ufffd%zz' }],
  [bytes('utm_source=café&utm_term=%C3%A9'), { utmSource: 'café', utmTerm: 'é' }],
  [bytes('utm_source=café', 'latin1'), { utmSource: 'café' }],
  ['xutm_source=a&UTM_SOURCE=b', { utmSource: 'mail' }],
])('reads the campaign from the query %j and the destination', (query, expected) => {
  expect(parseCampaign(query, destination)).toMatchObject(expected)
})

it('truncates campaign parameters without splitting a character', () => {
  const { utmSource } = parseCampaign(`utm_source=${encodeURIComponent('🌱'.repeat(300))}`, '')
  expect(utmSource).toBe('🌱'.repeat(100))
})

describe('IP address', () => {
  it.each([
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%br-lan', 'fe80::1'],
    ['fe80::1%eth0.1', 'fe80::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['%eth0', null],
    ['1', null],
  ])('stores %s as %s', (address, ip) => {
    expect(described({ address })).toMatchObject({ ip })
    expect(shownAddress(address, 'truncate') === null).toBe(ip === null)
  })
})

it('counts a click that cannot be described', () => {
  const broken = () => {
    throw new Error('a damaged file')
  }
  const options = {
    addressMode: 'full',
    locate: broken,
    hashVisitor: () => 'visitor',
    now: click.time,
  } as const
  expect(
    describeClick({ ...click, address: '203.0.113.7', userAgent: 'Mozilla/5.0' }, options),
  ).toMatchObject({
    id: click.id,
    linkId: click.linkId,
    country: null,
    ip: null,
    visitor: null,
  })
})
