/** `link-service links …` */
import { Option } from '@commander-js/extra-typings'
import type { Command } from '@commander-js/extra-typings'
import type { Link, LinkService } from '@link-service/client'

import { linkSorts, statuses } from '../../links/link-fields.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { UsageError } from '../../platform/command-line/usage-error.js'
import { decodeId } from '../../platform/database/ids.js'
import { withClient, withConnection } from './connection.js'
import { given, namesOf, textOrNull } from './request-fields.js'
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

const titleOption = new Option('--title <text>', 'title for people; an empty one clears it')
const noteOption = new Option('--note <text>', 'note for people in the workspace; an empty one clears it')
const tagsOption = new Option('--tags <tags>', 'the tags, such as mail,sale; they replace the present ones')
const externalIdOption = new Option('--external-id <id>', 'your own ID of the link; an empty one clears it')
const expiresInOption = new Option(
  '--expires-in <duration>',
  'when it expires from now: a number and s, m, h, d or w, such as 30d',
)
const expiresAtOption = new Option(
  '--expires-at <time>',
  'when it expires, such as 2027-01-31T00:00:00Z; an empty one clears it',
)
const statusOption = new Option('--redirect-status <n>', 'status of the redirect').choices(
  statuses.map((status) => `${status}` as const),
)
const forwardOption = new Option('--forward-query', "add the visitor's query to the destination's")

interface FieldOptions {
  title?: string | undefined
  note?: string | undefined
  tags?: string | undefined
  externalId?: string | undefined
  expiresIn?: string | undefined
  expiresAt?: string | undefined
  redirectStatus?: `${(typeof statuses)[number]}` | undefined
  forwardQuery?: true | undefined
}

function fieldsOf(options: FieldOptions) {
  const status = options.redirectStatus
  return given({
    title: textOrNull(options.title),
    note: textOrNull(options.note),
    tags: namesOf(options.tags),
    external_id: textOrNull(options.externalId),
    expires_in: options.expiresIn,
    expires_at: textOrNull(options.expiresAt),
    redirect_status: status && (Number(status) as (typeof statuses)[number]),
    forward_query: options.forwardQuery,
  })
}

/** Takes an ID or a slug, because people know a link by its slug. */
async function idOf({ links }: LinkService, link: string): Promise<string> {
  return decodeId('lnk', link) ? link : (await links.getBySlug(link)).id
}

export function addLinkCommands(program: Command): void {
  const links = program
    .command('links')
    .description('Create, list, change and delete links')
    .helpCommand(false)
  withConnection(
    links
      .command('create')
      .description('Create a short link')
      .argument('<url>', 'destination of the link')
      .option('--slug <slug>', 'path of the short link (default: a generated one)')
      .addOption(titleOption)
      .addOption(noteOption)
      .addOption(tagsOption)
      .addOption(externalIdOption)
      .addOption(expiresInOption)
      .addOption(expiresAtOption)
      .addOption(statusOption)
      .addOption(forwardOption),
    'links create https://example.com/spring --slug spring --tags mail,sale',
  ).action((url, options) =>
    withClient(options, async ({ links }) => {
      const body = { url, ...given({ slug: options.slug }), ...fieldsOf(options) }
      printThing(await links.create(body), options)
    }),
  )
  withConnection(
    links
      .command('list')
      .description('List links, newest first')
      .option('--q <words>', 'only links with these words in slug, destination or title')
      .option('--tag <tag>', 'only links with this tag')
      .option('--external-id <id>', 'only the link with this external ID')
      .addOption(new Option('--sort <order>', 'order of the list').choices(linkSorts))
      .addOption(limitOption),
    'links list --tag mail --sort -clicks --limit 10',
  ).action((options) => {
    const { q, tag, sort, externalId } = options
    const filters = given({ q, tag, sort, external_id: externalId })
    return withClient(options, ({ links }) =>
      printList(links.list({ limit: 100, ...filters }), columns, options),
    )
  })
  withConnection(
    links.command('get').description('Show a link').argument('<link>', 'ID or slug of the link'),
    'links get lnk_01kaj3v9z4f8hva3x7m2c5d6ne --json',
  ).action((link, options) =>
    withClient(options, async (client) =>
      printThing(await client.links.get(await idOf(client, link)), options),
    ),
  )
  withConnection(
    links
      .command('update')
      .description('Change the given fields of a link')
      .argument('<link>', 'ID or slug of the link')
      .option('--to <url>', 'new destination')
      .addOption(titleOption)
      .addOption(noteOption)
      .addOption(tagsOption)
      .addOption(externalIdOption)
      .addOption(expiresInOption)
      .addOption(expiresAtOption)
      .addOption(statusOption)
      .addOption(forwardOption)
      .option('--enable', 'redirect again')
      .addOption(new Option('--disable', 'answer 410 instead of redirecting').conflicts('enable')),
    'links update lnk_01kaj3v9z4f8hva3x7m2c5d6ne --title "Spring sale" --expires-in 30d',
  ).action((link, options) => {
    const enabled = options.enable ?? (options.disable ? false : undefined)
    const patch = given({ url: options.to, ...fieldsOf(options), enabled })
    if (Object.keys(patch).length === 0)
      throw new UsageError('Give at least one field to change. See: link-service links update --help')
    const work = async (client: LinkService) =>
      printThing(await client.links.update(await idOf(client, link), patch), options)
    return withClient(options, work, { url: '--to' })
  })
  withConnection(
    links
      .command('delete')
      .description('Delete a link for good; its slug is never used again')
      .argument('<link>', 'ID or slug of the link'),
    'links delete lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  ).action((link, options) =>
    withClient(options, async (client) => {
      const id = await idOf(client, link)
      await client.links.delete(id)
      printDone(`Deleted ${id}.`, { id, deleted: true }, options)
    }),
  )
}
