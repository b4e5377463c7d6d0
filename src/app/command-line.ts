/** Reads the words of the command line and runs what they ask for. */
import { commandsPage, openApiFile, settingsFiles, writeOrCompare } from './generated-files.js'
import { readEnvironment } from '../platform/config/env.js'
import { operatorCommands, roleCommands } from './service-commands.js'
import { command } from '../platform/command-line/command.js'
import type { Command, Commands } from '../platform/command-line/command.js'
import { helpText, overview } from '../platform/command-line/help.js'
import { readWords } from '../platform/command-line/read-words.js'
import { version } from '../platform/util/version.js'
import { listenCommand } from '../tools/listen/listen-command.js'
import { deliveryCommands } from '../tools/remote/deliveries.js'
import { explainCommands } from '../tools/remote/explain.js'
import { linkCommands } from '../tools/remote/links.js'
import { statsCommands } from '../tools/remote/stats.js'
import { webhookCommands } from '../tools/remote/webhooks.js'
import { transferCommands } from '../tools/transfer/commands.js'

const checkOption = {
  check: { text: 'compare the committed file instead, and fail where it differs' },
} as const

const generators: Commands = {
  openapi: command({
    summary: 'Write the OpenAPI document, openapi.json',
    options: checkOption,
    example: 'openapi --check',
    run: async ({ check }) => writeOrCompare(await openApiFile(), 'openapi', check),
  }),
  settings: command({
    summary: 'Write the pages about settings, docs/settings.md and .env.example',
    options: checkOption,
    example: 'settings --check',
    run: ({ check }) => writeOrCompare(settingsFiles(), 'settings', check),
  }),
  commands: command({
    summary: 'Write the page about commands, docs/command-line.md',
    options: checkOption,
    example: 'commands --check',
    run: ({ check }) => writeOrCompare(commandsPage(commands), 'commands', check),
  }),
}

/** The commands by purpose, in the groups that the overview shows. */
const groups: Readonly<Record<string, Commands>> = {
  'Run the service': roleCommands,
  'Operate it, on its database': operatorCommands,
  'Call it from anywhere, with a token': {
    ...linkCommands,
    ...webhookCommands,
    ...deliveryCommands,
    ...explainCommands,
    ...statsCommands,
    ...transferCommands,
    listen: listenCommand,
  },
  'Write the generated files of a checkout': generators,
}
const commands: Commands = Object.fromEntries(Object.values(groups).flatMap(Object.entries<Command>))

export async function runCommand(argv: readonly string[]): Promise<void> {
  const request = readWords(argv, commands)
  switch (request.kind) {
    case 'help':
      return void process.stdout.write(
        request.about === '' ? overview(groups) : helpText(request.about, commands),
      )
    case 'version':
      return void process.stdout.write(`${version}\n`)
    case 'nothing':
      return commands[readEnvironment().role]!.run({}, [])
    case 'command':
      return request.command.run(request.given, request.operands)
  }
}
