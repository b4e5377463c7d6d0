import { parseDuration } from './duration.js'

describe('parseDuration', () => {
  it.each([
    ['1s', 1],
    ['15m', 900],
    ['24h', 86_400],
    ['30d', 2_592_000],
    ['2w', 1_209_600],
    ['99999s', 99_999],
  ])('parses %s', (text, seconds) => {
    expect(parseDuration(text)).toBe(seconds)
  })

  it.each([
    '',
    '30',
    'd',
    '0d',
    '00d',
    '01d',
    '-1d',
    '+1d',
    '1.5h',
    '1 d',
    ' 1d',
    '1d\n',
    '1y',
    'P30D',
    '1D',
    '100000s',
    '١d',
    '1d1h',
  ])('rejects %j', (text) => {
    expect(parseDuration(text)).toBeNull()
  })
})
