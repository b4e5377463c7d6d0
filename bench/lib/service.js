/** Starts the built service as an operator would, with its own data folder. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { family } from './processes.js'
import { waitUntil } from './run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const stopTimeoutMs = 30_000

/** The defaults, except the port and the rate limits. */
const benchSettings = { PORT: '0', RATE_LIMIT: 'off', WORKSPACE_RATE_LIMIT: 'off', WORKSPACE_TOKENS: 'off' }

/**
 * Starts the service. `undo` registers its cleanup, `command` is the program, `folder` its working folder, `settings` are
 * environment variables. The service prints a token only at the first start with a database; later, pass `token`.
 */
export async function startService(
  undo,
  {
    settings = {},
    command = [process.execPath, 'dist/main.js'],
    folder = root,
    dataDir: givenDataDir,
    timeoutMs = 60_000,
    token,
  } = {},
) {
  const dataDir = givenDataDir ?? (await temporaryFolder(undo))
  const inherited = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR }
  const [program, ...args] = command
  const began = performance.now()
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...inherited, DATA_DIR: dataDir, ...benchSettings, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const output = { out: '', err: '' }
  child.stdout.on('data', (text) => (output.out += text))
  // Keep only the end of a long log.
  child.stderr.on('data', (text) => (output.err = (output.err + text).slice(-4_000)))

  const service = {
    child,
    pid: child.pid,
    dataDir,
    stop: () => stop(child, closed, dataDir),
    lastWords: () => output.err,
  }
  undo(() => service.stop())
  const apiUrl = () => /API +(https?:\/\/\S+)\/v1\n/.exec(output.out)?.[1]
  const started = await waitUntil(() => child.exitCode !== null || apiUrl(), { ms: timeoutMs })
  if (!started || !apiUrl()) throw new Error(`the service did not start: ${output.err}`)
  const startMs = performance.now() - began
  const { port, pathname } = new URL(apiUrl())
  const printedToken = () => /^lsk_\S+$/m.exec(output.out)?.[0]
  // The token is printed after the URL.
  if (!token) await waitUntil(printedToken, { ms: 5_000 })
  return { ...service, startMs, port: Number(port), api: pathname, token: token ?? printedToken() }
}

/** Returns the process ID of the embedded database, which a killed service leaves running, or null. */
export function postmasterOf(dataDir) {
  try {
    return parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8')) || null
  } catch {
    return null
  }
}

async function stop(child, closed, dataDir) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timeout = setTimeout(() => killFamily(child.pid, dataDir), stopTimeoutMs)
  await closed
  clearTimeout(timeout)
}

/** Kills all child processes as well. SIGQUIT makes PostgreSQL stop its own child processes. */
function killFamily(pid, dataDir) {
  const postmaster = postmasterOf(dataDir)
  for (const member of family(pid)) end(member, member === postmaster ? 'SIGQUIT' : 'SIGKILL')
}

function end(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has exited.
  }
}

export async function temporaryFolder(undo) {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
  undo(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
