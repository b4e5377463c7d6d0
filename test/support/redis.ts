/** A Redis server for one test, if redis-server is installed. */
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

import { Redis } from 'ioredis'

import { freePort } from './free-port.js'
import { waitFor } from './wait-for.js'

export interface TestRedis {
  url: string
  /** Sends a command, like `redis-cli`. */
  command(name: string, ...args: string[]): Promise<unknown>
  start(): Promise<void>
  /** Kills the server with SIGKILL. All data is lost. */
  kill(): Promise<void>
  close(): Promise<void>
  /** Suspends the server. Connections stay open without responses. */
  freeze(): void
  thaw(): void
}

const hasRedis = spawnSync('redis-server', ['--version']).status === 0
if (!hasRedis && process.env['REQUIRE_REDIS'] === 'true')
  throw new Error('REQUIRE_REDIS is set, but redis-server is not on the PATH.')
if (!hasRedis)
  process.stderr.write(
    'Skipped: what needs a Redis. There is no redis-server on the path; install it to run this.\n',
  )

/** `describe`, or `describe.skip` without redis-server. */
export const describeWithRedis = hasRedis ? describe : describe.skip

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort()
  let server: ChildProcess | null = null
  const client = new Redis({ port, lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => 20 })
  client.on('error', () => undefined)

  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    command: (name, ...args) => client.call(name, ...args),
    start: async () => {
      server = spawn(
        'redis-server',
        ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
        { stdio: 'ignore' },
      )
      if (client.status === 'wait') await client.connect().catch(() => undefined)
      await waitFor('the redis-server', () =>
        client.ping().then(
          () => true,
          () => false,
        ),
      )
    },
    kill: async () => {
      if (!server) return
      const ended = once(server, 'exit')
      server.kill('SIGKILL')
      await ended
      server = null
    },
    close: async () => {
      client.disconnect()
      await redis.kill()
    },
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
  }
  await redis.start()
  return redis
}
