import { hasQrMark, withoutQrMark } from './qr-mark.js'

it.each([
  ['qr=1', ''],
  ['qr=1&a=b', 'a=b'],
  ['a=b&qr=1', 'a=b'],
  ['a=b&qr=1&c=d', 'a=b&c=d'],
  ['qr=1&qr=1', ''],
  ['a=1&qr=1#part', 'a=1#part'],
])('%s is marked, and %j is left of it', (query, rest) => {
  expect(hasQrMark(query)).toBe(true)
  expect(withoutQrMark(query)).toBe(rest)
})

it.each(['', 'a=b', 'qr=10', 'qr=', 'qr', 'xqr=1', 'QR=1', 'a=qr=1', '&a=b'])('%j is not marked', (query) => {
  expect(hasQrMark(query)).toBe(false)
  expect(withoutQrMark(query)).toBe(query)
})
