/** `describe`, or `describe.skip` with a printed reason where a program is missing. */
import { spawnSync } from 'node:child_process'

export const describeWithHaproxy = describeWith('haproxy', '-v', 'REQUIRE_HAPROXY')
export const describeWithRedis = describeWith('redis-server', '--version', 'REQUIRE_REDIS')

function describeWith(program: string, versionOption: string, required: string): typeof describe.skip {
  if (spawnSync(program, [versionOption]).status === 0) return describe
  if (process.env[required] === 'true')
    throw new Error(`${required} is set, but ${program} is not on the PATH.`)
  process.stderr.write(`Skipped: tests that need ${program}. Install it to run them.\n`)
  return describe.skip
}
