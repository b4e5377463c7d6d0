/** `link-service links …` */
import type { Link, LinkService } from '@link-service/client'

import { linkSorts, statuses } from '../../links/link-fields.js'
import { command } from '../../platform/command-line/command.js'
import type { Commands } from '../../platform/command-line/command.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { decodeId } from '../../platform/database/ids.js'
import { connectionOptions, withClient } from './connection.js'
import { given, namesOf, oneOf, textOrNull } from './request-fields.js'
import { limitOption, printDone, printList, printThing } from './remote-output.js'

const columns: TableColumn<Link>[] = [
  { title: 'id', of: ({ id }) => id },
  { title: 'slug', of: ({ slug }) => slug },
  { title: 'clicks', of: ({ clicks }) => clicks.total },
  { title: 'human', of: ({ clicks }) => clicks.human },
  { title: 'created', of: ({ created_at }) => created_at.slice(0, 10) },
  { title: 'title', of: ({ title }) => title },
  { title: 'url', of: ({ url }) => url },
]

const statusWords = statuses.map((status) => `${status}` as const)

const fieldOptions = {
  title: { value: 'TEXT', text: 'a title for people; an empty one clears it' },
  tags: { value: 'a,b', text: 'the tags, in place of those that it has' },
  'external-id': { value: 'TEXT', text: 'your own id of it; an empty one clears it' },
  'expires-in': { value: '30d', text: 'when it ends, from now: a number and s, m, h, d or w' },
  'expires-at': { value: 'TIME', text: 'when it ends, such as 2027-01-31T00:00:00Z; an empty one clears it' },
  'redirect-status': { value: 'N', text: `one of ${statuses.join(', ')}` },
  'forward-query': { text: "add the visitor's query to the target's" },
} as const

interface FieldWords {
  title?: string | undefined
  tags?: string | undefined
  'external-id'?: string | undefined
  'expires-in'?: string | undefined
  'expires-at'?: string | undefined
  'redirect-status'?: string | undefined
  'forward-query'?: boolean | undefined
}

function fieldsOf(words: FieldWords) {
  const status = oneOf('redirect-status', statusWords, words['redirect-status'])
  return given({
    title: textOrNull(words.title),
    tags: namesOf(words.tags),
    external_id: textOrNull(words['external-id']),
    expires_in: words['expires-in'],
    expires_at: textOrNull(words['expires-at']),
    redirect_status: status && (Number(status) as (typeof statuses)[number]),
    forward_query: words['forward-query'],
  })
}

/** Takes an id or a slug, because people know a link by its slug. */
async function idOf({ links }: LinkService, named: string): Promise<string> {
  return decodeId('lnk', named) ? named : (await links.getBySlug(named)).id
}

export const linkCommands: Commands = {
  'links create': command({
    summary: 'Make a short link to URL',
    operands: ['URL'],
    options: {
      slug: { value: 'SLUG', text: 'the path of the short link; else one is made' },
      ...fieldOptions,
      ...connectionOptions,
    },
    example: 'links create https://example.com/spring --slug spring --tags mail,sale',
    run: (options, url) =>
      withClient(options, async ({ links }) =>
        printThing(
          await links.create({ url, ...given({ slug: options.slug }), ...fieldsOf(options) }),
          options,
        ),
      ),
  }),
  'links list': command({
    summary: 'List links, newest first',
    options: {
      q: { value: 'WORDS', text: 'only with these words in slug, target or title' },
      tag: { value: 'TAG', text: 'only with this tag' },
      'external-id': { value: 'TEXT', text: 'only with this id of yours' },
      sort: { value: 'ORDER', text: `one of ${linkSorts.join(', ')}` },
      ...limitOption,
      ...connectionOptions,
    },
    example: 'links list --tag mail --sort=-clicks --limit 10',
    run: (options) => {
      const { q, tag } = options
      const sort = oneOf('sort', linkSorts, options.sort)
      const filters = given({ q, tag, sort, external_id: options['external-id'] })
      return withClient(options, ({ links }) =>
        printList(links.list({ limit: 100, ...filters }), columns, options),
      )
    },
  }),
  'links get': command({
    summary: 'Show a link, by its id or its slug',
    operands: ['LINK'],
    options: connectionOptions,
    example: 'links get lnk_01kaj3v9z4f8hva3x7m2c5d6ne --json',
    run: (options, link) =>
      withClient(options, async (client) =>
        printThing(await client.links.get(await idOf(client, link)), options),
      ),
  }),
  'links update': command({
    summary: 'Change what is given of a link, and nothing else',
    operands: ['LINK'],
    options: {
      to: { value: 'URL', text: 'the new target' },
      ...fieldOptions,
      enable: { text: 'redirect again' },
      disable: { text: 'answer 410 instead of redirecting' },
      ...connectionOptions,
    },
    example: 'links update lnk_01kaj3v9z4f8hva3x7m2c5d6ne --title "Spring sale" --expires-in 30d',
    run: (options, link) => {
      if (options.enable && options.disable) throw new UsageError('Give --enable or --disable.')
      const enabled = options.enable ? true : options.disable ? false : undefined
      const patch = given({ url: options.to, ...fieldsOf(options), enabled })
      if (Object.keys(patch).length === 0)
        throw new UsageError('Say what to change. See: link-service links update --help')
      const work = async (client: LinkService) =>
        printThing(await client.links.update(await idOf(client, link), patch), options)
      return withClient(options, work, { url: '--to' })
    },
  }),
  'links delete': command({
    summary: 'Delete a link for good; its slug is never given out again',
    operands: ['LINK'],
    options: connectionOptions,
    example: 'links delete lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
    run: (options, link) =>
      withClient(options, async (client) => {
        const id = await idOf(client, link)
        await client.links.delete(id)
        printDone(`Deleted ${id}.`, { id, deleted: true }, options)
      }),
  }),
}
