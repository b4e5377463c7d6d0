/** `link-service webhooks`: manages webhooks and their secrets. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { BodyOf, LinkService, Webhook } from '@link-service/client'

import type { OutputOptions } from '../../platform/command-line/output.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { commandText } from '../../platform/util/program.js'
import { addCheckCommand } from '../check-receiver/check-command.js'
import { withClient } from './connection.js'
import { confirm, yesOption } from './prompt.js'
import { addDeliveryCommands } from './deliveries.js'
import { definedFields, parseEventNames, parseNameList, requireChanges } from './request-fields.js'
import { withJson, withList, withResult } from './remote-options.js'
import { limitOption, pagedOutput, printDeleted, printResource, printText } from './remote-output.js'
import { webhookState } from './states.js'
import { printOrWatch } from './watch.js'
import { createNewWebhookFields, createWebhookFields, withWebhookFields } from './webhook-options.js'

const columns: TableColumn<Webhook>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'status', value: (hook) => webhookState(hook).word, tone: (hook) => webhookState(hook).tone },
  { title: 'pending', value: ({ pending }) => pending, dropOrder: 4 },
  { title: 'held', value: ({ held }) => held, dropOrder: 3 },
  { title: 'last success', value: ({ last_success_at }) => last_success_at, dropOrder: 2 },
  { title: 'events', value: ({ events }) => events, kind: 'text', dropOrder: 1 },
  { title: 'url', value: ({ url }) => url, kind: 'url', dropOrder: 5 },
]

const eventsDescription = 'event types, such as link.created,click; * for all'
const secretNotice = 'The secret is shown only once. Store it where your receiver can read it.'

function printWebhook(webhook: Webhook, options: OutputOptions, notes: readonly string[] = []): void {
  printResource(webhook, options, { state: webhookState(webhook), notes })
}

/** Prints a webhook with its new secret, which no later request returns. */
function printWithSecret(webhook: Webhook & { secret: string | null }, options: OutputOptions): void {
  printWebhook(webhook, options, webhook.secret === null ? [] : ['', secretNotice])
  if (options.quiet && webhook.secret !== null)
    process.stderr.write(
      `The new signing secret was not printed. Rotate it to get another one: ${commandText(`webhooks rotate ${webhook.id}`)}\n`,
    )
}

export function addWebhookCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhooks and their deliveries')
    .helpCommand(false)
  withResult(
    withWebhookFields(
      webhooks
        .command('create')
        .description('Create a webhook')
        .argument('<url>', 'URL that receives the events')
        .requiredOption('--events <types>', eventsDescription),
    ),
    'webhooks create https://receiver.example/hooks --events link.created,click',
  ).action((url, options) =>
    withClient(options, async ({ webhooks }) => {
      const events = parseEventNames(options.events)
      const created = await webhooks.create({ url, events, ...createNewWebhookFields(options) })
      printWithSecret(created, options)
    }),
  )
  withList(
    webhooks.command('list').description('List webhooks, newest first').addOption(limitOption),
    'webhooks list',
  ).action((options) =>
    printOrWatch(options, ({ webhooks }) => pagedOutput(webhooks.list({ limit: 100 }), columns, options)),
  )
  withResult(
    webhooks.command('get').description('Show a webhook').argument('<webhook>', 'ID of the webhook'),
    'webhooks get wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => printWebhook(await webhooks.get(id), options)),
  )
  withResult(
    withWebhookFields(
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
        ),
    ),
    'webhooks update wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status paused',
  ).action((id, options) => {
    const patch = definedFields({
      url: options.to,
      events: parseEventNames(options.events),
      status: options.status,
      ...createWebhookFields(options),
    })
    requireChanges(patch, 'webhooks update')
    const work = async ({ webhooks }: LinkService) => printWebhook(await webhooks.update(id, patch), options)
    return withClient(options, work, { url: '--to' })
  })
  withResult(
    webhooks
      .command('delete')
      .description('Delete a webhook; its pending deliveries are not sent')
      .argument('<webhook>', 'ID of the webhook')
      .addOption(yesOption),
    'webhooks delete wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      if (!(await confirm(`Delete the webhook ${id}? Its pending deliveries are not sent.`, options))) return
      await webhooks.delete(id)
      printDeleted(id, options)
    }),
  )
  withResult(
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
      printWithSecret(rotated, options)
    }),
  )
  withJson(
    webhooks
      .command('test-filter')
      .description('Test whether the filter of a webhook includes a recorded event; nothing is sent')
      .argument('<webhook>', 'ID of the webhook')
      .argument('<event>', 'ID of the event'),
    'webhooks test-filter wh_01kaj3w0c5fq4t1n8v6z2b9y7m evt_01kaj4d0qae6svf0k9w3m7x2ht',
  ).action((id, event, options) =>
    withClient(options, async ({ webhooks }) => {
      const tested = await webhooks.testFilter(id, { event_id: event })
      printText(tested.message, tested, options)
    }),
  )
  withJson(
    webhooks
      .command('portal')
      .description(
        'Create a link that opens only the pages of this webhook, for the user who runs the receiver',
      )
      .argument('<webhook>', 'ID of the webhook')
      .option('--allow <actions>', 'what the user may do besides reading: test,replay,rotate (default: none)')
      .option('--expires-in <duration>', 'how long the link is valid, up to 24h (default: 1h)'),
    'webhooks portal wh_01kaj3w0c5fq4t1n8v6z2b9y7m --allow test,replay',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      const allow = parseNameList(options.allow) as BodyOf<'createPortalLink'>['allow']
      const link = await webhooks.createPortalLink(
        id,
        definedFields({ allow, expires_in: options.expiresIn }),
      )
      printText(`${link.url}\nThe link works once, until ${link.expires_at}.`, link, options)
    }),
  )
  withJson(
    webhooks
      .command('addresses')
      .description('Show the IP addresses that deliveries come from, to allow them in a firewall'),
    'webhooks addresses',
  ).action((options) =>
    withClient(options, async ({ instance }) => {
      const egress = await instance.egress()
      printText([...egress.addresses, egress.message].join('\n'), egress, options)
    }),
  )
  addDeliveryCommands(webhooks)
  addCheckCommand(webhooks)
}
