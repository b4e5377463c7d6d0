import { readFileSync } from 'node:fs'

import { detectLayout } from './layout.js'
import { LineReader } from './line-reader.js'
import type { Container, FormatName } from '../../link-fields.js'
import type { Line } from './records.js'

interface Read {
  format: FormatName
  lines: Line[]
  ignored: string[]
}

function readFixture(name: string): Read {
  const bytes = readFileSync(`test/support/imports/${name}`)
  const window = { bytes, isLast: true }
  const layout = detectLayout(window, name.split('.')[1] as Container)
  const reader = new LineReader(layout)
  const place = { offset: layout.offset, line: layout.line, isInLongLine: false }
  return {
    format: layout.format,
    lines: reader.readLines(window, 0, place, 100),
    ignored: [...reader.ignored],
  }
}

const first = {
  url: 'https://example.com/a',
  slug: 'a',
  title: 'First',
  tags: ['x', 'y'],
  external_id: 'ext-1',
  redirect_status: 301,
  forward_query: true,
  enabled: false,
  expires_at: '2099-01-01T00:00:00Z',
}
const spring = {
  url: 'https://example.com/a?b=1',
  slug: '3xAmPle',
  title: 'Spring, sale',
  tags: ['sale', 'mail'],
}
const long = {
  url: 'https://example.com/long',
  slug: 'abc12',
  title: 'A "quoted" title',
  tags: ['news', 'mail'],
}
const end = '2099-01-01T00:00:00'

describe('an export', () => {
  it.each<[string, FormatName, unknown[]]>([
    ['own.csv', 'csv', [first, { url: 'https://example.com/b', title: '=Second' }]],
    ['own.ndjson', 'ndjson', [first, { url: 'https://example.com/b', title: '=Second' }]],
    ['bitly.csv', 'bitly', [spring, { url: 'https://example.com/spring', slug: 'spring' }]],
    ['bitly.ndjson', 'bitly', [spring, { url: 'https://example.com/spring', slug: 'spring', tags: [] }]],
    [
      'dub.csv',
      'dub',
      [
        { url: 'https://example.com/try', slug: 'try', title: 'Try it', tags: ['launch', 'mail'] },
        { url: 'https://example.com/docs', slug: 'docs' },
      ],
    ],
    [
      'dub.ndjson',
      'dub',
      [
        {
          url: 'https://example.com/try',
          slug: 'try',
          title: 'Try it',
          tags: ['launch', 'mail'],
          external_id: '77',
          expires_at: `${end}.000Z`,
        },
        'has_password',
      ],
    ],
    [
      'kutt.csv',
      'kutt',
      [
        {
          url: 'https://example.com/welcome',
          slug: 'welcome',
          title: 'Hello there',
          enabled: true,
          expires_at: `${end}Z`,
        },
        { url: 'https://example.com/spam', slug: 'spam', enabled: false },
      ],
    ],
    ['shlink.csv', 'shlink', [long, { url: 'https://example.com/other', slug: 'def34' }]],
    ['shlink.ndjson', 'shlink', [{ ...long, expires_at: `${end}+00:00` }]],
    [
      'yourls.csv',
      'yourls',
      [
        { url: 'https://ozh.example/', slug: 'ozh', title: 'Ozh & friends' },
        { url: 'https://example.com/two', slug: '2' },
      ],
    ],
    [
      'yourls-plugin.csv',
      'yourls',
      [
        { url: 'https://ozh.example/', slug: 'ozh' },
        { url: 'https://example.com/two', slug: '2' },
      ],
    ],
  ])('is recognized and read: %s', (name, format, expected) => {
    const { format: detected, lines } = readFixture(name)
    expect(detected).toBe(format)
    expect(lines.map(({ fields, fault }) => fields ?? fault.code)).toEqual(expected)
  })

  it('lists its ignored columns', () => {
    expect(readFixture('own.csv').ignored).toEqual(['remark'])
    expect(readFixture('own.ndjson').ignored).toEqual(['remark'])
    expect(readFixture('shlink.csv').ignored).toEqual(['createdAt', 'domain', 'shortUrl', 'visits'])
    expect(readFixture('yourls-plugin.csv').ignored).toEqual(['hits'])
  })
})
