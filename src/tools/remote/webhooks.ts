/** `link-service webhooks`: manages webhooks and their secrets. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { LinkService, Webhook } from '@link-service/client'

import type { TableColumn } from '../../platform/command-line/table.js'
import { readSecretLine, withClient, withConnection } from './connection.js'
import { addDeliveryCommands } from './deliveries.js'
import { definedFields, eventNamesOf, requireChanges, textOrNull } from './request-fields.js'
import { limitOption, printDeleted, printList, printResource } from './remote-output.js'

const columns: TableColumn<Webhook>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status },
  { title: 'pending', of: ({ pending }) => pending },
  { title: 'held', of: ({ held }) => held },
  { title: 'last success', of: ({ last_success_at }) => last_success_at },
  { title: 'events', of: ({ events }) => events },
  { title: 'url', of: ({ url }) => url },
]

const eventsDescription = 'event types, such as link.created,click; * for all'
const descriptionOption = new Option(
  '--description <text>',
  'description of the webhook; an empty description clears it',
)
const secretFileOption = new Option('--secret-file <file>', 'file with your own signing secret')

function fieldsOf(options: { description?: string | undefined; secretFile?: string | undefined }) {
  const file = options.secretFile
  return definedFields({
    description: textOrNull(options.description),
    secret: file === undefined ? undefined : readSecretLine('--secret-file', file),
  })
}

const secretNotice = 'The secret is shown only once. Store it where your receiver can read it.'

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
      .requiredOption('--events <types>', eventsDescription)
      .addOption(descriptionOption)
      .addOption(secretFileOption),
    'webhooks create https://receiver.example/hooks --events link.created,click',
  ).action((url, options) =>
    withClient(options, async ({ webhooks }) => {
      const events = eventNamesOf(options.events)
      const created = await webhooks.create({ url, events, ...fieldsOf(options) })
      printResource(created, options, ...(created.secret ? ['', secretNotice] : []))
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
    withClient(options, async ({ webhooks }) => printResource(await webhooks.get(id), options)),
  )
  withConnection(
    webhooks
      .command('update')
      .description('Update the given fields of a webhook')
      .argument('<webhook>', 'ID of the webhook')
      .option('--to <url>', 'new URL of the receiver')
      .option('--events <types>', eventsDescription)
      .addOption(
        new Option('--status <status>', 'paused holds deliveries, active sends them').choices([
          'active',
          'paused',
        ]),
      )
      .addOption(descriptionOption)
      .addOption(secretFileOption),
    'webhooks update wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status paused',
  ).action((id, options) => {
    const patch = definedFields({
      url: options.to,
      events: eventNamesOf(options.events),
      status: options.status,
      ...fieldsOf(options),
    })
    requireChanges(patch, 'webhooks update')
    const work = async ({ webhooks }: LinkService) => printResource(await webhooks.update(id, patch), options)
    return withClient(options, work, { url: '--to' })
  })
  withConnection(
    webhooks
      .command('delete')
      .description('Delete a webhook; its pending deliveries are not sent')
      .argument('<webhook>', 'ID of the webhook'),
    'webhooks delete wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      await webhooks.delete(id)
      printDeleted(id, options)
    }),
  )
  withConnection(
    webhooks
      .command('rotate')
      .description('Rotate the secret; requests are signed with both secrets until the overlap ends')
      .argument('<webhook>', 'ID of the webhook')
      .option(
        '--overlap <duration>',
        'how long to also sign with the old secret, such as 24h; 0s if the secret leaked',
      ),
    'webhooks rotate wh_01kaj3w0c5fq4t1n8v6z2b9y7m --overlap 1h',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      const rotated = await webhooks.rotateSecret(id, definedFields({ overlap: options.overlap }))
      printResource(rotated, options, '', secretNotice)
    }),
  )
  addDeliveryCommands(webhooks)
}
