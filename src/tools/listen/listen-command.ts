/** Declares `link-service listen`. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'

import { exampleText } from '../../platform/command-line/output.js'
import { apiOption, profileOption, tokenFileOption, tokenOption } from '../remote/connection.js'

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('Forward events of a workspace to a receiver on your machine, signed like webhooks')
    .requiredOption('--forward-to <url>', 'URL that receives the events')
    .option('--events <types>', 'event types (default: all, including clicks without a subscribed webhook)')
    .option('--from <cursor>', 'now, start, or a cursor that an earlier run printed (default: now)')
    .addOption(
      new Option('--replay <events...>', 'send these past events once, then stop').conflicts([
        'events',
        'from',
      ]),
    )
    .addOption(apiOption)
    .addOption(tokenFileOption)
    .addOption(tokenOption)
    .addOption(profileOption)
    .option('--secret <secret>', 'signing secret (default: generated for the run)')
    .addOption(new Option('--json', 'print one JSON document per event, each with a cursor to continue from'))
    .addHelpText(
      'after',
      exampleText('listen --forward-to http://localhost:4000/hooks --events link.created,click'),
    )
    .action(async (options) => {
      const { listen } = await import('./listen.js')
      await listen(options)
    })
}
