/** Invalid expiries of links are rejected and change nothing. */
import { cases, expectFieldError, noTimes } from '../../support/bad-input.js'
import { calls, expectBothReject, send, withUrl } from './bad-input.js'

describe('expires_at', () => {
  it.each(
    cases([
      0,
      1893456000,
      1893456000000,
      true,
      [],
      {},
      '',
      'tomorrow',
      '2099',
      '2099-01-01',
      '2099-01-01T00:00:00',
      '2099-01-01 00:00:00Z',
      '2099-13-01T00:00:00Z',
      '2099-01-32T00:00:00Z',
      '2099-01-01T25:00:00Z',
      '2099-01-01T00:00:00+0100',
      '2099-01-01T00:00:00+25:00',
      '+012099-01-01T00:00:00Z',
      '2099-01-01T00:00:00Z\u0000',
      ' 2099-01-01T00:00:00Z',
      '٢٠٩٩-01-01T00:00:00Z',
      ['2099-01-01T00:00:00Z'],
      '30d',
      'infinity',
      'now',
      ...noTimes,
    ]),
  )('rejects %s', async (_, value) => expectBothReject('expires_at', value, 'invalid_timestamp'))

  it.each([
    '2001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    new Date().toISOString(),
  ])('rejects %s, which is in the past', async (value) =>
    expectBothReject('expires_at', value, 'in_the_past'),
  )
})

describe('expires_in', () => {
  const wrong = [
    30,
    0,
    -1,
    true,
    [],
    {},
    ['30d'],
    '',
    '30',
    '0d',
    '-1d',
    '+1d',
    '1.5h',
    '1y',
    '1M',
    '1D',
    ' 1d',
    '1d ',
    '1d\n',
    'P30D',
    '1d1h',
    '3651d',
    '99999w',
    '9'.repeat(10_000) + 'd',
    '١d',
    '2099-01-01T00:00:00Z',
    'never',
  ]
  it.each(cases(wrong))('rejects %s', async (_, value) =>
    expectBothReject('expires_in', value, 'invalid_duration'),
  )

  it('is rejected together with expires_at', async () => {
    for (const call of calls)
      expectFieldError(
        await send(call, withUrl({ expires_in: '1d', expires_at: '2099-01-01T00:00:00Z' })),
        '/expires_in',
        'mutually_exclusive',
      )
  })
})
