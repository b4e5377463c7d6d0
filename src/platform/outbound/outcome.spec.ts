import { parseHeaders, ResponseBody, parseRetryAfter } from './outcome.js'

function raw(...pairs: [string, string][]): Buffer[] {
  return pairs.flat().map((text) => Buffer.from(text, 'latin1'))
}

describe('the headers of a response', () => {
  it('have lower-case names, and repeated headers are joined', () => {
    expect({
      ...parseHeaders(raw(['Content-Type', 'a/b'], ['Set-Cookie', 'a=1'], ['set-cookie', 'b=2'])),
    }).toEqual({
      'content-type': 'a/b',
      'set-cookie': 'a=1, b=2',
    })
  })

  it('do not contain control characters', () => {
    expect(parseHeaders(raw(['a', 'x\u0000\u001b[31my\tz\u0085']))['a']).toBe('x[31myz')
  })

  it('may have the names of object properties', () => {
    const headers = parseHeaders(raw(['constructor', 'a'], ['__proto__', 'b'], ['toString', 'c']))
    expect(JSON.parse(JSON.stringify(headers), (_key, value) => value)).toEqual(
      JSON.parse('{"constructor": "a", "__proto__": "b", "tostring": "c"}'),
    )
  })

  it('are cut to 1,000 characters each, even when joined', () => {
    const headers = parseHeaders(raw(['a', 'x'.repeat(5000)], ['b', 'y'.repeat(900)], ['b', 'z'.repeat(900)]))
    expect(headers['a']).toHaveLength(1000)
    expect(headers['b']).toHaveLength(1000)
  })

  it('are limited to 100', () => {
    const headers = parseHeaders(
      raw(...Array.from({ length: 500 }, (_, i): [string, string] => [`h${i}`, 'x'])),
    )
    expect(Object.keys(headers)).toHaveLength(100)
    expect(headers).toHaveProperty('h99')
  })

  it('are limited to 8 KiB in total', () => {
    const headers = parseHeaders(
      raw(...Array.from({ length: 50 }, (_, i): [string, string] => [`h${i}`, 'x'.repeat(990)])),
    )
    expect(Object.entries(headers).flat().join('').length).toBeLessThanOrEqual(8192)
    expect(Object.keys(headers)).toHaveLength(8)
  })
})

function readBodyChunks(...chunks: (string | Buffer)[]) {
  const body = new ResponseBody()
  const whole = chunks.every((chunk) => body.appendChunk(Buffer.from(chunk)))
  return { text: body.toText(), whole }
}

describe('the body of a response', () => {
  it('is stored as text, from one chunk or many', () => {
    expect(readBodyChunks()).toEqual({ text: '', whole: true })
    expect(readBodyChunks('a line\n\tand one more')).toEqual({ text: 'a line\n\tand one more', whole: true })
    expect(readBodyChunks(...Array.from('grüße 👋'))).toEqual({ text: 'grüße 👋', whole: true })
    const bytes = Array.from(Buffer.from('grüße 👋'), (byte) => Buffer.from([byte]))
    expect(readBodyChunks(...bytes).text).toBe('grüße 👋')
  })

  it('is cut after 16 KiB', () => {
    const most = 'x'.repeat(16_384)
    expect(readBodyChunks(most)).toEqual({ text: most, whole: true })
    expect(readBodyChunks('x', 'x'.repeat(16_383))).toEqual({ text: most, whole: true })
    expect(readBodyChunks(`${most}x`)).toEqual({ text: most, whole: false })
    expect(readBodyChunks(most, 'x')).toEqual({ text: most, whole: false })
  })

  it('is not cut within a character', () => {
    expect(readBodyChunks(`${'x'.repeat(16_382)}👋`)).toEqual({ text: 'x'.repeat(16_382), whole: false })
  })

  it('contains no control characters, and marks invalid UTF-8', () => {
    expect(readBodyChunks('a\u0000b\r\n\u001b[31mc\u0007\u009bd').text).toBe('ab\n[31mcd')
    expect(readBodyChunks(Buffer.from([0x61, 0xff, 0xed, 0xa0, 0x80, 0x62])).text).toMatch(/^a\ufffd+b$/)
    expect(readBodyChunks(Buffer.from([0xff, 0, 0xfe])).text.isWellFormed()).toBe(true)
  })
})

const now = new Date('2026-11-06T08:49:37.000Z')

describe('Retry-After', () => {
  it.each([
    ['1', '2026-11-06T08:49:38.000Z'],
    ['120', '2026-11-06T08:51:37.000Z'],
    [' 120 ', '2026-11-06T08:51:37.000Z'],
    ['86400', '2026-11-07T08:49:37.000Z'],
    ['Fri, 06 Nov 2026 09:00:00 GMT', '2026-11-06T09:00:00.000Z'],
    ['Friday, 06-Nov-26 09:00:00 GMT', '2026-11-06T09:00:00.000Z'],
    ['Fri Nov  6 09:00:00 2026', '2026-11-06T09:00:00.000Z'],
  ])('%j means %s', (value, expected) => {
    expect(parseRetryAfter(value, now)?.toISOString()).toBe(expected)
  })

  it.each(['86401', '99999999999999999999999', 'Sat, 06 Nov 2027 09:00:00 GMT'])(
    '%j is limited to a day',
    (value) => {
      expect(parseRetryAfter(value, now)?.toISOString()).toBe('2026-11-07T08:49:37.000Z')
    },
  )

  it.each([
    undefined,
    '',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '120, 240',
    'Fri, 06 Nov 2026 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Fri, 36 Nov 2026 09:00:00 GMT',
    '2026-11-06T09:00:00Z',
    'Fri, 06 Nov 2026 09:00:00 CET',
  ])('%j is ignored', (value) => {
    expect(parseRetryAfter(value, now)).toBeNull()
  })
})
