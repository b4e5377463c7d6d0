/** `node .ci/ran.js RESULTS…`: sums up, and fails when a spec file did not run, or a vital one left tests out. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Where there is no Redis, haproxy, PgBouncer or browser, or no compose file is found, these would leave tests out. */
const vital = [
  'test/system/chaos/lost-deliveries.spec.ts',
  'test/system/database/pgbouncer.spec.ts',
  'test/system/docs/try-out.spec.ts',
  'test/system/queue/conformance.spec.ts',
  'test/system/queue/redis-trouble.spec.ts',
  'test/system/startup/containers.spec.ts',
  'test/system/startup/rolling-restart.spec.ts',
  'test/system/startup/topology.spec.ts',
]

const root = join(import.meta.dirname, '..')
const nameOf = (path) => relative(root, path).replaceAll('\\', '/')
const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')))
const suites = new Map(
  runs.flatMap(({ testResults }) =>
    testResults.map((result) => [nameOf(result.name), result.assertionResults]),
  ),
)

const specs = ['src', 'test']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && entry.name.endsWith('.spec.ts'))
  .map((entry) => nameOf(join(entry.parentPath ?? entry.path, entry.name)))

const problems = [...new Set([...specs, ...vital])].flatMap((name) => {
  const tests = suites.get(name)
  if (!tests) return [`${name} did not run.`]
  if (tests.length === 0) return [`${name} has no tests.`]
  const left = tests.filter(({ status }) =>
    vital.includes(name) ? status !== 'passed' : status === 'failed',
  )
  return left.map(({ fullName, status }) => `${name}: "${fullName}" is ${status}.`)
})

for (const { numTotalTestSuites, numPassedTests, numFailedTests, numPendingTests, numTodoTests } of runs)
  console.log(
    `${numTotalTestSuites} spec files: ${numPassedTests} tests passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped.`,
  )
for (const problem of problems) console.error(problem)
console.log(problems.length > 0 ? 'Not everything that must run has run.' : 'Every spec file has run.')
process.exitCode = problems.length > 0 ? 1 : 0
