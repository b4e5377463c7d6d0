/** Runs a program of the documentation as a separate process. */
import { spawn, spawnSync } from 'node:child_process'

import { waitFor } from './wait-for.js'

export interface Program {
  /** Everything on standard output so far. */
  output(): string
  stop(): Promise<void>
}

/** Starts a program, and resolves when it accepts HTTP requests at the origin. A program that does not is stopped. */
export async function startServer(
  [command = '', ...args]: readonly string[],
  env: Record<string, string>,
  origin: string,
): Promise<Program> {
  const child = spawn(command, args, { env: { ...process.env, NODE_OPTIONS: '', ...env } })
  let output = ''
  let errors = ''
  // Kept apart, because an unbuffered program can log a request in the middle of a line of its output.
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  let failure: Error | null = null
  const ended = new Promise<void>((resolve) => {
    child.on('error', (error) => {
      failure = error
      resolve()
    })
    child.on('exit', (code, signal) => {
      failure = new Error(`${command} exited (${signal ?? code}): ${output}${errors}`)
      resolve()
    })
  })
  const stop = async () => {
    // A killed nginx would leave its workers running.
    child.kill('SIGTERM')
    await ended
  }
  try {
    await waitFor(`an HTTP server at ${origin}`, () => {
      if (failure) throw failure
      return fetch(origin, { redirect: 'manual', signal: AbortSignal.timeout(5_000) }).then(
        () => true,
        () => false,
      )
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { output: () => output, stop }
}

export function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { timeout: 60_000 }).status === 0
}

/** Returns `it`, or `it.skip` with a printed reason. */
export function itIf(isPossible: boolean, skipped: string, reason: string): jest.It {
  if (!isPossible) process.stderr.write(`Skipped: ${skipped}. ${reason}\n`)
  return isPossible ? it : it.skip
}
