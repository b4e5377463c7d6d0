import { detectLayout, UnreadableFile } from './layout.js'
import type { Layout } from './layout.js'
import type { Container, FormatName } from '../../link-fields.js'

const layout = (text: string | Buffer, container: Container = 'csv', format?: FormatName): Layout =>
  detectLayout({ bytes: Buffer.from(text), isLast: true }, container, format)

function errorCode(...args: Parameters<typeof layout>): string {
  try {
    layout(...args)
  } catch (error) {
    if (error instanceof UnreadableFile) return error.code
    throw error
  }
  return 'accepted'
}

describe('detecting the layout of a file', () => {
  it.each([
    ['commas', 'url,slug\n', ',', ['url', 'slug']],
    ['semicolons', 'url;title, or so\n', ';', ['url', 'title, or so']],
    ['tabs', 'url\tslug\n', '\t', ['url', 'slug']],
    ['one column', 'url\n', ',', ['url']],
    ['quoted names', '"url";"a, b, c"\n', ';', ['url', 'a, b, c']],
    ['names with blanks around', ' URL , Slug \r\n', ',', ['URL', 'Slug']],
    ['a byte order mark', '\ufeffurl,slug\n', ',', ['url', 'slug']],
    ['no newline at the end', 'url,slug', ',', ['url', 'slug']],
  ])('reads a header row with %s', (_, text, separator, columns) => {
    expect(layout(text)).toMatchObject({ format: 'csv', separator, columns, offset: Buffer.byteLength(text) })
  })

  it('skips and counts empty lines before the header row', () => {
    expect(layout('\r\n\nurl\nx')).toMatchObject({ line: 4, offset: 7 })
  })

  it('reads a header row that spans several lines', () => {
    expect(layout('url,"a\nb"\nx')).toMatchObject({ line: 3, columns: ['url', 'a\nb'] })
  })

  it.each([
    ['an empty file', '', 'empty'],
    ['nothing but newlines', '\n\r\n', 'empty'],
    ['UTF-16', Buffer.from([0xff, 0xfe, 0x75, 0x00]), 'not_utf8'],
    ['a header row that is not UTF-8', Buffer.from([0x75, 0xff, 0x0a]), 'invalid_utf8'],
    ['a header row with a NUL', 'u\0rl\n', 'nul_byte'],
    ['a header row with an open quote', 'url,"slug\n', 'open_quote'],
    ['unknown columns', 'a,b\n', 'unknown_columns'],
    ['a duplicate column', 'url,slug,url\n', 'duplicate_column'],
    ['CR line endings', 'url,slug\rhttps://a.example/,a\r', 'unsupported_line_endings'],
    ['too many columns', `url,${'x,'.repeat(300)}\n`, 'too_many_columns'],
  ])('rejects %s', (_, text, code) => {
    expect(errorCode(text)).toBe(code)
  })

  it('rejects a file that does not have the requested format', () => {
    expect(errorCode('url,slug\n', 'csv', 'bitly')).toBe('other_columns')
    expect(errorCode('url,slug\n', 'csv', 'ndjson')).toBe('format_mismatch')
    expect(errorCode('keyword,url\n', 'csv', 'yourls')).toBe('accepted')
    // Without a requested format, this header row would be recognized as YOURLS.
    expect(layout('keyword,url\n', 'csv', 'csv').format).toBe('csv')
  })

  it('recognizes NDJSON by its first object, and leaves an invalid first line to the line reader', () => {
    expect(layout('\n{"address":"a","target":"b"}', 'ndjson')).toMatchObject({
      format: 'kutt',
      offset: 0,
      line: 1,
    })
    expect(layout('nonsense', 'ndjson').format).toBe('ndjson')
    expect(errorCode('{"a":1}', 'ndjson')).toBe('unknown_columns')
  })
})
