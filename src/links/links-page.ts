/**
 * A page of the list of links: what a caller may ask for, and its SQL. The next few thousand links are scanned first: a
 * common word fills the page quickly. Only where they neither fill it nor are the last, all links are searched by the index
 * of words, which finds a rare one. Whether a word is common or rare, the planner can only guess.
 */
import { ApiPropertyOptional } from '@nestjs/swagger'

import { lowestIdAt } from '../platform/database/ids.js'
import { listStatement } from '../platform/database/statements.js'
import type { Statement } from '../platform/database/statements.js'
import { enumOf } from '../platform/http/api-docs.js'
import { IsFlagText, IsOneOf, IsText, Optional } from '../platform/http/fields.js'
import { CreatedQuery } from '../platform/http/page.js'
import { linkColumns, linksWithCounters } from './link-row.js'

const sorts = ['created_at', '-created_at', '-clicks'] as const
export type LinkSort = (typeof sorts)[number]

export class ListLinksQuery extends CreatedQuery {
  @ApiPropertyOptional({ description: 'Text that stands in the slug, the url or the title.' })
  @Optional()
  @IsText(1, 200)
  q?: string

  @ApiPropertyOptional({ description: 'Only links with this tag.' })
  @Optional()
  @IsText(1, 50)
  tag?: string

  @ApiPropertyOptional({ description: 'Only the link with your own id.' })
  @Optional()
  @IsText(1, 255)
  external_id?: string

  @ApiPropertyOptional({ description: 'Only links that are, or are not, enabled.' })
  @Optional()
  @IsFlagText()
  enabled?: string

  @ApiPropertyOptional({
    ...enumOf('LinkSort', 'The order of links; a minus means descending.', sorts),
    description: 'Absent: `-created_at`, the newest first.',
  })
  @Optional()
  @IsOneOf('invalid_sort', sorts)
  sort?: LinkSort
}

/** Where a page ended: the id, and while the list is by clicks the count before it. */
export interface LinkPosition {
  id: string
  total?: number
}

/** With `-clicks` the links that were clicked come first, and the others behind them as another list. */
type PageSort = LinkSort | 'unclicked'

type LinkFilters = Omit<ListLinksQuery, 'limit' | 'cursor' | 'sort'>

interface Order {
  keys: string[]
  direction: 'ASC' | 'DESC'
  /** What comes after the position where a page ended. */
  after: string
  table: string
  alias: string
  id: string
  join: string
  /** The same, link by link in the order of the table: the limit keeps the planner from beginning with the links. */
  joinInOrder: string
  /** How far the page is looked for on the way, as a multiple of its size: ten milliseconds or so. */
  reach: number
  /** What the index that is in this order knows of a link. */
  place: string[]
  /** What only the link itself knows. */
  filters: string[]
}

/** As in the index `links_by_words`, to the letter. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`
const ofWorkspace = 'link.workspace_id = :workspaceId AND link.deleted_at IS NULL'
/** Link by link: as NOT EXISTS the planner would read all counters for it. */
const neverClicked = '(SELECT total FROM link_counters WHERE link_id = link.id) IS NULL'

const byCreation = {
  table: 'links link',
  alias: 'link',
  id: 'link.id',
  keys: ['link.id'],
  join: '',
  joinInOrder: '',
  reach: 200,
  place: [ofWorkspace],
  filters: [],
}

const orders: Record<PageSort, Order> = {
  created_at: { ...byCreation, direction: 'ASC', after: 'link.id > :after' },
  '-created_at': { ...byCreation, direction: 'DESC', after: 'link.id < :after' },
  unclicked: {
    ...byCreation,
    direction: 'DESC',
    after: 'link.id < :after',
    filters: [neverClicked],
  },
  '-clicks': {
    table: 'link_counters counter',
    alias: 'counter',
    id: 'counter.link_id',
    keys: ['counter.total', 'counter.link_id'],
    direction: 'DESC',
    after: '(counter.total, counter.link_id) < (:total, :after)',
    join: 'JOIN links link ON link.id = counter.link_id',
    joinInOrder: 'JOIN LATERAL (SELECT * FROM links WHERE id = counter.link_id LIMIT 1) link ON true',
    reach: 100,
    place: ['counter.workspace_id = :workspaceId'],
    filters: [ofWorkspace],
  },
}

export function pageOf(
  workspaceId: string,
  query: ListLinksQuery,
  sort: PageSort,
  after: LinkPosition | null,
  limit: number,
): Statement & { values: unknown[] } {
  const order = orders[sort]
  const isByCreation = order.alias === 'link'
  const place = [...order.place, ...(after ? [order.after] : [])]
  const filters = [...order.filters]
  ;(isByCreation ? place : filters).push(...timesOf(query), ...disabledOf(query))
  filters.push(...filtersOf(query))

  const ids =
    filters.length === order.filters.length
      ? null
      : query.external_id === undefined
        ? nearOrAnywhere(order, place, filters, limit)
        : anywhere(order, [...place, ...filters], limit)
  const text =
    ids === null
      ? all(order, [...place, ...filters], limit)
      : `SELECT ${linkColumns} FROM ${linksWithCounters} WHERE link.id = ANY(ARRAY(${ids})) ${sorted(order)}`
  const { text: numbered, values } = positional(text, {
    ...parametersOf(workspaceId, query),
    after: after?.id,
    total: after?.total,
  })
  // How a narrowed page is best found depends on the words: it is planned each time.
  const statement = ids === null ? listStatement('list-links', numbered, limit) : { text: numbered }
  return { ...statement, values }
}

