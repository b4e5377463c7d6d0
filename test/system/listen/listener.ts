/** `link-service listen` as a developer runs it: the built program, with what it has printed. */
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
  /** The last place that was printed; what a person would go on from. */
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

/** Until it has said where it begins. */
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
  // A line that is not whole yet is not printed yet.
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
    'listen to begin',
    () => {
      if (child.exitCode !== null) throw new Error(`listen ended: ${errors()}`)
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
