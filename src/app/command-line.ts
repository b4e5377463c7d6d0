/** Defines all commands of `link-service`, and how help and errors are printed. */
import { Command, CommanderError } from '@commander-js/extra-typings'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'

import { UsageError } from '../platform/command-line/usage-error.js'
import { version } from '../platform/util/version.js'
import { addListenCommand } from '../tools/listen/listen-command.js'
import { addExplainCommand } from '../tools/remote/explain.js'
import { addLinkCommands } from '../tools/remote/links.js'
import { addStatsCommand } from '../tools/remote/stats.js'
import { addWebhookCommands } from '../tools/remote/webhooks.js'
import { addTransferCommands } from '../tools/transfer/transfer-commands.js'
import { readEnvironment } from '../platform/config/env.js'
import { openApiFile, settingsFiles, writeOrCompare } from './generated-files.js'
import { addOperatorCommands, addRoleCommands } from './service-commands.js'

const pageWidth = 110

export async function runCommand(words: readonly string[]): Promise<void> {
  try {
    const command = words.length > 0 ? words : [readEnvironment().role]
    await createProgram().parseAsync(command, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Commander has already printed the error. Exit code 0 means that it printed help or the version.
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
        throw new UsageError('An argument is empty. Check that every shell variable in the command is set.')
    })
  addHelpAndVersion(program)
  program.commandsGroup('Run the service:')
  addRoleCommands(program)
  program.commandsGroup('Manage the installation (uses the database):')
  addOperatorCommands(program)
  program.commandsGroup('Call the API (requires a token):')
  addLinkCommands(program)
  addWebhookCommands(program)
  addExplainCommand(program)
  addStatsCommand(program)
  addTransferCommands(program)
  addListenCommand(program)
  program.commandsGroup('Generate files in a checkout:')
  addGenerators(program)
  return program
}

/** Replaces Commander's `help` command, which does not accept several words such as `help links get`. */
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

/** Returns docs/command-line.md: the help of every command. */
function commandsPage(): string {
  const sections = leafCommands(createProgram()).map(
    (command) => `## ${fullName(command)}\n\n\`\`\`text\n${helpOf(command)}\`\`\`\n`,
  )
  return `${introduction}\n${sections.join('\n')}`
}

function leafCommands(command: CommandUnknownOpts): CommandUnknownOpts[] {
  const children = command.createHelp().visibleCommands(command)
  return children.length === 0 ? [command] : children.flatMap(leafCommands)
}

/** Returns the name including the group, such as `links create`. */
function fullName(command: CommandUnknownOpts): string {
  const group = command.parent
  return group?.parent ? `${fullName(group)} ${command.name()}` : command.name()
}

function helpOf(command: CommandUnknownOpts): string {
  let text = ''
  command
    .configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => pageWidth })
    .outputHelp()
  return text
}

const introduction = `# Command line

Run the program with \`node dist/main.js\` in a checkout, or with \`link-service\` if it is installed. \`link-service --help\` lists all commands. \`link-service COMMAND --help\` describes one.

The commands for links and webhooks, and \`explain\`, \`stats\`, \`import\`, \`export\` and \`listen\`, call the API with a token, from any machine. Set \`LINK_SERVICE_URL\` to the URL of the API. Set \`LINK_SERVICE_TOKEN\` to the token, or put the token into a file and use \`--token-file\`. Do not pass the token as an argument on a shared machine, because other users can see it. Commands read the environment and a \`.env\` file.

The commands for tokens and workspaces use the database directly, whether or not the service is running. Run them in the service's folder or with its settings.

Lists are printed as tables, truncated to the width of the terminal. \`--json\` prints one JSON document and nothing else to standard output. Options follow the command. The exit code is 2 for a usage error and 1 for any other error. This page is generated: \`node dist/main.js commands\`.
`
