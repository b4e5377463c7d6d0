/** Writes files that are generated from the sources and committed, or compares them with the committed ones. */
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

/** Writes the files, or with `check` fails if a committed one differs. */
export function writeOrCompare(files: GeneratedFiles, command: string, check = false): void {
  for (const [path, text] of Object.entries(files)) {
    const file = resolve(path)
    if (!check) writeFileSync(file, text)
    else if (readFileSync(file, 'utf8') !== text)
      throw new StartupError(`${path} is out of date. Write it again: node dist/main.js ${command}`)
  }
}

/** The page about settings, which is generated from their declarations. */
function settingsPage(): string {
  const rows = Object.values(allSettings).map(
    ({ name, fallback, sentence, secret }) =>
      `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${sentence.replaceAll('|', '\\|')}${secret ? ` Secret: \`${secretFileSetting(name)}\` may name a file with it.` : ''} |`,
  )
  return [
    '# Settings',
    '',
    'All settings are environment variables; a `.env` file in the working folder is read too, and the environment wins over it.',
    'A wrong value stops the start with a line that names every mistake.',
    'Each secret can also be in a file, whose path is in the setting of that name with `_FILE`, such as `TOKEN_PEPPER_FILE=/run/secrets/token-pepper`. Set only one of the two.',
    '',
    '| name | default | what it is |',
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
  return `# Copy to .env and take the leading # off what you set. Generated: node dist/main.js settings\n\n${entries.join('\n\n')}\n`
}
