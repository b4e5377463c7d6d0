/** `node .ci/ran.js RESULTS…`: prints totals. Fails if a spec file did not run or an essential one skipped tests. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Spec files that skip tests if Redis, haproxy, PgBouncer, Prometheus, a browser, a terminal, the compose file, the documentation site or a program of docs/samples is missing. */
const essential = [
  'test/system/chaos/cluster.spec.ts',
  'test/api/metrics/alerts.spec.ts',
  'test/api/metrics/metrics.spec.ts',
  'test/system/commands/login.spec.ts',
  'test/system/commands/output.spec.ts',
  'test/system/commands/prompts.spec.ts',
  'test/system/commands/running-service.spec.ts',
  'test/system/database/pgbouncer.spec.ts',
  'test/system/docs/config-files.spec.ts',
  'test/system/docs/guide-site.spec.ts',
  'test/system/docs/samples.spec.ts',
  'test/system/docs/try-out.spec.ts',
  'test/system/kubernetes/chart.spec.ts',
  'test/system/kubernetes/pods.spec.ts',
  'test/system/observability/prometheus.spec.ts',
  'test/system/queue/conformance.spec.ts',
  'test/system/queue/redis-trouble.spec.ts',
  'test/system/startup/containers.spec.ts',
  'test/system/startup/local-cluster.spec.ts',
  'test/system/startup/topology.spec.ts',
  'test/system/upgrade/rolling-upgrade.spec.ts',
]

/** Tests of programs that some distributions do not have. */
const skippable = /^the (?:configuration of Caddy|receiver for Go|systemd units?) /

const maxMessageLength = 250
// eslint-disable-next-line no-control-regex
const withoutColors = (message) => message.replaceAll(/\u001b\[\d+m/g, '').replaceAll(/\s+/g, ' ')

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

const problems = [...new Set([...specs, ...essential])].flatMap((name) => {
  const tests = suites.get(name)
  if (!tests) return [`${name} did not run.`]
  if (tests.length === 0) return [`${name} has no tests.`]
  const failures = tests.filter(({ status, fullName }) =>
    essential.includes(name) && !skippable.test(fullName) ? status !== 'passed' : status === 'failed',
  )
  return failures.map(
    ({ fullName, status, failureMessages = [] }) =>
      `${name}: "${fullName}" is ${status}. ${failureMessages.map(withoutColors).join(' ').slice(0, maxMessageLength)}`,
  )
})

for (const { numTotalTestSuites, numPassedTests, numFailedTests, numPendingTests, numTodoTests } of runs)
  console.log(
    `${numTotalTestSuites} spec files: ${numPassedTests} tests passed, ${numFailedTests} failed, ${numPendingTests + numTodoTests} skipped.`,
  )
for (const problem of problems) console.error(problem)
console.log(problems.length > 0 ? 'Some required tests did not run or failed.' : 'Every spec file ran.')
process.exitCode = problems.length > 0 ? 1 : 0
