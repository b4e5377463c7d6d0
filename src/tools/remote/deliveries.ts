/** `link-service webhooks test`, `deliveries`, `redeliver`, `skip`, `replay` and `stats`. */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { Delivery, LinkService } from '@link-service/client'

import { deliveryStatuses } from '../../events/ports.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { withClient } from './connection.js'
import { definedFields, parseEventNames, toAbsoluteTime } from './request-fields.js'
import { withJson, withList } from './remote-options.js'
import { limitOption, pagedOutput, printText, textWithRows } from './remote-output.js'
import { deliveryTones } from './states.js'
import { printOrWatch, withWatch } from './watch.js'

const columns: TableColumn<Delivery>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'status', value: ({ status }) => status, tone: ({ status }) => deliveryTones[status] },
  { title: 'event', value: ({ event_type }) => event_type, dropOrder: 4 },
  { title: 'attempts', value: ({ attempt_count }) => attempt_count, dropOrder: 1 },
  {
    title: 'response',
    value: ({ last_attempt }) => last_attempt?.status_code ?? last_attempt?.error?.class,
    dropOrder: 5,
  },
  { title: 'next attempt', value: ({ next_attempt_at }) => next_attempt_at, dropOrder: 3 },
  { title: 'created', value: ({ created_at }) => created_at, dropOrder: 2 },
]

type ListedAttempt = Awaited<ReturnType<LinkService['webhooks']['delivery']>>['attempts'][number]
type Hour = Awaited<ReturnType<LinkService['webhooks']['stats']>>['hours'][number]

const attemptColumns: TableColumn<ListedAttempt>[] = [
  { title: 'attempt', value: ({ number }) => number },
  { title: 'started', value: ({ started_at }) => started_at, dropOrder: 2 },
  { title: 'duration', value: ({ duration_ms }) => `${duration_ms} ms`, dropOrder: 1 },
  {
    title: 'response',
    value: ({ status_code, error }) => status_code ?? error?.class,
    tone: ({ error }) => (error ? 'bad' : 'good'),
  },
  { title: 'error', value: ({ error }) => error?.message, kind: 'text' },
]

const hourColumns: TableColumn<Hour>[] = [
  { title: 'hour', value: ({ start }) => start },
  { title: 'succeeded', value: ({ succeeded }) => succeeded },
  { title: 'failed', value: ({ failed }) => failed },
]

/** Longer than WEBHOOK_TIMEOUT can be. */
const testTimeoutMs = 90_000

