/** `node .ci/ran.js RESULTS`: fails when a suite that is expected did not run, or left tests out. */
import { readFileSync } from 'node:fs'

const expected = [
  'test/chaos/lost-deliveries.spec.ts',
  'test/queue/conformance.spec.ts',
  'test/queue/redis-trouble.spec.ts',
  'test/startup/containers.spec.ts',
  'test/startup/topology.spec.ts',
]

const { testResults } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const problems = expected.flatMap((name) => {
  const suite = testResults.find((result) => result.name.replaceAll('\\', '/').endsWith(name))
  if (!suite) return [`${name} did not run.`]
  const left = suite.assertionResults.filter(({ status }) => status !== 'passed')
  if (suite.assertionResults.length === 0) return [`${name} has no tests.`]
  return left.map(({ fullName, status }) => `${name}: "${fullName}" is ${status}.`)
})
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
