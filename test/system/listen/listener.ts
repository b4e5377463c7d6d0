/** Runs `link-service listen` and parses its output. */
import { spawnService } from '../../support/process.js'
import { waitFor } from '../../support/wait-for.js'

/** One line of --json. */
interface Printed {
  kind: 'started' | 'forwarded' | 'stopped'
  time: string
  cursor: string
  secret: string | null
  type: string
  id: string
  sequence: number
  status: number | null
  error: string | null
  duration_ms: number
}

export interface Listener {
  lines(): Printed[]
  forwarded(): Printed[]
  /** Returns the cursor of the last line. */
  cursor(): string
  output(): string
  errors(): string
  until(count: number): Promise<Printed[]>
  signal(name: NodeJS.Signals): void
  gone: Promise<number | null>
}

export function runListen(args: string[], env: Record<string, string> = {}, cwd?: string) {
  return spawnService(['listen', ...args], env, cwd)
}

/** Starts `listen --json`, and waits for its first line. */
export async function startListening(
  origin: string,
  token: string,
  forwardTo: string,
  ...args: string[]
): Promise<Listener> {
  const { child, gone, output, errors } = runListen(
    ['--api', `${origin}/api`, '--forward-to', forwardTo, '--json', ...args],
    { LINK_SERVICE_TOKEN: token },
  )
  // The text after the last newline is an incomplete line.
  const lines = () =>
    output()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Printed)
  const forwarded = () => lines().filter(({ kind }) => kind === 'forwarded')
  const listener: Listener = {
    lines,
    forwarded,
    cursor: () => lines().at(-1)!.cursor,
    output,
    errors,
    until: async (count) => {
      await waitFor(`${count} forwarded events`, () => forwarded().length >= count, 20_000)
      return forwarded()
    },
    signal: (name) => void child.kill(name),
    gone,
  }
  await waitFor(
    'listen to start',
    () => {
      if (child.exitCode !== null) throw new Error(`listen exited: ${errors()}`)
      return lines().length > 0
    },
    30_000,
  )
  return listener
}

export async function stop(listener: Listener): Promise<number | null> {
  listener.signal('SIGINT')
  return listener.gone
}
