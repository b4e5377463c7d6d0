/** Declares `link-service webhooks check`. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'

import { exampleText, jsonOption } from '../../platform/command-line/output.js'

export function addCheckCommand(webhooks: Command): void {
  webhooks
    .command('check')
    .description(
      'Check a receiver on this machine with valid, forged, late, repeated, slow and large requests; exits with 1 if a check failed',
    )
    .argument('<url>', 'URL of the receiver, on this machine')
    .option('--secret-file <file>', 'file with the signing secret of the receiver')
    .addOption(
      new Option('--secret <secret>', 'the secret itself, visible to all users of this machine').conflicts(
        'secretFile',
      ),
    )
    .addOption(jsonOption)
    .addHelpText('after', exampleText('webhooks check http://localhost:4000/hooks --secret-file secret.txt'))
    .action(async (url, options) => {
      const { checkReceiver } = await import('./check-receiver.js')
      await checkReceiver(url, options)
    })
}
