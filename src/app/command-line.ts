/** Defines all commands of `link-service`, and how help and errors are printed. */
import { Argument, Command, CommanderError } from '@commander-js/extra-typings'
import type { CommandUnknownOpts } from '@commander-js/extra-typings'

import { exampleText } from '../platform/command-line/output.js'
import { UsageError } from '../platform/config/startup-error.js'
import { version } from '../platform/util/program.js'
import { completionScript, shells } from '../platform/command-line/completion.js'
import { addListenCommand } from '../tools/listen/listen-command.js'
import { addMcpCommand } from '../tools/mcp/mcp-command.js'
import { addExplainCommand } from '../tools/remote/explain.js'
import { addLinkCommands } from '../tools/remote/links.js'
import { addLoginCommands } from '../tools/remote/login.js'
import { addNoticeCommands } from '../tools/remote/notices.js'
import { addOpenCommand } from '../tools/remote/open.js'
import { addStatsCommand } from '../tools/remote/stats.js'
import { addWebhookCommands } from '../tools/remote/webhooks.js'
import { addTransferCommands } from '../tools/transfer/transfer-commands.js'
import { readEnvironment } from '../platform/config/env.js'
import { openApiFile, referenceFiles, settingsFiles, writeOrCompare } from './generated-files.js'
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
  addNoticeCommands(program)
  addExplainCommand(program)
  addStatsCommand(program)
  addTransferCommands(program)
  addListenCommand(program)
  addMcpCommand(program)
  addOpenCommand(program)
  addLoginCommands(program)
  program.commandsGroup('Set up your shell:')
  addCompletionCommand(program)
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

function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a completion script for your shell')
    .addArgument(new Argument('<shell>', 'shell to complete commands in').choices(shells))
    .addHelpText(
      'after',
      exampleText(
        'completion bash > ~/.local/share/bash-completion/completions/link-service',
        'completion zsh > "${fpath[1]}/_link-service"',
        'completion fish > ~/.config/fish/completions/link-service.fish',
      ),
    )
    .action((shell) => void process.stdout.write(completionScript(shell, program)))
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
    .command('reference')
    .description('Write the generated pages of the documentation')
    .option(...check)
    .action(async (options) => writeOrCompare(await referenceFiles(), 'reference', options.check))
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
    (command) => `## ${fullName(command)}\n\n\`\`\`text\n${getHelpText(command)}\`\`\`\n`,
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

function getHelpText(command: CommandUnknownOpts): string {
  let text = ''
  command
    .configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => pageWidth })
    .outputHelp()
  return text
}

const introduction = `# Command line

In a checkout, run the program with \`npx --no link-service\`, which downloads nothing. In a container, or if the program is on your PATH, use \`link-service\`. \`link-service help\` lists all commands. \`link-service COMMAND --help\` describes one.

The commands for links and webhooks, and \`explain\`, \`stats\`, \`import\`, \`export\`, \`listen\`, \`mcp\` and \`open\`, call the API with a token, from any machine. \`login\` saves the URL of the API and a token in a profile that only you can read. \`--url\`, \`--token-file\` and the environment variables \`LINK_SERVICE_URL\` and \`LINK_SERVICE_TOKEN\` take precedence over the default profile. A profile named with \`--profile\` takes precedence over the environment. A saved token is sent only to the host it was saved for. Do not pass a token as an argument on a shared machine, because other users can see it. Commands read the environment and a \`.env\` file. Without a URL, they call the service that runs with the same data folder.

The commands for tokens and workspaces use the database directly, whether or not the service is running. Run them in the service's folder or with its settings.

Lists are printed as tables. In a terminal, text and the middle of URLs are shortened to fit, and the least important columns are dropped if necessary. In a pipe, nothing is shortened. \`--format csv\` prints the columns of the table as CSV, \`--json\` prints one JSON document, and \`-q\` prints only IDs. \`--watch\` refreshes a list or statistics until you press Ctrl-C. Statuses are colored in a terminal unless \`NO_COLOR\` is set; \`FORCE_COLOR\` also enables color in a pipe. In a terminal, delete commands ask for confirmation unless you pass \`--yes\`. Options follow the command. The exit code is 2 for a usage error and 1 for any other error. This page is generated: \`node dist/main.js commands\`.
`
