/** The pages that are generated from the settings; `settings --check` fails when a committed copy is older. */
import { settingsInOrder } from './env.js'

export function settingsPage(): string {
  const rows = settingsInOrder.map(
    ({ name, fallback, sentence, secret }) =>
      `| \`${name}\` | ${fallback === null ? '' : `\`${fallback}\``} | ${sentence.replaceAll('|', '\\|')}${secret ? ' Secret.' : ''} |`,
  )
  return [
    '# Settings',
    '',
    'All settings are environment variables; a `.env` file in the working folder is read too, and the environment wins over it.',
    'A wrong value stops the start with a line that names every mistake.',
    '',
    '| name | default | what it is |',
    '|---|---|---|',
    ...rows,
    '',
    'This page is generated: `node dist/main.js settings`.',
    '',
  ].join('\n')
}

export function envExample(): string {
  const entries = settingsInOrder.map(
    ({ name, fallback, sentence }) => `# ${sentence.replaceAll('`', '')}\n#${name}=${fallback ?? ''}`,
  )
  return `# Copy to .env and take the leading # off what you set. Generated: node dist/main.js settings\n\n${entries.join('\n\n')}\n`
}
