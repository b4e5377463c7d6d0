/** `link-service webhooks …`: webhooks and their secrets. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { LinkService, Webhook } from '@link-service/client'

import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { readSecretLine, withClient, withConnection } from './connection.js'
import { addDeliveryCommands } from './deliveries.js'
import { eventNamesOf, given, textOrNull } from './request-fields.js'
import { limitOption, printDone, printList, printThing } from './remote-output.js'

const columns: TableColumn<Webhook>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status },
  { title: 'pending', of: ({ pending }) => pending },
  { title: 'held', of: ({ held }) => held },
  { title: 'last success', of: ({ last_success_at }) => last_success_at },
  { title: 'events', of: ({ events }) => events },
  { title: 'url', of: ({ url }) => url },
]

const aboutEvents = 'types of events, such as link.created,click; * for all'
const descriptionOption = new Option('--description <text>', 'line for people; an empty one clears it')
const secretFileOption = new Option('--secret-file <file>', 'file with a signing secret of your own')

function fieldsOf(options: { description?: string | undefined; secretFile?: string | undefined }) {
  const file = options.secretFile
  return given({
    description: textOrNull(options.description),
    secret: file === undefined ? undefined : readSecretLine('--secret-file', file),
  })
}

const shownOnce = 'The secret is shown only once. Store it where your receiver can read it.'

export function addWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhooks and their deliveries')
    .helpCommand(false)
  withConnection(
    webhooks
      .command('create')
      .description('Create a webhook')
      .argument('<url>', 'URL that receives the events')
      .requiredOption('--events <types>', aboutEvents)
      .addOption(descriptionOption)
      .addOption(secretFileOption),
    'webhooks create https://receiver.example/hooks --events link.created,click',
  ).action((url, options) =>
    withClient(options, async ({ webhooks }) => {
      const events = eventNamesOf(options.events)
      const created = await webhooks.create({ url, events, ...fieldsOf(options) })
      printThing(created, options, ...(created.secret ? ['', shownOnce] : []))
    }),
  )
  withConnection(
    webhooks.command('list').description('List webhooks, newest first').addOption(limitOption),
    'webhooks list',
  ).action((options) =>
    withClient(options, ({ webhooks }) => printList(webhooks.list({ limit: 100 }), columns, options)),
  )
  withConnection(
    webhooks.command('get').description('Show a webhook').argument('<webhook>', 'ID of the webhook'),
    'webhooks get wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => printThing(await webhooks.get(id), options)),
  )
  withConnection(
    webhooks
      .command('update')
      .description('Change the given fields of a webhook')
      .argument('<webhook>', 'ID of the webhook')
      .option('--to <url>', 'new URL of the receiver')
      .option('--events <types>', aboutEvents)
      .addOption(
        new Option(
          '--status <status>',
          'paused holds its events; active sends them and the held ones',
        ).choices(['active', 'paused']),
      )
      .addOption(descriptionOption)
      .addOption(secretFileOption),
    'webhooks update wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status paused',
  ).action((id, options) => {
    const patch = given({
      url: options.to,
      events: eventNamesOf(options.events),
      status: options.status,
      ...fieldsOf(options),
    })
    if (Object.keys(patch).length === 0)
      throw new UsageError('Give at least one field to change. See: link-service webhooks update --help')
    const work = async ({ webhooks }: LinkService) => printThing(await webhooks.update(id, patch), options)
    return withClient(options, work, { url: '--to' })
  })
  withConnection(
    webhooks
      .command('delete')
      .description('Delete a webhook; nothing more is sent to it')
      .argument('<webhook>', 'ID of the webhook'),
    'webhooks delete wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      await webhooks.delete(id)
      printDone(`Deleted ${id}.`, { id, deleted: true }, options)
    }),
  )
  withConnection(
    webhooks
      .command('rotate')
      .description('Create a new secret; the old one also signs until the overlap ends')
      .argument('<webhook>', 'ID of the webhook')
      .option('--overlap <duration>', 'how long the old secret also signs, such as 24h; 0s if it has leaked'),
    'webhooks rotate wh_01kaj3w0c5fq4t1n8v6z2b9y7m --overlap 1h',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      const rotated = await webhooks.rotateSecret(id, given({ overlap: options.overlap }))
      printThing(rotated, options, '', shownOnce)
    }),
  )
  addDeliveryCommands(webhooks)
}
