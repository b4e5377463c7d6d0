/** The README is short. A system test runs its commands. */
import { readFileSync } from 'node:fs'

it('has at most 700 words', () => {
  const words = readFileSync('README.md', 'utf8').trim().split(/\s+/)
  expect(words.length).toBeLessThanOrEqual(700)
})
