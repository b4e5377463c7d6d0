import { layoutOf, UnreadableBody } from './layout.js'
import type { Layout } from './layout.js'
import type { Container, FormatName } from '../../link-fields.js'

const layout = (text: string | Buffer, container: Container = 'csv', format?: FormatName): Layout =>
  layoutOf({ bytes: Buffer.from(text), isLast: true }, container, format)

function refusal(...given: Parameters<typeof layout>): string {
  try {
    layout(...given)
  } catch (error) {
    if (error instanceof UnreadableBody) return error.code
    throw error
  }
  return 'accepted'
}

describe('the beginning of a body', () => {
  it.each([
    ['commas', 'url,slug\n', ',', ['url', 'slug']],
    ['semicolons', 'url;title, or so\n', ';', ['url', 'title, or so']],
    ['tabs', 'url\tslug\n', '\t', ['url', 'slug']],
    ['one column', 'url\n', ',', ['url']],
    ['quoted names', '"url";"a, b, c"\n', ';', ['url', 'a, b, c']],
    ['names with blanks around', ' URL , Slug \r\n', ',', ['URL', 'Slug']],
    ['a byte order mark', '\ufeffurl,slug\n', ',', ['url', 'slug']],
    ['no newline at the end', 'url,slug', ',', ['url', 'slug']],
  ])('with %s', (_, text, separator, columns) => {
    expect(layout(text)).toMatchObject({ format: 'csv', separator, columns, offset: Buffer.byteLength(text) })
  })

  it('may have empty lines, which are counted', () => {
    expect(layout('\r\n\nurl\nx')).toMatchObject({ line: 4, offset: 7 })
  })

  it('may be a header of several lines', () => {
    expect(layout('url,"a\nb"\nx')).toMatchObject({ line: 3, columns: ['url', 'a\nb'] })
  })

  it.each([
    ['empty', '', 'empty'],
    ['nothing but newlines', '\n\r\n', 'empty'],
    ['UTF-16', Buffer.from([0xff, 0xfe, 0x75, 0x00]), 'not_utf8'],
    ['a header that is no UTF-8', Buffer.from([0x75, 0xff, 0x0a]), 'invalid_utf8'],
    ['a header with a NUL', 'u\0rl\n', 'nul_byte'],
    ['a header with an open quote', 'url,"slug\n', 'open_quote'],
    ['columns of nobody', 'a,b\n', 'unknown_columns'],
    ['a column twice', 'url,slug,url\n', 'column_twice'],
    ['lines that end with CR alone', 'url,slug\rhttps://a.example/,a\r', 'line_ends'],
    ['too many columns', `url,${'x,'.repeat(300)}\n`, 'too_many_columns'],
  ])('is refused: %s', (_, text, code) => {
    expect(refusal(text)).toBe(code)
  })

  it('must be of the format that was asked for', () => {
    expect(refusal('url,slug\n', 'csv', 'bitly')).toBe('other_columns')
    expect(refusal('url,slug\n', 'csv', 'ndjson')).toBe('other_format')
    expect(refusal('keyword,url\n', 'csv', 'yourls')).toBe('accepted')
    // Without a wanted format, this header would count as one of YOURLS.
    expect(layout('keyword,url\n', 'csv', 'csv').format).toBe('csv')
  })

  it('of NDJSON is the first object; one that is none is a bad line, and no more', () => {
    expect(layout('\n{"address":"a","target":"b"}', 'ndjson')).toMatchObject({
      format: 'kutt',
      offset: 0,
      line: 1,
    })
    expect(layout('nonsense', 'ndjson').format).toBe('ndjson')
    expect(refusal('{"a":1}', 'ndjson')).toBe('unknown_columns')
  })
})
