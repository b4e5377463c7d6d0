/** `link-service webhooks test`, `deliveries`, `replay` …: what was sent, and sending it again. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { Delivery, LinkService } from '@link-service/client'

import { deliveryStatuses } from '../../events/ports.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { withClient, withConnection } from './connection.js'
import { given, namesOf, timeOf } from './request-fields.js'
import { limitOption, printDone, printList, printWithRows } from './remote-output.js'

const columns: TableColumn<Delivery>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status },
  { title: 'event', of: ({ event_type }) => event_type },
  { title: 'attempts', of: ({ attempt_count }) => attempt_count },
  { title: 'response', of: ({ last_attempt }) => last_attempt?.status_code ?? last_attempt?.error?.class },
  { title: 'next attempt', of: ({ next_attempt_at }) => next_attempt_at },
  { title: 'created', of: ({ created_at }) => created_at },
]

type ListedAttempt = Awaited<ReturnType<LinkService['webhooks']['delivery']>>['attempts'][number]
type Hour = Awaited<ReturnType<LinkService['webhooks']['stats']>>['hours'][number]

const attemptColumns: TableColumn<ListedAttempt>[] = [
  { title: 'attempt', of: ({ number }) => number },
  { title: 'started', of: ({ started_at }) => started_at },
  { title: 'took', of: ({ duration_ms }) => `${duration_ms} ms` },
  { title: 'response', of: ({ status_code, error }) => status_code ?? error?.class },
  { title: 'reason', of: ({ error }) => error?.message },
]

const hourColumns: TableColumn<Hour>[] = [
  { title: 'hour', of: ({ start }) => start },
  { title: 'succeeded', of: ({ succeeded }) => succeeded },
  { title: 'failed', of: ({ failed }) => failed },
]

export function addDeliveryCommands(webhooks: Command): void {
  withConnection(
    webhooks
      .command('test')
      .description('Send a test event now and print the result; exits with 1 if it was not delivered')
      .argument('<webhook>', 'ID of the webhook')
      .option('--event <type>', 'type of the example event (default: webhook.test)'),
    'webhooks test wh_01kaj3w0c5fq4t1n8v6z2b9y7m --event click',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      const trace = await webhooks.test(id, given({ event: options.event as 'click' | undefined }))
      if (!trace.delivered) process.exitCode = 1
      printDone(trace.verdict, trace, options)
    }),
  )
  withConnection(
    webhooks
      .command('deliveries')
      .description('List the deliveries of a webhook, newest first')
      .argument('<webhook>', 'ID of the webhook')
      .addOption(new Option('--status <status>', 'only deliveries in this status').choices(deliveryStatuses))
      .option('--event <type>', 'only deliveries of this type of event')
      .addOption(limitOption),
    'webhooks deliveries wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status failed',
  ).action((id, options) => {
    const filters = given({ status: options.status, event: options.event as 'click' | undefined })
    return withClient(options, ({ webhooks }) =>
      printList(webhooks.deliveries(id, { limit: 100, ...filters }), columns, options),
    )
  })
  withConnection(
    webhooks
      .command('delivery')
      .description('Show a delivery with its attempts')
      .argument('<webhook>', 'ID of the webhook')
      .argument('<delivery>', 'ID of the delivery'),
    'webhooks delivery wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht --json',
  ).action((id, delivery, options) =>
    withClient(options, async ({ webhooks }) => {
      const found = await webhooks.delivery(id, delivery)
      const { attempts: rows } = found
      printWithRows(found, { of: ['attempts', 'last_attempt'], rows, columns: attemptColumns }, options)
    }),
  )
  withConnection(
    webhooks
      .command('redeliver')
      .description('Send a delivery again')
      .argument('<webhook>', 'ID of the webhook')
      .argument('<delivery>', 'ID of the delivery'),
    'webhooks redeliver wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht',
  ).action((id, delivery, options) =>
    withClient(options, async ({ webhooks }) => {
      const sent = await webhooks.redeliver(id, delivery)
      printDone(`Redelivering ${delivery}.`, sent, options)
    }),
  )
  withConnection(
    webhooks
      .command('replay')
      .description('Send failed deliveries, or all, since a time again')
      .argument('<webhook>', 'ID of the webhook')
      .requiredOption('--since <time>', 'a time, or how long ago, such as 1d')
      .option('--until <time>', 'the end, in the same form (default: now)')
      .addOption(
        new Option('--status <which>', 'deliveries to send (default: failed)').choices(['failed', 'all']),
      )
      .option('--events <types>', 'only these types of events, such as link.created,click')
      .addOption(
        new Option(
          '--from <which>',
          'events also sends what the webhook never got (default: deliveries)',
        ).choices(['deliveries', 'events']),
      )
      .option('--dry-run', 'only count'),
    'webhooks replay wh_01kaj3w0c5fq4t1n8v6z2b9y7m --since 1d --status failed',
  ).action((id, { since, until, status, events, from, dryRun, ...options }) =>
    withClient(options, async ({ webhooks }) => {
      const replay = await webhooks.replay(id, {
        since: timeOf(since),
        ...given({
          until: timeOf(until),
          status,
          events: namesOf(events) as 'click'[] | undefined,
          from,
          dry_run: dryRun,
        }),
      })
      const verb = dryRun ? 'would be sent' : 'are sent'
      const isOnlyFailed = status !== 'all' && from !== 'events'
      const hint =
        replay.deliveries === 0 && isOnlyFailed ? ' None has failed; --status all also sends the others.' : ''
      printDone(`${replay.deliveries} deliveries ${verb}.${hint}`, replay, options)
    }),
  )
  withConnection(
    webhooks
      .command('stats')
      .description('Show how many deliveries of a webhook are in each status, and its last 24 hours')
      .argument('<webhook>', 'ID of the webhook'),
    'webhooks stats wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      const stats = await webhooks.stats(id)
      printWithRows(stats, { of: ['hours'], rows: stats.hours, columns: hourColumns }, options)
    }),
  )
}
