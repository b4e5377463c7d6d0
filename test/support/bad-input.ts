/** Helpers for specs that send invalid input. Invalid input must be rejected and change nothing. */
import { isDeepStrictEqual } from 'node:util'

import type { ServiceResponse } from './service.js'

/** Names each case by its first 60 characters, so that long values do not flood the report. */
export const cases = (values: unknown[]) =>
  values.map((value) => [JSON.stringify(value).slice(0, 60), value] as const)

/** Values of every JSON type except string and null. */
export const noTexts = [
  ...[1, 0, -1, 1.5, 1e308, true, false],
  ...[[], {}, [1], { a: 1 }, [['a']], { length: 1, 0: 'a' }],
]

/** Invalid labels: empty, blank, with control characters, or with a lone surrogate. */
export const badTexts = [
  ...['', ' ', '\t', '\u00a0\u2003'],
  ...['a\u0000b', '\u0000', 'a\nb', 'a\u001b[31mb', 'a\u007fb', 'a\u0085b'],
  '\ud800',
]

/** Invalid IDs for a path. `prefix` is the prefix of valid IDs. */
export const badIdsFor = (prefix: string) => [
  ...['x', '0', '-1', 'null', 'undefined', 'target', 'me', 'Self', '__proto__', 'constructor'],
  ...["'%20OR%201=1--", '%27%3B%20DROP%20TABLE%20tokens%3B--', '%0d%0aSet-Cookie:%20a=b'],
  ...['%00', '%2e%2e%2f', '..%2fself', '%C3%28', '%ff%fe', '%zz', '%', '%F0%9F%94%91', '%ED%A0%80'],
  ...[`${prefix}_`, `${prefix}_0`, `${prefix}_01kaj3v9z4f8hva3x7m2c5d6ne%00`],
  ...[`${prefix}_81kaj3v9z4f8hva3x7m2c5d6ne`, `${prefix}_01KAJ3V9Z4F8HVA3X7M2C5D6NE`],
  ...[`${prefix}_01kaj3v9z4f8hva3x7m2c5d6nu`, `${prefix}_01kaj3v9z4f8hva3x7m2c5d6ne1`],
  ...['wsp_01kaj3v9z4f8hva3x7m2c5d6ne', '019aa43d-a7e4-7a23-b50f-a7a0985699ae'],
  ...[`${prefix}_`.repeat(500), 'a'.repeat(101), 'a'.repeat(10_000)],
]

/** Well-formed but invalid timestamps: nonexistent dates and times, and years outside 0000 to 9999 (UTC). */
export const noTimes = [
  '2026-02-30T00:00:00Z',
  '2099-04-31T00:00:00Z',
  '2099-01-01T24:00:00Z',
  '2099-12-31T23:59:60Z',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
]

export function expectFieldError(
  { status, headers, body }: ServiceResponse,
  pointer: string,
  code?: string,
): void {
  expect(status).toBe(422)
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(body.code).toBe('validation_failed')
  const error = body.errors.find((each: { pointer: string }) => each.pointer === pointer)
  expect(error).toMatchObject({ code: code ?? expect.any(String), detail: expect.stringMatching(/./) })
}

/** Checks after each test that `read` returns the same value as before the test. */
export function nothingMayChange(read: () => Promise<unknown>): void {
  let before: unknown
  beforeAll(async () => (before = await read()))
  afterEach(async () => {
    const after = await read()
    const was = before
    // A change made by this test must not fail the next test.
    before = after
    // Jest's comparison is ten times slower, so it only runs to report a difference.
    if (!isDeepStrictEqual(after, was)) expect(after).toEqual(was)
  })
}
