/** HAProxy with default settings in front of APIs. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { freePort } from './free-port.js'
import { waitFor } from './wait-for.js'

export interface TestHaproxy {
  origin: string
  /** Resolves when HAProxy sends requests to every server. */
  allUp(): Promise<void>
  /** Sends a signal to the process, such as SIGSTOP. */
  signal(name: NodeJS.Signals): void
  /** Ends the process with a signal, if it still runs. */
  end(name: NodeJS.Signals): Promise<void>
  /** Restarts the process on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Servers are checked with `GET /readyz`, more often than by default to keep tests fast. */
export async function startHaproxy(
  serverPorts: readonly number[],
  checkEveryMs: number,
  givenPort?: number,
): Promise<TestHaproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-haproxy-'))
  const [port, statsPort] = [givenPort ?? (await freePort()), await freePort()]
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
  let haproxy: ChildProcess
  let ended: Promise<unknown>
  const start = async () => {
    haproxy = spawn('haproxy', ['-f', join(folder, 'haproxy.cfg')], { stdio: 'ignore' })
    ended = once(haproxy, 'exit')
    await allUp()
  }
  const end = async (name: NodeJS.Signals) => {
    haproxy.kill(name)
    await ended
  }
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
  await start()
  return {
    origin: `http://127.0.0.1:${port}`,
    allUp,
    signal: (name) => void haproxy.kill(name),
    end,
    start,
    stop: async () => {
      await end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
