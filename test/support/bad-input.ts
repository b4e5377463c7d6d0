/** What the specs of bad input share: whatever comes, the contract's answer, and nothing changed. */
import type { Answer } from './service.js'

/** Answers of 1,000 characters would hide which case failed. */
export const cases = (values: unknown[]) =>
  values.map((value) => [JSON.stringify(value).slice(0, 60), value] as const)

/** Of the right form, and no time: days that no calendar has, and what is outside the years 0000 to 9999 in UTC. */
export const noTimes = [
  '2026-02-30T00:00:00Z',
  '2099-04-31T00:00:00Z',
  '2099-01-01T24:00:00Z',
  '2099-12-31T23:59:60Z',
  '9999-12-31T23:59:59-01:00',
  '0000-01-01T00:00:00+01:00',
]

export function expectFieldError({ status, headers, body }: Answer, pointer: string, code?: string): void {
  expect(status).toBe(422)
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
  expect(body.code).toBe('validation_failed')
  const error = body.errors.find((each: { pointer: string }) => each.pointer === pointer)
  expect(error).toMatchObject({ code: code ?? expect.any(String), detail: expect.stringMatching(/./) })
}

/** For a file of specs: what is read after each of them is what was read before. */
export function nothingMayChange(read: () => Promise<unknown>): void {
  let before: unknown
  beforeAll(async () => (before = await read()))
  afterEach(async () => {
    const after = await read()
    const was = before
    // What one case changed is not the fault of the next.
    before = after
    expect(after).toEqual(was)
  })
}
