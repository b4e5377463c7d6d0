/** A Redis server for one test. */
import { spawn } from 'node:child_process'
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
