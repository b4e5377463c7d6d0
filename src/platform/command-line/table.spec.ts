import { formatCsv, formatFields, formatFieldsAsCsv, formatTable } from './table.js'
import type { TableColumn } from './table.js'

interface Row {
  slug: string
  title: string | null
}

const columns: TableColumn<Row>[] = [
  { title: 'slug', value: ({ slug }) => slug },
  { title: 'title', value: ({ title }) => title, kind: 'text' },
]
const plain = { width: null, hasColor: false }

describe('a table', () => {
  it('aligns its columns, and shows a dash for an empty cell', () => {
    const rows = [
      { slug: 'a', title: null },
      { slug: 'spring', title: 'Sale' },
    ]
    expect(formatTable(columns, rows, plain)).toEqual(['SLUG    TITLE', 'a       -', 'spring  Sale'])
  })

  it('shortens texts to fit the terminal', () => {
    const rows = [{ slug: 'spring', title: 'x'.repeat(900) }]
    const lines = formatTable(columns, rows, { width: 40, hasColor: false })
    expect(lines.map(({ length }) => length)).toEqual([13, 40])
    expect(lines[1]).toMatch(/^spring {2}x+…$/)
    expect(formatTable(columns, rows, plain)[1]).toHaveLength(908)
  })

  it('removes control characters from its cells', () => {
    const rows = [{ slug: 'a\u001b]0;x\u0007', title: 'one\ntwo\u009b2J' }]
    expect(formatTable(columns, rows, plain)[1]).toBe('a]0;x  onetwo2J')
    expect(formatFields({ title: '\u001b[2Jx' }, {}, plain)).toEqual(['title  [2Jx'])
  })

  it('has color only if the terminal supports it', () => {
    const state: TableColumn<Row>[] = [{ title: 'status', value: () => 'failing', tone: () => 'bad' }]
    expect(formatTable(state, [{ slug: 'a', title: null }], { width: 80, hasColor: true })).toEqual([
      '\u001b[2mSTATUS\u001b[0m',
      '\u001b[31mfailing\u001b[0m',
    ])
  })
})

describe('a table in a narrow terminal', () => {
  const id = 'lnk_01kaj3v9z4f8hva3x7m2c5d6ne'
  const link = {
    id,
    slug: 'a-slug-of-a-campaign-in-spring',
    clicks: 12,
    url: 'https://target.example/a/long/path/to/the/product?with=a&long=query',
    created: '2026-01-31T12:00:00.000Z',
  }
  const wide: TableColumn<typeof link>[] = [
    { title: 'id', value: (each) => each.id },
    { title: 'slug', value: (each) => each.slug },
    { title: 'clicks', value: (each) => each.clicks, dropOrder: 2 },
    { title: 'created', value: (each) => each.created, kind: 'day', dropOrder: 1 },
    { title: 'url', value: (each) => each.url, kind: 'url', dropOrder: 3 },
  ]
  const headerIn = (width: number) => formatTable(wide, [link], { width, hasColor: false })[0]!.split(/ +/)
  const rowIn = (width: number) => formatTable(wide, [link], { width, hasColor: false })[1]!

  it('drops the least important columns first', () => {
    expect(headerIn(200)).toEqual(['ID', 'SLUG', 'CLICKS', 'CREATED', 'URL'])
    expect(headerIn(115)).toEqual(['ID', 'SLUG', 'CLICKS', 'URL'])
    expect(headerIn(105)).toEqual(['ID', 'SLUG', 'URL'])
    expect(headerIn(100)).toEqual(['ID', 'SLUG', 'CLICKS', 'CREATED'])
    expect(headerIn(65)).toEqual(['ID', 'SLUG'])
  })

  it('never shortens an ID, a slug, the host or the end of the path', () => {
    for (let width = 20; width < 200; width++) {
      const [shownId, slug, ...rest] = rowIn(width).split(/ +/)
      expect([shownId, slug]).toEqual([link.id, link.slug])
      if (headerIn(width).includes('URL'))
        expect(rest.at(-1)).toMatch(/^https:\/\/target\.example\/.*he\/product\?(…|with=a&long=query)$/)
      if (width >= 62) expect(rowIn(width).length).toBeLessThanOrEqual(width)
    }
  })

  it('shortens only the query and the middle of the path', () => {
    expect(rowIn(115)).toMatch(/ {2}https:\/\/target\.example\/….*\/to\/the\/product\?…$/)
  })
})

it('shows an object with one field per line', () => {
  const link = {
    id: 'lnk_1',
    tags: ['a', 'b'],
    clicks: { total: 1, human: 0 },
    title: null,
    status: 'failing',
  }
  expect(formatFields(link, { status: 'bad' }, { width: 20, hasColor: true })).toEqual([
    'id            lnk_1',
    'tags          a,b',
    'clicks.total  1',
    'clicks.human  0',
    'title         -',
    'status        \u001b[31mfailing\u001b[0m',
  ])
})

it('writes CSV with all columns in full', () => {
  const rows = [{ slug: 'a', title: `one, "two" ${'x'.repeat(600)}` }]
  expect(formatCsv([...columns, { title: 'last used', value: () => null }], rows)).toBe(
    `slug,title,last_used\r\na,"one, ""two"" ${'x'.repeat(600)}",\r\n`,
  )
  expect(formatFieldsAsCsv({ id: 'lnk_1', clicks: { total: 1 } })).toBe('id,clicks.total\r\nlnk_1,1\r\n')
})
