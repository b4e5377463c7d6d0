#!/usr/bin/env node
import 'reflect-metadata'

import { runCommand } from './app/command-line.js'
import { StartupError, UsageError } from './platform/config/startup-error.js'

// Without listeners, an error of a stream would stop the process.
process.stdout.once('error', reportLostOutput).on('error', () => undefined)
process.stderr.on('error', () => undefined)
try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  const line = error instanceof StartupError ? error.message : (error as Error).stack
  process.stderr.write(`${line}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
await flushed(process.stdout)
await flushed(process.stderr)
process.exit()

/** A reader that closes the pipe early, such as `head`, wants no more output. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return
  process.stderr.write(`The output cannot be written: ${message}\n`)
  process.exitCode = 1
}

/** Resolves once all output is written or cannot be written. An earlier exit would lose buffered output. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    stream.on('error', () => done())
    stream.write('', () => done())
  })
}
