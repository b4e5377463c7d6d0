/** Starts and stops the server process. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { open, stat, truncate } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { StartupError } from '../../config/startup-error.js'
import type { Binaries } from './binaries.js'
import { createDiskFullError, isDiskFull } from './data-folder.js'
import type { DataFolder } from './data-folder.js'
import { clearStalePidFile, findPostmaster, isServing } from './postmaster.js'
import type { Postmaster } from './postmaster.js'
import { launchEnvironment } from './run-as.js'
import type { Launch } from './run-as.js'

const logLimit = 1_000_000
const stopTimeoutMs = 60_000

/** The result of the process, or the error that prevented its start. */
type Ending = { code: number | null; signal: NodeJS.Signals | null } | Error

export interface StartedServer extends Postmaster {
  exited: Promise<unknown>
}

/** Settings that no operator may change in postgresql.conf: who can connect, and that commits are durable. */
function serverArguments(folder: DataFolder, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    logging_collector: 'off',
    log_destination: 'stderr',
  }
  return [
    '-D',
    folder.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/**
 * Null when another attempt may succeed. Another process may have started the server or taken the port, or children of
 * a dead server may still run.
 */
export async function startServer(
  folder: DataFolder,
  binaries: Binaries,
  launch: Launch,
  deadline: number,
): Promise<StartedServer | null> {
  await clearStalePidFile(folder.cluster)
  const port = await freePort()
  const args = serverArguments(folder, port)
  const [command = binaries.postgres, ...rest] = [...launch.prefix, binaries.postgres, ...args]

  await truncateLog(folder)
  const log = await open(folder.log, 'a', 0o600)
  const before = (await log.stat()).size
  const child = spawn(command, rest, {
    ...launch.ids,
    cwd: '/',
    env: launchEnvironment,
    stdio: ['ignore', log.fd, log.fd],
  })
  const ends: Ending[] = []
  child.on('error', (error) => ends.push(error))
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      ends.push({ code, signal })
      resolve()
    })
  })
  await log.close()

  while (Date.now() < deadline) {
    const [ended] = ends
    if (ended !== undefined)
      return await explainEnd(folder, await readLogFrom(folder, before), ended, deadline)
    const postmaster = await ownPostmaster(folder, child)
    if (postmaster) return { ...postmaster, exited }
    await setTimeout(20)
  }
  throw createNotReadyError(folder, await readLogFrom(folder, before))
}

async function ownPostmaster(folder: DataFolder, child: ChildProcess): Promise<Postmaster | null> {
  const found = await findPostmaster(folder.cluster)
  return found && found.pid === child.pid && found.status === 'ready' ? found : null
}

/** After a crash, the server may still be replaying its write-ahead log. It continues, and the next start finds it. */
export function createNotReadyError(folder: DataFolder, output = ''): StartupError {
  return new StartupError(
    `The embedded database was not ready in time. Try again later; its log is ${folder.log}${quoteOutput(output)}.`,
  )
}

async function explainEnd(
  folder: DataFolder,
  output: string,
  ended: Ending,
  deadline: number,
): Promise<null> {
  // Another process found the server, was its only user, and stopped it again before we looked.
  if ('code' in ended && ended.code === 0) return null
  if (/lock file ".*" (already exists|is empty)|could not open lock file/.test(output)) return null
  if (/could not (bind|create any TCP\/IP sockets)|Address already in use/.test(output)) return null
  if (output.includes('pre-existing shared memory block')) {
    if (Date.now() > deadline - 1_000)
      throw new StartupError(
        `Processes of a killed database server are still running in ${folder.cluster}. End them, then start again.`,
      )
    await setTimeout(500)
    return null
  }
  if (isDiskFull(output)) throw createDiskFullError(folder.dataDir)
  const how = 'signal' in ended ? `it ended with ${ended.signal ?? `code ${ended.code}`}` : ended.message
  throw new StartupError(
    `The embedded database did not start (${how}). Its log is ${folder.log}${quoteOutput(output)}.`,
  )
}

function quoteOutput(output: string): string {
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .slice(-4)
  return lines.length === 0 ? '' : `, which ends with: ${lines.join(' | ')}`
}

/** Stops the server and waits until its processes have ended. Tries an orderly shutdown before a forced one. */
export async function stopServer(folder: DataFolder, pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!(await isServing(pid, folder.cluster))) return
    process.kill(pid, signal)
    if (await waitUntilDown(folder, pid, signal === 'SIGINT' ? stopTimeoutMs : 10_000)) return
  }
  throw new Error(`The embedded database (process ${pid}) does not stop. Its log is ${folder.log}.`)
}

async function waitUntilDown(folder: DataFolder, pid: number, timeoutMs: number): Promise<boolean> {
  for (const until = Date.now() + timeoutMs; Date.now() < until; await setTimeout(15))
    if (!(await isServing(pid, folder.cluster))) return true
  return false
}

async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  return port
}

/** The log is truncated instead of renamed, because a server that another process is just starting may have it open. */
async function truncateLog(folder: DataFolder): Promise<void> {
  const size = await stat(folder.log).then(
    (found) => found.size,
    () => 0,
  )
  if (size > logLimit) await truncate(folder.log)
}

async function readLogFrom(folder: DataFolder, offset: number): Promise<string> {
  const handle = await open(folder.log, 'r')
  try {
    const { size } = await handle.stat()
    const start = size < offset ? 0 : Math.max(offset, size - 16_384)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - start), 0, size - start, start)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await handle.close()
  }
}
