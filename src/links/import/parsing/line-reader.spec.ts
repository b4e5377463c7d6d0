import { maxRecordBytes } from '../limits.js'
import type { Container } from '../../link-fields.js'
import { detectLayout } from './layout.js'
import type { Line } from './records.js'
import { LineReader } from './line-reader.js'

/** Reads a file in windows of this size, with a new reader for each window, as after a restart. */
function readAll(body: string | Buffer, container: Container = 'csv', windowBytes = Infinity): Line[] {
  const bytes = Buffer.from(body)
  const layout = detectLayout({ bytes, isLast: true }, container)
  let place = { offset: layout.offset, line: layout.line, isInLongLine: false }
  const lines: Line[] = []
  while (place.offset < bytes.length) {
    const start = place.offset
    const end = Math.min(bytes.length, start + windowBytes)
    place = { ...place }
    const window = { bytes: bytes.subarray(start, end), isLast: end === bytes.length }
    const read = new LineReader(layout).readLines(window, start, place, 3)
    if (place.offset === start) throw new Error('no progress')
    lines.push(...read)
  }
  return lines
}

const shown = (lines: Line[]): unknown[] =>
  lines.map(({ number, fields, fault }) => [number, fields ?? fault.code])
const url = 'https://example.com/'
const long = 'x'.repeat(maxRecordBytes)

describe('the line reader', () => {
  it.each<[string, string | Buffer, unknown[]]>([
    [
      'reads lines with LF and CRLF',
      `url\r\n${url}1\r\n${url}2\n${url}3`,
      [
        [2, '1'],
        [3, '2'],
        [4, '3'],
      ],
    ],
    [
      'skips empty and blank lines',
      `url,slug\n\n${url}1\n , \n${url}2\n\n`,
      [
        [3, '1'],
        [5, '2'],
      ],
    ],
    ['accepts fewer cells than the header row has', `url,slug,title\n${url}1`, [[2, '1']]],
    ['ignores empty cells at the end', `url,slug\n${url}1,,,`, [[2, '1']]],
    ['rejects more cells than the header row has', `url,slug\n${url}1,a,b`, [[2, 'too_many_cells']]],
    [
      'counts newlines in quotes',
      `url,title\n${url}1,"a\nb"\n${url}2`,
      [
        [2, '1'],
        [4, '2'],
      ],
    ],
    [
      'rejects only the line with text after a closing quote',
      `url,title\n"${url}"x,1\n${url}2`,
      [
        [2, 'bad_quotes'],
        [3, '2'],
      ],
    ],
    [
      'rejects only the line with an open quote',
      `url,title\n${url}1,"a\n${url}2\n${url}3`,
      [
        [2, 'open_quote'],
        [3, '2'],
        [4, '3'],
      ],
    ],
    [
      'rejects only the line that is not UTF-8',
      Buffer.concat([Buffer.from(`url\n${url}1\n`), Buffer.from([0xff, 0x0a]), Buffer.from(`${url}2`)]),
      [
        [2, '1'],
        [3, 'invalid_utf8'],
        [4, '2'],
      ],
    ],
    [
      'rejects only the line with a NUL',
      `url\na\0b\n${url}2`,
      [
        [2, 'nul_byte'],
        [3, '2'],
      ],
    ],
    [
      'rejects only the line with more than 64 KiB',
      `url\n${long}x\n${url}2`,
      [
        [2, 'line_too_long'],
        [3, '2'],
      ],
    ],
    [
      'rejects only the line that is longer than a window',
      `url\n${long}${long}${long}\n${url}2\n`,
      [
        [2, 'line_too_long'],
        [3, '2'],
      ],
    ],
    [
      'rejects a last line that is too long',
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
    // The result does not depend on where windows split the lines.
    expect(ofUrl(readAll(body, 'csv', maxRecordBytes * 2))).toEqual(expected)
  })

  it('keeps separators, newlines and spaces in quotes', () => {
    const [line] = readAll(`url,title,tags\n"${url}","a ""b"", c\r\nd "," x , y "`)
    expect(line!.fields).toEqual({ url, title: 'a "b", c\r\nd ', tags: ['x', 'y'] })
  })

  it('reads tags with commas from a JSON list', () => {
    const [line] = readAll(`url;tags\n${url};"[""a,b"",""c""]"`)
    expect(line!.fields!['tags']).toEqual(['a,b', 'c'])
  })

  it('replaces NUL in the content of a line', () => {
    expect(readAll(Buffer.from(`url,title\n\0,\u20ac\n`)).map(({ content }) => content)).toEqual([
      '\ufffd,\u20ac',
    ])
  })

  it('reads one JSON object per line', () => {
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

it('parses at most the given number of empty lines at once', () => {
  const bytes = Buffer.from(`url\n${'\n'.repeat(10)}`)
  const layout = detectLayout({ bytes, isLast: true }, 'csv')
  const place = { offset: layout.offset, line: layout.line, isInLongLine: false }
  expect(new LineReader(layout).readLines({ bytes, isLast: true }, 0, place, 3)).toEqual([])
  expect(place).toMatchObject({ offset: layout.offset + 3, line: layout.line + 3 })
})
