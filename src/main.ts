#!/usr/bin/env node
import 'reflect-metadata'

import { runCommand } from './app/command-line.js'
import { StartupError, UsageError } from './platform/config/startup-error.js'

try {
  await runCommand(process.argv.slice(2))
  process.exit()
} catch (error) {
  const line = error instanceof StartupError ? error.message : (error as Error).stack
  process.stderr.write(`${line}\n`)
  process.exit(error instanceof UsageError ? 2 : 1)
}
