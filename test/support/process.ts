/** Runs the built service as a separate process. */
import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'

import { waitFor } from './wait-for.js'

export interface ServiceProcess {
  origin: string
  pid: number
  /** The printed token, or null. */
  firstToken: string | null
  output(): string
  errors(): string
  /** Kills the process, like a crash. Returns true, for chaining. */
  kill(): true
  gone: Promise<number | null>
  /** Sends a signal, and resolves with the exit code. */
  signal(name: NodeJS.Signals): Promise<number | null>
  /** Sends SIGTERM, and resolves with the exit code. */
  stop(): Promise<number | null>
}

/** The service of this checkout. */
export const builtProgram = resolve('dist/main.js')

const startTimeoutMs = 60_000

/** Keeps commands from reading the profile of the developer. */
export const unusedConfigFolder = '/nonexistent'

export function spawnService(
  args: readonly string[],
  env: Record<string, string>,
  cwd = process.cwd(),
  /** Standard input, which is never a terminal. */
  input = '',
  program = builtProgram,
) {
  const inherited = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    TMPDIR: process.env['TMPDIR'],
    XDG_CONFIG_HOME: unusedConfigFolder,
  }
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  // A command that reads no input may have ended before the input is written.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const gone = new Promise<number | null>((done) => child.on('close', done))
  return { child, gone, output: () => out, errors: () => err }
}

export async function startProcess(
  env: Record<string, string>,
  program = builtProgram,
  onLogLine?: (line: string) => void,
): Promise<ServiceProcess> {
  const settings = { PORT: '0', LOG_LEVEL: 'warn', ...env }
  const { child, gone, output, errors } = spawnService([], settings, undefined, undefined, program)
  if (onLogLine) createInterface({ input: child.stderr }).on('line', onLogLine)
  const origin = await waitFor(
    'the service to print its URL',
    () => {
      if (child.exitCode !== null) throw new Error(`the service exited: ${errors()}`)
      return /(?:API +(?=\S+\/api\/v1\n)|health at )(https?:\/\/[^/\s]+)/.exec(output())?.[1]
    },
    startTimeoutMs,
  ).catch((error: unknown) => {
    // A process that is left behind would keep Jest from exiting.
    child.kill('SIGKILL')
    throw new Error(`${(error as Error).message}: ${errors()}`, { cause: error })
  })
  const signal = (name: NodeJS.Signals) => {
    child.kill(name)
    return gone
  }
  return {
    origin: origin.replace('localhost', '127.0.0.1'),
    pid: child.pid!,
    firstToken: /^lsk_\S+$/m.exec(output())?.[0] ?? null,
    output,
    errors,
    kill: () => {
      child.kill('SIGKILL')
      return true
    },
    gone,
    signal,
    stop: () => (child.exitCode === null && child.signalCode === null ? signal('SIGTERM') : gone),
  }
}
