import { clockFinding } from './database-checks.js'

it.each([
  [-40, 'ok', 'The clocks of the database and of this machine agree.'],
  [-60, 'ok', '0.1 s behind'],
  [-4_900, 'ok', '4.9 s behind'],
  [5_500, 'warn', '5.5 s ahead of'],
  [-3_600_000, 'warn', '3600.0 s behind'],
])('checks a clock difference of %d ms: %s', (ms, status, says) => {
  expect(clockFinding(ms)).toEqual({ status, message: expect.stringContaining(says) })
})
