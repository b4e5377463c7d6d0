/** All commands of `link-service`, and how their mistakes and their help are printed. */
import { Command, CommanderError } from '@commander-js/extra-typings'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'

import { UsageError } from '../platform/command-line/usage-error.js'
import { version } from '../platform/util/version.js'
import { addListenCommand } from '../tools/listen/listen-command.js'
import { addExplainCommand } from '../tools/remote/explain.js'
import { addLinkCommands } from '../tools/remote/links.js'
import { addStatsCommand } from '../tools/remote/stats.js'
import { addWebhookCommands } from '../tools/remote/webhooks.js'
import { addTransferCommands } from '../tools/transfer/commands.js'
import { readEnvironment } from '../platform/config/env.js'
import { openApiFile, settingsFiles, writeOrCompare } from './generated-files.js'
import { addOperatorCommands, addRoleCommands } from './service-commands.js'

const pageWidth = 110

export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    const given = words.length > 0 ? words : [readEnvironment().role]
    await createProgram().parseAsync(given, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has already printed the mistake, or with 0 the help or the version.
    if (error.exitCode !== 0) process.exitCode = 2
  }
}

function createProgram(): Command {
  const program = new Command('link-service')
    .description('Runs the service, operates it, and calls its API.')
    .version(version, '-v, --version', 'print the version')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(`${text.trim().replaceAll('\n', ' ')}\n`) })
    .hook('preAction', (_program, { args }) => {
      if (args.includes(''))
        throw new UsageError('An argument is empty. Is a variable of your shell not set?')
    })
  addHelpAndVersion(program)
  program.commandsGroup('Run the service:')
  addRoleCommands(program)
  program.commandsGroup('Operate it, on its database:')
  addOperatorCommands(program)
  program.commandsGroup('Call it from anywhere, with a token:')
  addLinkCommands(program)
  addWebhookCommands(program)
  addExplainCommand(program)
  addStatsCommand(program)
  addTransferCommands(program)
  addListenCommand(program)
  program.commandsGroup('Write the generated files of a checkout:')
  addGenerators(program)
  return program
}

/** Commander's own `help` takes only one word, and not `help links get`. */
function addHelpAndVersion(program: Command): void {
  program.helpCommand(false)
  program.command('help [command...]', { hidden: true }).action(async (words) => {
    await program.parseAsync([...words, '--help'], { from: 'user' })
  })
  program.command('version', { hidden: true }).action(() => void process.stdout.write(`${version}\n`))
}

function addGenerators(program: Command): void {
  const check = ['--check', 'compare with the committed file instead, and fail if it differs'] as const
  program
    .command('openapi')
    .description('Write the OpenAPI document, openapi.json')
    .option(...check)
    .action(async (options) => writeOrCompare(await openApiFile(), 'openapi', options.check))
  program
    .command('settings')
    .description('Write docs/settings.md and .env.example')
    .option(...check)
    .action((options) => writeOrCompare(settingsFiles(), 'settings', options.check))
  program
    .command('commands')
    .description('Write docs/command-line.md')
    .option(...check)
    .action((options) =>
      writeOrCompare({ 'docs/command-line.md': commandsPage() }, 'commands', options.check),
    )
}

/** The help of every command, as docs/command-line.md. */
function commandsPage(): string {
  const sections = leavesOf(createProgram()).map(
    (command) => `## ${nameOf(command)}\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`,
  )
  return `${aboutCommands}\n${sections.join('\n')}`
}

function leavesOf(command: CommandUnknownOpts): CommandUnknownOpts[] {
  const children = command.createHelp().visibleCommands(command)
  return children.length === 0 ? [command] : children.flatMap(leavesOf)
}

/** The name with that of its group, such as `links create`. */
function nameOf(command: CommandUnknownOpts): string {
  const group = command.parent
  return group?.parent ? `${nameOf(group)} ${command.name()}` : command.name()
}

function helpOf(command: CommandUnknownOpts): string {
  let text = ''
  command
    .configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => pageWidth })
    .outputHelp()
  return text
}

const aboutCommands = `# Command line

The program is \`node dist/main.js\` in a checkout, and \`link-service\` where it is installed. \`link-service --help\` lists all commands, \`link-service COMMAND --help\` shows one.

Commands for links, webhooks, \`explain\`, \`stats\`, \`import\`, \`export\` and \`listen\` call the API with a token, from any machine. Put the token into \`LINK_SERVICE_TOKEN\` or into a file for \`--token-file\`: every user of the machine can see the arguments of a command. \`LINK_SERVICE_URL\` is the URL of the API. Commands read the environment and a \`.env\` file.

Commands for tokens and workspaces work on the database itself, whether the service runs or not. Run them in the service's folder, or with its settings.

Lists are tables; if the output is not a terminal, they are not cut to its width. \`--json\` prints one JSON document and nothing else on standard output. Options follow the command. The exit code is 2 for a mistake on the command line, and 1 for any other failure. This page is generated: \`node dist/main.js commands\`.
`
