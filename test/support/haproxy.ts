/** HAProxy with default settings in front of APIs, if it is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from './free-port.js'
import { waitFor } from './wait-for.js'

const hasHaproxy = spawnSync('haproxy', ['-v']).status === 0
if (!hasHaproxy && process.env['REQUIRE_HAPROXY'] === 'true')
  throw new Error('REQUIRE_HAPROXY is set, but haproxy is not on the PATH.')
if (!hasHaproxy) process.stderr.write('Skipped: tests that need a haproxy. Install it to run them.\n')

/** `describe`, or `describe.skip` without HAProxy. */
export const describeWithHaproxy = hasHaproxy ? describe : describe.skip

export interface TestHaproxy {
  origin: string
  /** Resolves when HAProxy sends requests to every server. */
  allUp(): Promise<void>
  stop(): Promise<void>
}

/** Servers are checked with `GET /readyz`, more often than by default to keep tests fast. */
export async function startHaproxy(
  serverPorts: readonly number[],
  checkEveryMs: number,
): Promise<TestHaproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-haproxy-'))
  const [port, statsPort] = [await freePort(), await freePort()]
  const servers = serverPorts.map(
    (each, i) => `  server api${i + 1} 127.0.0.1:${each} check inter ${checkEveryMs}ms`,
  )
  const config = [
    'defaults',
    '  mode http',
    '  timeout connect 10s',
    '  timeout client 30s',
    '  timeout server 30s',
    // By default, a check may only take as long as the interval, which is too short for a busy machine.
    '  timeout check 5s',
    'frontend visitors',
    `  bind 127.0.0.1:${port}`,
    '  default_backend apis',
    'backend apis',
    // A request fails if its server is gone, even if another server could respond.
    '  no option redispatch',
    '  option httpchk GET /readyz',
    ...servers,
    'listen stats',
    `  bind 127.0.0.1:${statsPort}`,
    '  stats enable',
    '  stats uri /',
    '',
  ]
  await writeFile(join(folder, 'haproxy.cfg'), config.join('\n'))
  const haproxy = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
  const ended = once(haproxy, 'exit')
  const up = async () => {
    const table = await fetch(`http://127.0.0.1:${statsPort}/;csv`).then(
      (response) => response.text(),
      () => '',
    )
    return table.match(/^apis,api\d+,.*,UP,/gm)?.length === serverPorts.length
  }
  const allUp = async () => {
    await waitFor('haproxy and its servers', up)
  }
  await allUp()
  return {
    origin: `http://127.0.0.1:${port}`,
    allUp,
    stop: async () => {
      haproxy.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
