import { longestRecord } from '../limits.js'
import type { Container } from '../../link-fields.js'
import { layoutOf } from './layout.js'
import type { Line } from './line.js'
import { LineReader } from './line-reader.js'

/** Reads a whole body through windows of this size, with a new reader for each, as after a restart. */
function readAll(body: string | Buffer, container: Container = 'csv', windowBytes = Infinity): Line[] {
  const bytes = Buffer.from(body)
  const layout = layoutOf({ bytes, isLast: true }, container)
  let place = { offset: layout.offset, line: layout.line, isInLongLine: false }
  const lines: Line[] = []
  while (place.offset < bytes.length) {
    const start = place.offset
    const end = Math.min(bytes.length, start + windowBytes)
    place = { ...place }
    const window = { bytes: bytes.subarray(start, end), isLast: end === bytes.length }
    const read = new LineReader(layout).next(window, start, place, 3)
    if (place.offset === start) throw new Error('no progress')
    lines.push(...read)
  }
  return lines
}

const shown = (lines: Line[]): unknown[] =>
  lines.map(({ number, fields, fault }) => [number, fields ?? fault.code])
const url = 'https://example.com/'
const long = 'x'.repeat(longestRecord)

describe('lines', () => {
  it.each<[string, string | Buffer, unknown[]]>([
    [
      'are read with any newline',
      `url\r\n${url}1\r\n${url}2\n${url}3`,
      [
        [2, '1'],
        [3, '2'],
        [4, '3'],
      ],
    ],
    [
      'may be empty or of blanks only',
      `url,slug\n\n${url}1\n , \n${url}2\n\n`,
      [
        [3, '1'],
        [5, '2'],
      ],
    ],
    ['may have fewer cells than the header', `url,slug,title\n${url}1`, [[2, '1']]],
    ['may end with empty cells', `url,slug\n${url}1,,,`, [[2, '1']]],
    ['may not have more', `url,slug\n${url}1,a,b`, [[2, 'too_many_cells']]],
    [
      'that follow a newline in quotes have their true number',
      `url,title\n${url}1,"a\nb"\n${url}2`,
      [
        [2, '1'],
        [4, '2'],
      ],
    ],
    [
      'with text behind a quote are refused alone',
      `url,title\n"${url}"x,1\n${url}2`,
      [
        [2, 'bad_quotes'],
        [3, '2'],
      ],
    ],
    [
      'with an open quote are refused alone',
      `url,title\n${url}1,"a\n${url}2\n${url}3`,
      [
        [2, 'open_quote'],
        [3, '2'],
        [4, '3'],
      ],
    ],
    [
      'that are no UTF-8 are refused alone',
      Buffer.concat([Buffer.from(`url\n${url}1\n`), Buffer.from([0xff, 0x0a]), Buffer.from(`${url}2`)]),
      [
        [2, '1'],
        [3, 'invalid_utf8'],
        [4, '2'],
      ],
    ],
    [
      'with a NUL are refused alone',
      `url\na\0b\n${url}2`,
      [
        [2, 'nul_byte'],
        [3, '2'],
      ],
    ],
    [
      'of more than 64 KiB are refused alone',
      `url\n${long}x\n${url}2`,
      [
        [2, 'line_too_long'],
        [3, '2'],
      ],
    ],
    [
      'that are longer than a window are refused alone',
      `url\n${long}${long}${long}\n${url}2\n`,
      [
        [2, 'line_too_long'],
        [3, '2'],
      ],
    ],
    [
      'may be the last and too long',
      `url\n${url}1\n${long}${long}`,
      [
        [2, '1'],
        [3, 'line_too_long'],
      ],
    ],
  ])('%s', (_, body, expected) => {
    const ofUrl = (lines: Line[]) =>
      shown(lines).map((each) => {
        const [number, result] = each as [number, unknown]
        return [
          number,
          typeof result === 'object' ? (result as { url: string }).url.slice(url.length) : result,
        ]
      })
    expect(ofUrl(readAll(body))).toEqual(expected)
    // The result does not depend on where a window cuts a line.
    expect(ofUrl(readAll(body, 'csv', longestRecord * 2))).toEqual(expected)
  })

  it('keep what stands in quotes', () => {
    const [line] = readAll(`url,title,tags\n"${url}","a ""b"", c\r\nd "," x , y "`)
    expect(line!.fields).toEqual({ url, title: 'a "b", c\r\nd ', tags: ['x', 'y'] })
  })

  it('take tags that have commas as a JSON list', () => {
    const [line] = readAll(`url;tags\n${url};"[""a,b"",""c""]"`)
    expect(line!.fields!['tags']).toEqual(['a,b', 'c'])
  })

  it('show what stood there, without what cannot be stored', () => {
    expect(readAll(Buffer.from(`url,title\n\0,\u20ac\n`)).map(({ content }) => content)).toEqual([
      '\ufffd,\u20ac',
    ])
  })

  it('of JSON are objects, one each', () => {
    const body = `{"url":"${url}1","tags":["x"]}\n\n[1]\n{"url":\n"x"\n{"url":"${url}2","__proto__":{"url":"y"}}\n{"url":"a","url":"b"}`
    expect(shown(readAll(body, 'ndjson'))).toEqual([
      [1, { url: `${url}1`, tags: ['x'] }],
      [3, 'invalid_json'],
      [4, 'invalid_json'],
      [5, 'invalid_json'],
      [6, { url: `${url}2` }],
      [7, 'invalid_json'],
    ])
  })
})
