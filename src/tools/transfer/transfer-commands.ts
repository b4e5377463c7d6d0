/** Declares `link-service import` and `link-service export`. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'

import { conflictModes, containers, formatNames } from '../../links/link-fields.js'
import { withConnection } from '../remote/connection.js'
import { withJson } from '../remote/remote-options.js'

export function addTransferCommands(program: Command): void {
  withJson(
    program
      .command('import')
      .description(
        'Import links from a CSV or NDJSON file, or from an export of Bitly, Dub, Kutt, Shlink or YOURLS',
      )
      .argument('[file]', 'CSV or NDJSON file')
      .addOption(
        new Option('--format <format>', 'format of the file (default: detected)').choices(formatNames),
      )
      .addOption(
        new Option('--on-conflict <mode>', 'how to handle existing links (default: fail)').choices(
          conflictModes,
        ),
      )
      .option('--dry-run', 'check the file without changing anything')
      .option('--no-events', 'do not record events for webhooks')
      .addOption(
        new Option('--resume <id>', 'watch an earlier import instead of sending a file').conflicts([
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
  withConnection(
    program
      .command('export')
      .description('Export all links to standard output')
      .addOption(new Option('--format <format>', 'format of the file (default: csv)').choices(containers)),
    'export > links.csv',
  ).action(async (options) => {
    const { exportLinks } = await import('./export.js')
    await exportLinks(options)
  })
}
