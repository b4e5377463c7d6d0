/** Runs the built program in a pseudo-terminal, with `script` of util-linux. */
import { spawn, spawnSync } from 'node:child_process'
import { resolve } from 'node:path'

import { unusedConfigFolder } from './process.js'
import { waitFor } from './wait-for.js'

const { stdout, error } = spawnSync('script', ['--version'], { encoding: 'utf8' })
const hasTerminal = error === undefined && stdout.includes('util-linux')

export const describeWithTerminal = hasTerminal ? describe : describe.skip
if (!hasTerminal)
  process.stderr.write('Tests in a terminal are skipped: they need `script` of util-linux in the PATH.\n')

export interface TerminalProcess {
  /** What the terminal shows, with escape sequences. */
  screen: () => string
  /** Waits until the terminal shows the text, then types the input. */
  type(input: string, after: string): Promise<void>
  gone: Promise<number | null>
}

interface TerminalOptions {
  env?: Record<string, string>
  columns?: number
  cwd?: string
}

export function startInTerminal(
  args: readonly string[],
  { env = {}, columns = 80, cwd = process.cwd() }: TerminalOptions = {},
): TerminalProcess {
  const inherited = {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    XDG_CONFIG_HOME: unusedConfigFolder,
    TERM: 'xterm',
  }
  const words = [process.execPath, resolve('dist/main.js'), ...args].map((word) => `'${word}'`).join(' ')
  const command = `stty cols ${columns} rows 24; exec ${words}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...inherited, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let shown = ''
  child.stdout.on('data', (piece: Buffer) => (shown += piece.toString()))
  return {
    screen: () => shown,
    type: async (input, after) => {
      await waitFor(`the terminal to show ${after}`, () => shown.includes(after))
      child.stdin.write(input)
    },
    gone: new Promise((done) => child.on('close', done)),
  }
}

export async function runInTerminal(args: readonly string[], options: TerminalOptions = {}) {
  const { gone, screen } = startInTerminal(args, options)
  return { code: await gone, screen: screen() }
}
