/** `link-service import` and `export`, as the command line declares them. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'

import { conflictModes, containers, formatNames } from '../../links/link-fields.js'
import { exampleText } from '../../platform/command-line/output.js'
import { tokenFileOption, tokenOption, urlOption, withConnection } from '../remote/connection.js'

export function addTransferCommands(program: Command): void {
  withConnection(
    program
      .command('import')
      .description('Create links from a file, also from the exports of Bitly, Dub, Kutt, Shlink and YOURLS')
      .argument('[file]', 'CSV or NDJSON file')
      .addOption(
        new Option('--format <format>', 'format of the file (default: detected)').choices(formatNames),
      )
      .addOption(
        new Option('--on-conflict <what>', 'what to do if a link exists (default: fail)').choices(
          conflictModes,
        ),
      )
      .option('--dry-run', 'only say what would happen')
      .option('--no-events', 'send no events to webhooks')
      .addOption(
        new Option('--resume <id>', 'watch an import that was sent before, in place of a file').conflicts([
          'format',
          'onConflict',
          'dryRun',
          'events',
        ]),
      ),
    'import links.csv --dry-run',
  ).action(async (file, options) => {
    const { importLinks } = await import('./import.js')
    if (!(await importLinks(file, options))) process.exitCode = 1
  })
  program
    .command('export')
    .description('Write all links to standard output')
    .addOption(new Option('--format <format>', 'format of the file (default: csv)').choices(containers))
    .addOption(urlOption)
    .addOption(tokenFileOption)
    .addOption(tokenOption)
    .addHelpText('after', exampleText('export > links.csv'))
    .action(async (options) => {
      const { exportLinks } = await import('./export.js')
      await exportLinks(options)
    })
}
