import { crc32 } from 'node:zlib'

import type { Visit } from '../../links/redirect/redirect-handler.js'
import { GrowingIds } from '../../platform/database/ids.js'
import { decodeClick, encodeFields, LineBuffer, visitLimits } from './click-line.js'

const id = new GrowingIds().nextId(1_763_712_345_678)

function encodeClick(clickId: string, fields: Visit): string {
  const lines = new LineBuffer()
  lines.appendLine(encodeFields(clickId, fields))
  return lines.getBytes().toString('latin1')
}

function visit(changes: Partial<Visit> = {}): Visit {
  return {
    linkId: '01890a5d-ac96-774b-bcce-b302099a8057',
    workspaceId: '01890a5d-ac96-774b-bcce-b302099a8058',
    slug: 'aB3_-',
    url: 'https://example.com/?a=1#b',
    userAgent: 'Mozilla/5.0',
    referer: 'https://news.example/',
    acceptLanguage: 'de-AT,de;q=0.9',
    address: '2001:db8::1',
    country: 'AT',
    query: 'utm_source=a&qr=1',
    traceparent: '',
    ...changes,
  }
}

describe('a click line', () => {
  it('decodes to the same visit, with the time from the ID', () => {
    expect(decodeClick(encodeClick(id, visit()).slice(0, -1))).toEqual({
      ...visit(),
      id,
      time: 1_763_712_345_678,
    })
  })

  it('decodes the trace of a redirect', () => {
    const traced = visit({ traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })
    for (const query of ['', traced.query, 'x'.repeat(visitLimits.query)])
      expect(decodeClick(encodeClick(id, { ...traced, query }).slice(0, -1))).toMatchObject({
        query,
        traceparent: traced.traceparent,
      })
  })

  it('of a traced redirect has the fields of 0.1.0, with an unknown parameter in the query', () => {
    const traced = visit({ traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' })
    const fields = encodeClick(id, traced).trimEnd().split('\t')
    expect(fields).toHaveLength(13)
    expect(fields[0]).toBe('1')
    const parameters = new URLSearchParams(fields[11])
    for (const [name, value] of new URLSearchParams(traced.query)) expect(parameters.get(name)).toBe(value)
  })

  it('keeps a traceparent in the query of a visitor as part of the query', () => {
    const query = 'a=1&traceparent=00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    expect(decodeClick(encodeClick(id, visit({ query })).slice(0, -1))).toMatchObject({
      query,
      traceparent: '',
    })
  })

  it.each([
    ['tabs and newlines', 'a\tb\nc\r\nd'],
    ['its own escapes', '\\u0009 \\ \\\\ \\u'],
    ['bytes beyond ASCII', 'caf\u00c3\u00a9 \u00ff'],
    ['control characters', '\u0000\u0001\u001b[31m\u007f'],
    ['other scripts and emoji', '日本語 🙂 \ud800'],
    ['empty fields', ''],
  ])('preserves %s', (_, text) => {
    const line = encodeClick(id, visit({ userAgent: text, referer: text, country: text.slice(0, 5) }))
    expect(line).toMatch(/^[\x20-\x7e\t]+\n$/)
    expect(decodeClick(line.slice(0, -1))).toMatchObject({
      userAgent: text,
      referer: text,
      country: text.slice(0, 5),
    })
  })

  it('truncates fields that are too long', () => {
    const long = 'x'.repeat(100_000)
    const click = decodeClick(
      encodeClick(
        id,
        visit({
          userAgent: long,
          referer: long,
          acceptLanguage: long,
          address: long,
          country: long,
          url: long,
          slug: long,
          query: long,
        }),
      ).slice(0, -1),
    )
    for (const [field, limit] of Object.entries(visitLimits))
      expect(click?.[field as keyof Visit]).toHaveLength(limit)
  })

  it('is rejected if any byte was changed, removed or added', () => {
    const line = encodeClick(id, visit()).slice(0, -1)
    for (let at = 0; at < line.length; at++) {
      const other = line[at] === 'x' ? 'y' : 'x'
      expect(decodeClick(line.slice(0, at) + other + line.slice(at + 1))).toBeNull()
      expect(decodeClick(line.slice(0, at) + line.slice(at + 1))).toBeNull()
      expect(decodeClick(line.slice(0, at))).toBeNull()
    }
    expect(decodeClick(`${line}0`)).toBeNull()
  })

  it('is decoded from a buffer of thousands of lines', () => {
    const lines = new LineBuffer()
    const count = 2_000
    for (let i = 0; i < count; i++) lines.appendLine(encodeFields(id, visit({ slug: `s${i}` })))
    const text = lines.getBytes().toString('latin1')
    expect(text).toHaveLength(lines.length)
    expect(lines.lineCount).toBe(count)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => decodeClick(line)?.slug),
    ).toEqual(Array.from({ length: count }, (_, i) => `s${i}`))
    lines.clear()
    expect(lines.getBytes()).toHaveLength(0)
  })

  it('is rejected if its version is unknown', () => {
    const text = encodeClick(id, visit()).replace(/^1/, '2').slice(0, -10)
    expect(decodeClick(`${text}\t${crc32(text).toString(16).padStart(8, '0')}`)).toBeNull()
  })

  it.each(['', '\t', 'garbage', '\0'.repeat(400), `1${'\t'.repeat(11)}`])(
    'is rejected if it is %j',
    (line) => {
      expect(decodeClick(line)).toBeNull()
    },
  )
})
