/** `link-service webhooks …`: webhooks and their secrets. */
import type { LinkService, Webhook } from '@link-service/client'

import { command } from '../../platform/command-line/command.js'
import type { Commands } from '../../platform/command-line/command.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { connectionOptions, textOfFile, withClient } from './connection.js'
import { eventNamesOf, given, oneOf, textOrNull } from './request-fields.js'
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

const events = { value: 'a,b', text: 'which events, such as link.created,click; * is all' } as const
const fieldOptions = {
  description: { value: 'TEXT', text: 'a line for people; an empty one clears it' },
  'secret-file': { value: 'FILE', text: 'a file with a secret of your own, to sign with' },
} as const

function fieldsOf(words: { description?: string | undefined; 'secret-file'?: string | undefined }) {
  const file = words['secret-file']
  return given({
    description: textOrNull(words.description),
    secret: file === undefined ? undefined : textOfFile('--secret-file', file),
  })
}

const shownOnce = 'The secret is shown only this once: keep it where your receiver finds it.'

export const webhookCommands: Commands = {
  'webhooks create': command({
    summary: 'Send events to URL',
    operands: ['URL'],
    options: { events, ...fieldOptions, ...connectionOptions },
    example: 'webhooks create https://receiver.example/hooks --events link.created,click',
    run: (options, url) => {
      const names = eventNamesOf(options.events)
      if (!names)
        throw new UsageError('webhooks create needs --events, such as link.created,click; * is all.')
      return withClient(options, async ({ webhooks }) => {
        const made = await webhooks.create({ url, events: names, ...fieldsOf(options) })
        printThing(made, options, ...(made.secret ? ['', shownOnce] : []))
      })
    },
  }),
  'webhooks list': command({
    summary: 'List webhooks, newest first',
    options: { ...limitOption, ...connectionOptions },
    example: 'webhooks list',
    run: (options) =>
      withClient(options, ({ webhooks }) => printList(webhooks.list({ limit: 100 }), columns, options)),
  }),
  'webhooks get': command({
    summary: 'Show a webhook',
    operands: ['ID'],
    options: connectionOptions,
    example: 'webhooks get wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
    run: (options, id) =>
      withClient(options, async ({ webhooks }) => printThing(await webhooks.get(id), options)),
  }),
  'webhooks update': command({
    summary: 'Change what is given of a webhook, and nothing else',
    operands: ['ID'],
    options: {
      to: { value: 'URL', text: 'the new address of the receiver' },
      events,
      status: {
        value: 'STATUS',
        text: 'paused holds its events; active sends them, also those that were held',
      },
      ...fieldOptions,
      ...connectionOptions,
    },
    example: 'webhooks update wh_01kaj3w0c5fq4t1n8v6z2b9y7m --status paused',
    run: (options, id) => {
      const status = oneOf('status', ['active', 'paused'], options.status)
      const patch = given({
        url: options.to,
        events: eventNamesOf(options.events),
        status,
        ...fieldsOf(options),
      })
      if (Object.keys(patch).length === 0)
        throw new UsageError('Say what to change. See: link-service webhooks update --help')
      const work = async ({ webhooks }: LinkService) => printThing(await webhooks.update(id, patch), options)
      return withClient(options, work, { url: '--to' })
    },
  }),
  'webhooks delete': command({
    summary: 'Delete a webhook; nothing more is sent',
    operands: ['ID'],
    options: connectionOptions,
    example: 'webhooks delete wh_01kaj3w0c5fq4t1n8v6z2b9y7m',
    run: (options, id) =>
      withClient(options, async ({ webhooks }) => {
        await webhooks.delete(id)
        printDone(`Deleted ${id}.`, { id, deleted: true }, options)
      }),
  }),
  'webhooks rotate': command({
    summary: 'Make a new secret; the old one signs beside it until the overlap ends',
    operands: ['ID'],
    options: {
      overlap: { value: '24h', text: 'how long the old secret still signs; 0s when it has leaked' },
      ...connectionOptions,
    },
    example: 'webhooks rotate wh_01kaj3w0c5fq4t1n8v6z2b9y7m --overlap 1h',
    run: (options, id) =>
      withClient(options, async ({ webhooks }) =>
        printThing(
          await webhooks.rotateSecret(id, given({ overlap: options.overlap })),
          options,
          '',
          shownOnce,
        ),
      ),
  }),
}
