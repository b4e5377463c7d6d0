/** `link-service webhooks test, deliveries, replay …`: what was sent, and sending it again. */
import type { Delivery, LinkService } from '@link-service/client'

import { deliveryStatuses } from '../../events/ports.js'
import { command } from '../../platform/command-line/command.js'
import type { Commands } from '../../platform/command-line/command.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { connectionOptions, withClient } from './connection.js'
import { given, namesOf, oneOf, timeOf } from './request-fields.js'
import { limitOption, printDone, printList, printWithRows } from './remote-output.js'

const columns: TableColumn<Delivery>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'status', of: ({ status }) => status },
  { title: 'event', of: ({ event_type }) => event_type },
  { title: 'attempts', of: ({ attempt_count }) => attempt_count },
  { title: 'answer', of: ({ last_attempt }) => last_attempt?.status_code ?? last_attempt?.error?.class },
  { title: 'next attempt', of: ({ next_attempt_at }) => next_attempt_at },
  { title: 'created', of: ({ created_at }) => created_at },
]

type ListedAttempt = Awaited<ReturnType<LinkService['webhooks']['delivery']>>['attempts'][number]
type Hour = Awaited<ReturnType<LinkService['webhooks']['stats']>>['hours'][number]

const attemptColumns: TableColumn<ListedAttempt>[] = [
  { title: 'attempt', of: ({ number }) => number },
  { title: 'started', of: ({ started_at }) => started_at },
  { title: 'took', of: ({ duration_ms }) => `${duration_ms} ms` },
  { title: 'answer', of: ({ status_code, error }) => status_code ?? error?.class },
  { title: 'reason', of: ({ error }) => error?.message },
]

const hourColumns: TableColumn<Hour>[] = [
  { title: 'hour', of: ({ start }) => start },
  { title: 'succeeded', of: ({ succeeded }) => succeeded },
  { title: 'failed', of: ({ failed }) => failed },
]

export const deliveryCommands: Commands = {
  'webhooks test': command({
    summary: 'Send an example now and tell how it went; ends with 1 when it did not arrive',
    operands: ['ID'],
    options: {
      event: { value: 'TYPE', text: 'whose example is sent; webhook.test by default' },
      ...connectionOptions,
    },
    example: 'webhooks test wh_01kaj3w0c5fq4t1n8v6z2b9y7m --event click',
    run: (options, id) =>
      withClient(options, async ({ webhooks }) => {
        const trace = await webhooks.test(id, given({ event: options.event as 'click' | undefined }))
        if (!trace.delivered) process.exitCode = 1
        printDone(trace.verdict, trace, options)
      }),
  }),
  'webhooks deliveries': command({
    summary: 'List the deliveries of a webhook, newest first',
    operands: ['ID'],
    options: {
      status: { value: 'STATUS', text: `one of ${deliveryStatuses.join(', ')}` },
      event: { value: 'TYPE', text: 'only of this type of event' },
      ...limitOption,
      ...connectionOptions,
    },
    example: 'webhooks deliveries wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status failed',
    run: (options, id) => {
      const filters = given({
        status: oneOf('status', deliveryStatuses, options.status),
        event: options.event as 'click' | undefined,
      })
      return withClient(options, ({ webhooks }) =>
        printList(webhooks.deliveries(id, { limit: 100, ...filters }), columns, options),
      )
    },
  }),
  'webhooks delivery': command({
    summary: 'Show a delivery with its attempts',
    operands: ['ID', 'DELIVERY'],
    options: connectionOptions,
    example: 'webhooks delivery wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht --json',
    run: (options, id, delivery) =>
      withClient(options, async ({ webhooks }) => {
        const found = await webhooks.delivery(id, delivery)
        const { attempts: rows } = found
        printWithRows(found, { of: ['attempts', 'last_attempt'], rows, columns: attemptColumns }, options)
      }),
  }),
  'webhooks redeliver': command({
    summary: 'Send a delivery again',
    operands: ['ID', 'DELIVERY'],
    options: connectionOptions,
    example: 'webhooks redeliver wh_01kaj3w0c5fq4t1n8v6z2b9y7m dlv_01kaj4d0qae6svf0k9w3m7x2ht',
    run: (options, id, delivery) =>
      withClient(options, async ({ webhooks }) => {
        const sent = await webhooks.redeliver(id, delivery)
        printDone(`${delivery} is sent again.`, sent, options)
      }),
  }),
  'webhooks replay': command({
    summary: 'Send again what failed, or all, since a time',
    operands: ['ID'],
    options: {
      since: { value: 'TIME', text: 'a time, or how long ago: 1d' },
      until: { value: 'TIME', text: 'the end, in the same way; now by default' },
      status: { value: 'WHICH', text: 'failed, which is the default, or all' },
      events: { value: 'a,b', text: 'only these types of events' },
      from: { value: 'WHICH', text: 'deliveries, which is the default, or events: also what it never had' },
      'dry-run': { text: 'only count' },
      ...connectionOptions,
    },
    example: 'webhooks replay wh_01kaj3w0c5fq4t1n8v6z2b9y7m --since 1d --status failed',
    run: (options, id) => {
      if (options.since === undefined)
        throw new UsageError('webhooks replay needs --since, a time or how long ago, such as 1d.')
      const since = timeOf(options.since)
      const rest = given({
        until: timeOf(options.until),
        status: oneOf('status', ['failed', 'all'], options.status),
        events: namesOf(options.events) as 'click'[] | undefined,
        from: oneOf('from', ['deliveries', 'events'], options.from),
        dry_run: options['dry-run'],
      })
      return withClient(options, async ({ webhooks }) => {
        const made = await webhooks.replay(id, { since, ...rest })
        const verb = options['dry-run'] ? 'would be sent' : 'are sent'
        const isOnlyFailed = rest.status !== 'all' && rest.from !== 'events'
        const hint =
          made.deliveries === 0 && isOnlyFailed ? ' None has failed; --status all sends the others too.' : ''
        printDone(`${made.deliveries} deliveries ${verb}.${hint}`, made, options)
      })
    },
  }),
  'webhooks stats': command({
    summary: 'Show how the deliveries of a webhook stand',
    operands: ['ID'],
    options: connectionOptions,
    example: 'webhooks stats wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
    run: (options, id) =>
      withClient(options, async ({ webhooks }) => {
        const stats = await webhooks.stats(id)
        printWithRows(stats, { of: ['hours'], rows: stats.hours, columns: hourColumns }, options)
      }),
  }),
}
