import type { Outcome } from '../platform/outbound/outcome.js'
import { maskEchoes } from './echoes.js'

const outcome = (fields: Partial<Outcome>) =>
  ({ error: null, responseHeaders: null, responseBody: null, ...fields }) as Outcome
const mask = (body: string, value: string) =>
  maskEchoes(outcome({ responseBody: body }), new Map([['x-a', value]])).responseBody

it('masks a value wherever a response repeats it', () => {
  const masked = maskEchoes(
    outcome({
      error: { class: 'redirect', message: 'Points to /?key=secret-key', phase: null },
      responseHeaders: { 'x-echo': 'key secret-key', 'x-secret-key': 'a' },
      responseBody: 'secret-key and secret-key',
    }),
    new Map([['x-key', 'secret-key']]),
  )
  expect(masked).toMatchObject({
    error: { class: 'redirect', message: 'Points to /?key=…' },
    responseHeaders: { 'x-echo': 'key …', 'x-…': 'a' },
    responseBody: '… and …',
  })
})

it.each([
  ['without the scheme', 'token: abcdefgh12', 'Bearer abcdefgh12', 'token: …'],
  ['cut at the end', 'token: abcdefgh', 'Bearer abcdefgh12', 'token: …'],
  ['escaped in JSON', '{"a":"ab\\"cdefgh"}', 'ab"cdefgh', '{"a":"…"}'],
  ['with escaped slashes', '{"a":"ab\\/cd\\/efgh"}', 'ab/cd/efgh', '{"a":"…"}'],
  ['of several short words', 'say open sesame', 'open sesame', 'say …'],
])('masks a value %s', (_, body, value, masked) => expect(mask(body, value)).toBe(masked))

it('keeps short words readable', () => {
  expect(mask('json 1234567', '1234567')).toBe('json 1234567')
})

it('returns the outcome of a webhook without headers unchanged', () => {
  const plain = outcome({ responseBody: 'a' })
  expect(maskEchoes(plain, new Map())).toBe(plain)
})