export function addDeliveryCommands(webhooks: Command): void {
  withJson(
    webhooks
      .command('test')
      .description('Send a test event and print the result; exits with 1 if the delivery failed')
      .argument('<webhook>', 'ID of the webhook')
      .option('--event <type>', 'type of the test event (default: webhook.test)'),
    'webhooks test wh_01kaj3w0c5fq4t1n8v6z2b9y7m --event click',
  ).action((id, options) =>
    withClient(options, async ({ webhooks }) => {
      const trace = await webhooks.test(id, definedFields({ event: options.event as 'click' | undefined }), {
        timeoutMs: testTimeoutMs,
      })
      if (!trace.delivered) process.exitCode = 1
      printText(trace.verdict, trace, options)
    }),
  )
  withList(
    webhooks
      .command('deliveries')
      .description('List the deliveries of a webhook, newest first')
      .argument('<webhook>', 'ID of the webhook')
      .addOption(
        new Option('--status <status>', 'only deliveries with this status').choices(deliveryStatuses),
      )
      .option('--event <type>', 'only deliveries of this event type')
      .option('--tried', 'only deliveries with at least one attempt')
      .option('--error <class>', 'only deliveries whose last attempt failed with this error, such as timeout')
      .addOption(limitOption),
    'webhooks deliveries wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status failed',
  ).action((id, options) => {
    const filters = definedFields({
      status: options.status,
      event: options.event as 'click' | undefined,
      tried: options.tried,
      error_class: options.error as 'timeout' | undefined,
    })
    return printOrWatch(options, ({ webhooks }) =>
      pagedOutput(webhooks.deliveries(id, { limit: 100, ...filters }), columns, options),
    )
  })
  withWatch(
    withJson(
      webhooks
        .command('delivery')
        .description('Show a delivery with its attempts')
        .argument('<webhook>', 'ID of the webhook')
        .argument('<delivery>', 'ID of the delivery'),
      'webhooks delivery wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht --json',
    ),
  ).action((id, delivery, options) =>
    printOrWatch(options, async ({ webhooks }) => {
      const found = await webhooks.delivery(id, delivery)
      const { attempts: rows, status } = found
      const fields = ['attempts', 'last_attempt']
      const state = { word: status, tone: deliveryTones[status] }
      return { text: textWithRows(found, { fields, rows, columns: attemptColumns, state }, options) }
    }),
  )
  withJson(
    webhooks
      .command('redeliver')
      .description('Redeliver a delivery')
      .argument('<webhook>', 'ID of the webhook')
      .argument('<delivery>', 'ID of the delivery'),
    'webhooks redeliver wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht',
  ).action((id, delivery, options) =>
    withClient(options, async ({ webhooks }) => {
      const sent = await webhooks.redeliver(id, delivery)
      printText(`Redelivering ${delivery}.`, sent, options)
    }),
  )
  withJson(
    webhooks
      .command('skip')
      .description('Cancel a pending or held delivery, so that an ordered webhook sends the next one')
      .argument('<webhook>', 'ID of the webhook')
      .argument('<delivery>', 'ID of the delivery'),
    'webhooks skip wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht',
  ).action((id, delivery, options) =>
    withClient(options, async ({ webhooks }) => {
      const skipped = await webhooks.skip(id, delivery)
      printText(`Skipped ${delivery}.`, skipped, options)
    }),
  )
  withJson(
    webhooks
      .command('replay')
      .description('Redeliver the deliveries since a time, by default only failed ones')
      .argument('<webhook>', 'ID of the webhook')
      .requiredOption('--since <time>', 'start: a time, or a duration before now such as 1d')
      .option('--until <time>', 'end, in the same format (default: now)')
      .addOption(
        new Option('--status <which>', 'status of the deliveries (default: failed)').choices([
          'failed',
          'all',
        ]),
      )
      .option('--events <types>', 'only these event types, such as link.created,click')
      .addOption(
        new Option(
          '--from <which>',
          'replay deliveries, or events that the webhook never received (default: deliveries)',
        ).choices(['deliveries', 'events']),
      )
      .option('--ignore-filter', 'also send events that the filter of the webhook excludes')
      .option('--dry-run', 'only count the deliveries'),
    'webhooks replay wh_01kaj3w0c5fq4t1n8v6z2b9y7m --since 1d --status failed',
  ).action((id, { since, until, status, events, from, ignoreFilter, dryRun, ...options }) =>
    withClient(options, async ({ webhooks }) => {
      const replay = await webhooks.replay(id, {
        since: toAbsoluteTime(since),
        ...definedFields({
          until: toAbsoluteTime(until),
          status,
          events: parseEventNames(events),
          from,
          ignore_filter: ignoreFilter,
          dry_run: dryRun,
        }),
      })
      const verb = dryRun ? 'would be sent' : 'are sent'
      const isOnlyFailed = status !== 'all' && from !== 'events'
      const hint =
        replay.deliveries === 0 && isOnlyFailed
          ? ' No deliveries failed. Use --status all to redeliver successful ones too.'
          : ''
      printText(`${replay.deliveries} deliveries ${verb}.${hint}`, replay, options)
    }),
  )
  withWatch(
    withJson(
      webhooks
        .command('stats')
        .description('Show the number of deliveries in each status, and the results of the last 24 hours')
        .argument('<webhook>', 'ID of the webhook'),
      'webhooks stats wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
    ),
  ).action((id, options) =>
    printOrWatch(options, async ({ webhooks }) => {
      const stats = await webhooks.stats(id)
      return {
        text: textWithRows(stats, { fields: ['hours'], rows: stats.hours, columns: hourColumns }, options),
      }
    }),
  )
}
