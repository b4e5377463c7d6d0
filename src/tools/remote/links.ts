/** `link-service links`: creates, lists, updates and deletes links. */
import { Option } from '@commander-js/extra-typings'
import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { Link, LinkService } from '@link-service/client'

import { linkSorts, redirectStatuses } from '../../links/link-fields.js'
import type { OutputOptions } from '../../platform/command-line/output.js'
import type { TableColumn } from '../../platform/command-line/table.js'
import { decodeId } from '../../platform/database/ids.js'
import { withClient } from './connection.js'
import { confirm, yesOption } from './prompt.js'
import { definedFields, parseNameList, requireChanges, textOrNull } from './request-fields.js'
import { withList, withResult } from './remote-options.js'
import { limitOption, pagedOutput, printDeleted, printResource } from './remote-output.js'
import { linkState } from './states.js'
import { printOrWatch } from './watch.js'

const columns: TableColumn<Link>[] = [
  { title: 'id', value: ({ id }) => id },
  { title: 'slug', value: ({ slug }) => slug },
  {
    title: 'status',
    value: (link) => linkState(link).word,
    tone: (link) => linkState(link).tone,
    dropOrder: 4,
  },
  { title: 'clicks', value: ({ clicks }) => clicks.total, dropOrder: 5 },
  { title: 'human', value: ({ clicks }) => clicks.human, dropOrder: 1 },
  { title: 'created', value: ({ created_at }) => created_at, kind: 'day', dropOrder: 2 },
  { title: 'title', value: ({ title }) => title, kind: 'text', dropOrder: 3 },
  { title: 'url', value: ({ url }) => url, kind: 'url', dropOrder: 6 },
]

const titleOption = new Option('--title <text>', 'title of the link; an empty title clears it')
const noteOption = new Option('--note <text>', 'internal note; an empty note clears it')
const tagsOption = new Option('--tags <tags>', 'tags, such as mail,sale; replaces all tags')
const externalIdOption = new Option('--external-id <id>', 'your own ID for the link; an empty ID clears it')
const expiresInOption = new Option(
  '--expires-in <duration>',
  'time until the link expires: a number and s, m, h, d or w, such as 30d',
)
const expiresAtOption = new Option(
  '--expires-at <time>',
  'time the link expires, such as 2027-01-31T00:00:00Z; an empty time clears it',
)
const statusOption = new Option('--redirect-status <n>', 'HTTP status of the redirect').choices(
  redirectStatuses.map((status) => `${status}` as const),
)
const forwardOption = new Option('--forward-query', "add the visitor's query to the destination")

/** Adds the options for the fields that `create` and `update` share. */
function withFields<Args extends unknown[], Options extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Options, Globals>,
) {
  return command
    .addOption(titleOption)
    .addOption(noteOption)
    .addOption(tagsOption)
    .addOption(externalIdOption)
    .addOption(expiresInOption)
    .addOption(expiresAtOption)
    .addOption(statusOption)
    .addOption(forwardOption)
}

interface FieldOptions {
  title?: string | undefined
  note?: string | undefined
  tags?: string | undefined
  externalId?: string | undefined
  expiresIn?: string | undefined
  expiresAt?: string | undefined
  redirectStatus?: `${(typeof redirectStatuses)[number]}` | undefined
  forwardQuery?: true | undefined
}

function createLinkFields(options: FieldOptions) {
  const status = options.redirectStatus
  return definedFields({
    title: textOrNull(options.title),
    note: textOrNull(options.note),
    tags: parseNameList(options.tags),
    external_id: textOrNull(options.externalId),
    expires_in: options.expiresIn,
    expires_at: textOrNull(options.expiresAt),
    redirect_status: status && (Number(status) as (typeof redirectStatuses)[number]),
    forward_query: options.forwardQuery,
  })
}

function printLink(link: Link, options: OutputOptions): void {
  printResource(link, options, { state: linkState(link) })
}

/** Returns the ID of a link that is given by its ID or its slug. */
async function resolveLinkId({ links }: LinkService, link: string): Promise<string> {
  return decodeId('lnk', link) ? link : (await links.getBySlug(link)).id
}

/** Returns a link that is given by its ID or its slug. */
export function findLink({ links }: LinkService, link: string): Promise<Link> {
  return decodeId('lnk', link) ? links.get(link) : links.getBySlug(link)
}

export function addLinkCommands(program: Command): void {
  const links = program
    .command('links')
    .description('Create, list, update and delete links')
    .helpCommand(false)
  withResult(
    withFields(
      links
        .command('create')
        .description('Create a short link')
        .argument('<url>', 'destination URL')
        .option('--slug <slug>', 'path of the short link (default: generated)'),
    ),
    'links create https://example.com/spring --slug spring --tags mail,sale',
  ).action((url, options) =>
    withClient(options, async ({ links }) => {
      const body = { url, ...definedFields({ slug: options.slug }), ...createLinkFields(options) }
      printLink(await links.create(body), options)
    }),
  )
  withList(
    links
      .command('list')
      .description('List links, newest first')
      .option('--q <text>', 'only links with this text in the slug, destination or title')
      .option('--tag <tag>', 'only links with this tag')
      .option('--external-id <id>', 'only the link with this external ID')
      .addOption(new Option('--sort <order>', 'sort order').choices(linkSorts))
      .addOption(limitOption),
    'links list --tag mail --sort -clicks --limit 10',
  ).action((options) => {
    const { q, tag, sort, externalId } = options
    const filters = definedFields({ q, tag, sort, external_id: externalId })
    return printOrWatch(options, ({ links }) =>
      pagedOutput(links.list({ limit: 100, ...filters }), columns, options),
    )
  })
  withResult(
    links.command('get').description('Show a link').argument('<link>', 'ID or slug of the link'),
    'links get lnk_01kaj3v9z4f8hva3x7m2c5d6ne --json',
  ).action((link, options) =>
    withClient(options, async (client) => printLink(await findLink(client, link), options)),
  )
  withResult(
    withFields(
      links
        .command('update')
        .description('Update the given fields of a link')
        .argument('<link>', 'ID or slug of the link')
        .option('--to <url>', 'new destination URL'),
    )
      .option('--enable', 'enable the link')
      .addOption(new Option('--disable', 'respond with 410 instead of redirecting').conflicts('enable')),
    'links update lnk_01kaj3v9z4f8hva3x7m2c5d6ne --title "Spring sale" --expires-in 30d',
  ).action((link, options) => {
    const enabled = options.enable ?? (options.disable ? false : undefined)
    const patch = definedFields({ url: options.to, ...createLinkFields(options), enabled })
    requireChanges(patch, 'links update')
    const work = async (client: LinkService) =>
      printLink(await client.links.update(await resolveLinkId(client, link), patch), options)
    return withClient(options, work, { url: '--to' })
  })
  withResult(
    links
      .command('delete')
      .description('Delete a link permanently; its slug is never reused')
      .argument('<link>', 'ID or slug of the link')
      .addOption(yesOption),
    'links delete lnk_01kaj3v9z4f8hva3x7m2c5d6ne',
  ).action((link, options) =>
    withClient(options, async (client) => {
      const id = await resolveLinkId(client, link)
      if (!(await confirm(`Delete the link ${link} permanently? Its slug is never reused.`, options))) return
      await client.links.delete(id)
      printDeleted(id, options)
    }),
  )
}
