import { retryAfter } from './retry-after.js'

const now = new Date('2026-11-06T08:49:37.000Z')

describe('Retry-After', () => {
  it.each([
    ['1', '2026-11-06T08:49:38.000Z'],
    ['120', '2026-11-06T08:51:37.000Z'],
    [' 120 ', '2026-11-06T08:51:37.000Z'],
    ['86400', '2026-11-07T08:49:37.000Z'],
    ['Fri, 06 Nov 2026 09:00:00 GMT', '2026-11-06T09:00:00.000Z'],
    ['Friday, 06-Nov-26 09:00:00 GMT', '2026-11-06T09:00:00.000Z'],
    ['Fri Nov  6 09:00:00 2026', '2026-11-06T09:00:00.000Z'],
  ])('%j is %s', (value, expected) => {
    expect(retryAfter(value, now)?.toISOString()).toBe(expected)
  })

  it.each(['86401', '99999999999999999999999', 'Sat, 06 Nov 2027 09:00:00 GMT'])(
    '%j is a day ahead and no more',
    (value) => {
      expect(retryAfter(value, now)?.toISOString()).toBe('2026-11-07T08:49:37.000Z')
    },
  )

  it.each([
    undefined,
    '',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    'soon',
    '120, 240',
    'Fri, 06 Nov 2026 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Fri, 36 Nov 2026 09:00:00 GMT',
    '2026-11-06T09:00:00Z',
    'Fri, 06 Nov 2026 09:00:00 CET',
  ])('%j is nothing', (value) => {
    expect(retryAfter(value, now)).toBeNull()
  })
})
