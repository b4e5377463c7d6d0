import { fieldsOf, tableOf } from './table.js'
import type { TableColumn } from './table.js'

interface Row {
  slug: string
  title: string | null
}

const columns: TableColumn<Row>[] = [
  { title: 'slug', of: ({ slug }) => slug },
  { title: 'title', of: ({ title }) => title },
]
const plain = { width: null, hasColor: false }

describe('a table', () => {
  it('aligns its columns, and shows a dash for an empty cell', () => {
    const rows = [
      { slug: 'a', title: null },
      { slug: 'spring', title: 'Sale' },
    ]
    expect(tableOf(columns, rows, plain)).toEqual(['SLUG    TITLE', 'a       -', 'spring  Sale'])
  })

  it('narrows its widest column to fit the terminal', () => {
    const rows = [{ slug: 'spring', title: 'x'.repeat(90) }]
    const lines = tableOf(columns, rows, { width: 40, hasColor: false })
    expect(lines.map(({ length }) => length)).toEqual([13, 40])
    expect(lines[1]).toMatch(/^spring {2}x+…$/)
    expect(tableOf(columns, rows, plain)[1]).toHaveLength(98)
  })

  it('removes control characters from its cells', () => {
    const rows = [{ slug: 'a\u001b]0;x\u0007', title: 'one\ntwo\u009b2J' }]
    expect(tableOf(columns, rows, plain)[1]).toBe('a]0;x  onetwo2J')
    expect(fieldsOf({ title: '\u001b[2Jx' })).toEqual(['title  [2Jx'])
  })

  it('has color only if the terminal supports it', () => {
    expect(tableOf(columns, [], { width: 80, hasColor: true })[0]).toBe('\u001b[2mSLUG  TITLE\u001b[0m')
  })
})

it('shows an object with one field per line', () => {
  expect(fieldsOf({ id: 'lnk_1', tags: ['a', 'b'], clicks: { total: 1, human: 0 }, title: null })).toEqual([
    'id            lnk_1',
    'tags          a,b',
    'clicks.total  1',
    'clicks.human  0',
    'title         -',
  ])
})
