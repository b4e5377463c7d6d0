/** Writes the generated files of the repository, or checks that the committed files are up to date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

import { secretFileSetting } from '../platform/config/env.js'
import { StartupError } from '../platform/config/startup-error.js'
import { allSettings } from '../settings.js'

type GeneratedFiles = Record<string, string>

export async function openApiFile(): Promise<GeneratedFiles> {
  const { openApiText } = await import('./docs/openapi-file.js')
  return { 'openapi.json': await openApiText() }
}

export function settingsFiles(): GeneratedFiles {
  return { 'docs/settings.md': settingsPage(), '.env.example': envExample() }
}

export async function referenceFiles(): Promise<GeneratedFiles> {
  const { errorsPage, eventsPage, logsPage, metricsPage } = await import('./docs/reference-pages.js')
  return {
    'docs/errors.md': errorsPage(),
    'docs/events.md': eventsPage(),
    'docs/logs.md': logsPage(),
    'docs/metrics.md': metricsPage(),
  }
}

/** Writes the files. With `check`, fails instead if a committed file differs. */
export function writeOrCompare(files: GeneratedFiles, command: string, check = false): void {
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(path)
    if (!check) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      throw new StartupError(`${path} is out of date. Update it: node dist/main.js ${command}`)
  }
}

/** Returns docs/settings.md, from the declarations of the settings. */
function settingsPage(): string {
  const rows = Object.values(allSettings).map(
    ({ name, fallback, sentence, secret }) =>
      `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${sentence.replaceAll('|', '\\|')}${secret ? ` Secret: can be read from a file with \`${secretFileSetting(name)}\`.` : ''} |`,
  )
  return [
    '# Settings',
    '',
    'Settings are environment variables. The service also reads a `.env` file in the working directory; the environment takes precedence.',
    'If a value is invalid, the service does not start and prints all errors in one line.',
    'A secret can also be read from a file: set the variable with the suffix `_FILE` to its path, such as `TOKEN_PEPPER_FILE=/run/secrets/token-pepper`. Set only one of the two.',
    '',
    '| Name | Default | Description |',
    '|---|---|---|',
    ...rows,
    '',
    'This page is generated: `node dist/main.js settings`.',
    '',
  ].join('\n')
}

function envExample(): string {
  const entries = Object.values(allSettings).map(
    ({ name, fallback, sentence }) => `# ${sentence.replaceAll('`', '')}\n#${name}=${fallback ?? ''}`,
  )
  return `# Copy to .env and uncomment the settings to change. Generated: node dist/main.js settings\n\n${entries.join('\n\n')}\n`
}
