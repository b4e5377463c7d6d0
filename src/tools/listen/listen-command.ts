/** `link-service listen`, as the command line declares it. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'

import { exampleText } from '../../platform/command-line/output.js'
import { apiOption, tokenFileOption, tokenOption } from '../remote/connection.js'

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('Forward events of a workspace to a receiver on your machine, signed like webhooks')
    .requiredOption('--forward-to <url>', 'URL that receives the events')
    .option('--events <types>', 'types of events (default: all, also clicks that no webhook subscribes to)')
    .option('--from <place>', 'now, start, or a place that an earlier run printed (default: now)')
    .addOption(apiOption)
    .addOption(tokenFileOption)
    .addOption(tokenOption)
    .option('--secret <secret>', 'signing secret (default: one is generated for the run)')
    .addOption(
      new Option('--json', 'print one JSON document per event, each with the place after that event'),
    )
    .addHelpText(
      'after',
      exampleText('listen --forward-to http://localhost:4000/hooks --events link.created,click'),
    )
    .action(async (options) => {
      const { listen } = await import('./listen.js')
      await listen(options)
    })
}
