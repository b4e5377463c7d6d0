/** What `--help` prints, and the page of the docs that says the same. */
import type { Command, Commands } from './command.js'

const program = 'link-service'

/** The help of one command, or of all commands with this first word. */
export function helpText(about: string, commands: Commands): string {
  const command = commands[about]
  if (command) return `${commandHelp(about, command)}\n`
  const shown = Object.entries(commands).filter(([name]) => name.startsWith(`${about} `))
  return `${[`${program} ${about} COMMAND --help tells more of each.`, '', ...twoColumns(shown.map(inOneLine))].join('\n')}\n`
}

/** Lists all commands by group, below the title of each group. */
export function overview(groups: Readonly<Record<string, Commands>>): string {
  const all = Object.values(groups).flatMap((commands) => Object.entries(commands).map(inOneLine))
  const lines = twoColumns(all)
  const listed = Object.entries(groups).flatMap(([title, commands]) => [
    '',
    `${title}:`,
    ...lines.splice(0, Object.keys(commands).length),
  ])
  return `${[`${program} COMMAND --help tells more of each.`, ...listed].join('\n')}\n`
}

function inOneLine([name, { operands, summary }]: readonly [string, Command]): [string, string] {
  return [[name, ...operands].join(' '), summary]
}

function commandHelp(name: string, command: Command): string {
  const options = Object.entries(command.options).map(([option, { value, text }]): [string, string] => [
    `--${option}${value === undefined ? '' : ` ${value}`}`,
    text,
  ])
  return [
    usageOf(name, command),
    '',
    `${command.summary}.`,
    ...(options.length > 0 ? ['', 'Options:', ...twoColumns(options)] : []),
    '',
    'Example:',
    `  ${program} ${command.example}`,
  ].join('\n')
}

/** The text of docs/command-line.md. `about` says what the commands work on. */
export function commandLinePage(commands: Commands, about: string): string {
  const sections = Object.entries(commands).map(
    ([name, command]) => `## ${name}\n\n\`\`\`text\n${commandHelp(name, command)}\n\`\`\`\n`,
  )
  return `# Command line

The program is \`node dist/main.js\` in a checkout, and \`link-service\` where it is installed. \`link-service COMMAND --help\` prints what stands here.

${about}

People get tables; where the output is no terminal, they are not cut to its width. \`--json\` prints one JSON document and nothing else on standard output. Words that mean nothing end with exit code 2, anything else that fails with 1. This page is made by \`node dist/main.js commands\`.

${sections.join('\n')}`
}

function usageOf(name: string, { operands, options }: Command): string {
  const words = Object.keys(options).length > 0 ? [...operands, '[options]'] : operands
  return ['Usage:', program, name, ...words].join(' ')
}

function twoColumns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`)
}
