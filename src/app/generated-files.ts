/** Files that are made from the sources and committed: written, or compared with what was committed. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import type { Commands } from '../platform/command-line/command.js'
import { commandLinePage } from '../platform/command-line/help.js'
import { envExample, settingsPage } from '../platform/config/settings-reference.js'
import { StartupError } from '../platform/config/startup-error.js'

type Files = Record<string, string>

export async function openApiFile(): Promise<Files> {
  const { openApiText } = await import('./openapi-file.js')
  return { 'openapi.json': await openApiText() }
}

export function settingsFiles(): Files {
  return { 'docs/settings.md': settingsPage(), '.env.example': envExample() }
}

export function commandsPage(commands: Commands): Files {
  return { 'docs/command-line.md': commandLinePage(commands) }
}

/** Writes the files, or fails when a committed one says something else. */
export function writeOrCompare(files: Files, command: string, check = false): void {
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(path)
    if (!check) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      throw new StartupError(`${path} is out of date. Write it again: node dist/main.js ${command}`)
  }
}
