/** Runs a program of the documentation as a separate process. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

import { waitFor } from './wait-for.js'

export interface Program {
  /** Everything printed so far. */
  output(): string
  stop(): Promise<void>
}

/** Starts a program, and resolves when it accepts HTTP requests at the origin. */
export async function startServer(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
  origin: string,
): Promise<Program> {
  const child = spawn(command, args, { env: { ...process.env, NODE_OPTIONS: '', ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const ended = once(child, 'exit')
  await waitFor(`an HTTP server at ${origin}`, () => {
    if (child.exitCode !== null) throw new Error(`${command} exited: ${output}`)
    return fetch(origin, { redirect: 'manual' }).then(
      () => true,
      () => false,
    )
  })
  return {
    output: () => output,
    stop: async () => {
      // A killed nginx would leave its workers running.
      child.kill('SIGTERM')
      await ended
    },
  }
}

export function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args).status === 0
}

/** Returns `it`, or `it.skip` with a printed reason. */
export function itIf(isPossible: boolean, skipped: string, reason: string): jest.It {
  if (!isPossible) process.stderr.write(`Skipped: ${skipped}. ${reason}\n`)
  return isPossible ? it : it.skip
}
