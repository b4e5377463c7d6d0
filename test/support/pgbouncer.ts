/** PgBouncer in transaction mode in front of the database of a test, if it is installed. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'

import { freePort } from './free-port.js'
import { waitFor } from './wait-for.js'

export interface PgBouncer {
  url: string
  stop(): Promise<void>
}

const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0
if (!hasPgBouncer && process.env['REQUIRE_PGBOUNCER'] === 'true')
  throw new Error('REQUIRE_PGBOUNCER is set, but pgbouncer is not on the PATH.')
if (!hasPgBouncer)
  process.stderr.write(
    'Skipped: the tests that need PgBouncer. There is no pgbouncer on the path; install it to run them.\n',
  )

/** `describe`, or `describe.skip` without PgBouncer. */
export const describeWithPgBouncer = hasPgBouncer ? describe : describe.skip

/** `options` are lines of the section [pgbouncer]. */
export async function startPgBouncer(databaseUrl: string, options: string[] = []): Promise<PgBouncer> {
  const target = new URL(databaseUrl)
  const port = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'link-service-pgbouncer-'))
  const file = join(folder, 'pgbouncer.ini')
  const server = {
    host: target.hostname,
    port: target.port,
    user: decodeURIComponent(target.username),
    password: decodeURIComponent(target.password),
  }
  const lines = [
    '[databases]',
    `* = ${Object.entries(server)
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ')}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 5',
    ...options,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  // PgBouncer does not run as root, and its user must be able to read the file.
  await chmod(folder, 0o755)
  const asUser = process.getuid?.() === 0 ? ['--user', 'nobody'] : []
  const child = spawn('pgbouncer', ['--quiet', ...asUser, file], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  await waitFor('PgBouncer', () => canConnect(url.href))
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGTERM')
      child.kill('SIGINT')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function canConnect(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