/** The whole list at once, for who reads it through a cursor. */
export function wholeList(
  workspaceId: string,
  query: LinkFilters,
  sort: LinkSort = '-created_at',
): { text: string; values: unknown[] } {
  const conditions = [ofWorkspace, ...timesOf(query), ...disabledOf(query), ...filtersOf(query)]
  const order =
    sort === '-clicks' ? 'ORDER BY counter.total DESC NULLS LAST, link.id DESC' : sorted(orders[sort])
  const text = `SELECT ${linkColumns} FROM ${linksWithCounters} WHERE ${and(conditions)} ${order}`
  return positional(text, parametersOf(workspaceId, query))
}

function timesOf({ created_after, created_before }: LinkFilters): string[] {
  return [
    ...(created_after === undefined ? [] : ['link.id >= :lowest']),
    ...(created_before === undefined ? [] : ['link.id < :highest']),
  ]
}

/** Written out, for the planner to see that it is the condition of a partial index. */
function disabledOf({ enabled }: LinkFilters): string[] {
  return enabled === 'false' ? ['NOT link.enabled'] : []
}

function filtersOf({ enabled, q, tag, external_id }: LinkFilters): string[] {
  return [
    ...(enabled === 'true' ? ['link.enabled'] : []),
    ...(q === undefined ? [] : [`${searchedText} ILIKE :text`]),
    ...(tag === undefined ? [] : ['link.tags @> :tags']),
    ...(external_id === undefined ? [] : ['link.external_id = :externalId']),
  ]
}

function parametersOf(workspaceId: string, query: LinkFilters): Record<string, unknown> {
  return {
    workspaceId,
    lowest: query.created_after && lowestIdAt(new Date(Date.parse(query.created_after) + 1)),
    highest: query.created_before && lowestIdAt(new Date(query.created_before)),
    text: query.q && `%${query.q.replace(/[\\%_]/g, '\\$&')}%`,
    tags: [query.tag],
    externalId: query.external_id,
  }
}

/**
 * Where nothing narrows the list, the page is the next links of it. They are taken before they are joined: the planner
 * would otherwise go through all counters beside them.
 */
function all(order: Order, conditions: string[], limit: number): string {
  const { table, joinInOrder, alias } = order
  const conditioned = `WHERE ${and(conditions)} ${sorted(order)} LIMIT ${limit}`
  if (alias !== 'link') return `SELECT ${linkColumns} FROM ${table} ${joinInOrder} ${conditioned}`
  return `
    SELECT ${linkColumns} FROM (SELECT * FROM links link ${conditioned}) link
    LEFT JOIN link_counters counter ON counter.link_id = link.id ${sorted(order)}`
}

/** Materialized, for the planner to find the links first and then to order them. */
function anywhere(order: Order, conditions: string[], limit: number): string {
  const { id, table, keys, join, alias } = order
  return `
    WITH matching AS MATERIALIZED (SELECT ${keys.join(', ')} FROM ${table} ${join} WHERE ${and(conditions)})
    SELECT ${id} FROM matching ${alias} ${sorted(order)} LIMIT ${limit}`
}

function nearOrAnywhere(order: Order, place: string[], filters: string[], limit: number): string {
  const { id, table, joinInOrder, alias } = order
  const reach = limit * order.reach
  const next = `(SELECT * FROM ${table} WHERE ${and(place)} ${sorted(order)} LIMIT ${reach}) ${alias}`
  const isShort = `(SELECT count(*) FROM near) < ${limit}`
  const hasMore = `(SELECT count(*) FROM ${next}) = ${reach}`
  return `
    WITH near AS MATERIALIZED (
      SELECT ${id} FROM ${next} ${joinInOrder} WHERE ${and(filters)} ${sorted(order)} LIMIT ${limit}
    )
    SELECT * FROM near UNION (${anywhere(order, [isShort, hasMore, ...place, ...filters], limit)})`
}

function sorted({ keys, direction }: Order): string {
  return `ORDER BY ${keys.map((key) => `${key} ${direction}`).join(', ')}`
}

function and(conditions: string[]): string {
  return conditions.join(' AND ')
}

/** Numbers the parameters in the order in which they are met. */
function positional(text: string, parameters: Record<string, unknown>): { text: string; values: unknown[] } {
  const names: string[] = []
  const numbered = text.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text: numbered, values: names.map((name) => parameters[name]) }
}
