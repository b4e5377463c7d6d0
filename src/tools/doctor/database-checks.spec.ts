import { clockDifference } from './database-checks.js'

it.each([
  [0, 'ok', '0.0 s apart'],
  [-1_900, 'ok', '1.9 s apart'],
  [2_500, 'warn', '2.5 s ahead of'],
  [-3_600_000, 'warn', '3600.0 s behind'],
])('a database whose clock is %d ms ahead: %s', (ms, status, says) => {
  expect(clockDifference(ms)).toEqual({ status, message: expect.stringContaining(says) })
})
