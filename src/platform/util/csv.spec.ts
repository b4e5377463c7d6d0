import { csvLine, csvList, unprotected } from './csv.js'

describe('a cell', () => {
  it.each([
    ['plain', 'plain'],
    ['a,b', '"a,b"'],
    ['a "b"', '"a ""b"""'],
    ['a\nb', '"a\nb"'],
    [' a', '" a"'],
    ['=1', "'=1"],
    ["'=1", "''=1"],
    ["'a", "'a"],
    ['\t=1', `"'\t=1"`],
    [null, ''],
    [true, 'true'],
    [-1, '-1'],
  ])('%j is written as %s', (value, written) => {
    expect(csvLine([value])).toBe(`${written}\r\n`)
  })

  it.each(['=1', "'=1", "'''-1", '+', '@', "'", "'a", '', 'a=1'])('%j is restored', (text) => {
    const written = csvLine([text]).slice(0, -2)
    expect(unprotected(written)).toBe(text)
    expect(written).not.toMatch(/^[=+\-@]/)
  })
})

it.each([
  [['a', 'b'], 'a,b'],
  [['a,b'], '["a,b"]'],
  [[' a'], '[" a"]'],
  [['[a]'], '["[a]"]'],
  [['a', '[b]'], 'a,[b]'],
  [[], ''],
])('the list %j is written as %s', (words, written) => {
  expect(csvList(words)).toBe(written)
})
