/** The README is short, and its screenshots load quickly. A system test runs its commands. */
import { readFileSync, statSync } from 'node:fs'

const readme = readFileSync('README.md', 'utf8')

it('has at most 700 words', () => {
  expect(readme.trim().split(/\s+/).length).toBeLessThanOrEqual(700)
})

it.each(['light', 'dark'])('has a screenshot in %s mode of at most 200 kB', (scheme) => {
  const file = `./docs/images/overview-${scheme}.png`
  expect(readme).toContain(`"${file}"`)
  expect(statSync(file).size).toBeLessThanOrEqual(200_000)
})
