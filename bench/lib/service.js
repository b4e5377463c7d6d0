/** Starts the built service as an operator does, `node dist/main.js`, in a folder of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { family } from './processes.js'
import { pause, waitUntil } from './run.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const startPatienceMs = 60_000
const stopPatienceMs = 30_000

/** Everything is as the README starts it, but for the port and the limit on API calls. */
const benchSettings = { PORT: '0', RATE_LIMIT: 'off', WORKSPACE_RATE_LIMIT: 'off', WORKSPACE_TOKENS: 'off' }

/** `undo` takes what ends it; `command` is what is started, and `settings` are more environment variables. */
export async function startService(
  undo,
  { settings = {}, command = [process.execPath, 'dist/main.js'] } = {},
) {
  const dataDir = await temporaryFolder(undo)
  const inherited = { PATH: process.env.PATH, HOME: process.env.HOME, TMPDIR: process.env.TMPDIR }
  const [program, ...args] = command
  const child = spawn(program, args, {
    cwd: root,
    env: { ...inherited, DATA_DIR: dataDir, ...benchSettings, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => (said.out += text))
  // Only the end is of interest, and a long run may say much.
  child.stderr.on('data', (text) => (said.err = (said.err + text).slice(-4_000)))

  const service = {
    child,
    pid: child.pid,
    dataDir,
    stop: () => stop(child, closed, dataDir),
    lastWords: () => said.err,
  }
  undo(() => service.stop())
  const address = () => /API +(https?:\/\/\S+)\/v1\n/.exec(said.out)?.[1]
  const started = await waitUntil(() => child.exitCode !== null || address(), { ms: startPatienceMs })
  if (!started || !address()) throw new Error(`the service did not start: ${said.err}`)
  const { port, pathname } = new URL(address())
  // The token follows the address in the same write, or in the one after it.
  await waitUntil(() => /^lsk_\S+$/m.test(said.out), { ms: 5_000 })
  return { ...service, port: Number(port), api: pathname, token: /^lsk_\S+$/m.exec(said.out)?.[0] }
}

/** What a killed service leaves running: its database's first process, or null. */
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
  if (await Promise.race([closed, pause(stopPatienceMs)])) return
  // What it started goes with it; the database is told to end at once, so that it takes its own children along.
  const postmaster = postmasterOf(dataDir)
  for (const member of family(child.pid)) end(member, member === postmaster ? 'SIGQUIT' : 'SIGKILL')
  await closed
}

function end(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile.
  }
}

export async function temporaryFolder(undo) {
  const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
  undo(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}
