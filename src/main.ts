#!/usr/bin/env node
import 'reflect-metadata'

import { runCommand } from './app/command-line.js'
import { StartupError } from './platform/config/startup-error.js'
import { UsageError } from './platform/command-line/usage-error.js'

try {
  await runCommand(process.argv.slice(2))
} catch (error) {
  const line = error instanceof StartupError ? error.message : (error as Error).stack
  process.stderr.write(`${line}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
}
await Promise.all([flushed(process.stdout), flushed(process.stderr)])
process.exit()

/** Resolves once all output is written or the reader has closed the pipe. An earlier exit would lose buffered output. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    stream.on('error', () => done())
    stream.write('', () => done())
  })
}
