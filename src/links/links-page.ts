/**
 * Which links a page of the list has, as SQL. What many links have is met soon on the way through the list, what few have
 * is found by the index of words; which of the two it is, the planner can only guess. So the page is looked for
 * among the next few thousand links, and only where these neither fill it nor are the last, among all links.
 */
import { lowestIdAt } from '../database/ids.js'
import type { LinkSort, ListLinksQuery } from './list-links.dto.js'

/** Where a page ended: the id, and with `sort=-clicks` the count before it. */
export interface LinkPosition {
  id: string
  total?: number
}

interface Sql {
  text: string
  parameters: Record<string, unknown>
}

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
}

/** As in the index `links_by_words`, to the letter. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`
const ofWorkspace = 'link.workspace_id = :workspaceId AND link.deleted_at IS NULL'

const byCreation = {
  table: 'links link',
  alias: 'link',
  id: 'link.id',
  keys: ['link.id'],
  join: '',
  joinInOrder: '',
  reach: 200,
}

const orders: Record<LinkSort, Order> = {
  created_at: { ...byCreation, direction: 'ASC', after: 'link.id > :after' },
  '-created_at': { ...byCreation, direction: 'DESC', after: 'link.id < :after' },
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
  },
}

export function orderOf({ sort = '-created_at' }: ListLinksQuery): Pick<Order, 'keys' | 'direction'> {
  return orders[sort]
}

/** The ids of the page, in no order. */
export function idsOfPage(
  workspaceId: string,
  query: ListLinksQuery,
  after: LinkPosition | null,
  limit: number,
): Sql {
  const order = orders[query.sort ?? '-created_at']
  const isByCreation = order.alias === 'link'
  // What the index that is in this order knows of a link, and what only the link itself does.
  const place = [isByCreation ? ofWorkspace : 'counter.workspace_id = :workspaceId']
  const filters = isByCreation ? [] : [ofWorkspace]
  if (after) place.push(order.after)
  ;(isByCreation ? place : filters).push(...timesOf(query))
  // Written out, for the planner to see that it is the condition of a partial index.
  if (query.enabled === 'false') (isByCreation ? place : filters).push('NOT link.enabled')
  if (query.enabled === 'true') filters.push('link.enabled')
  if (query.q !== undefined) filters.push(`${searchedText} ILIKE :text`)
  if (query.tag !== undefined) filters.push('link.tags @> :tags')
  if (query.external_id !== undefined) filters.push('link.external_id = :externalId')

  return {
    text:
      filters.length === 0
        ? first(order, place)
        : query.external_id === undefined
          ? nearOrAnywhere(order, place, filters)
          : anywhere(order, [...place, ...filters]),
    parameters: {
      workspaceId,
      after: after?.id,
      total: after?.total,
      lowest: query.created_after && lowestIdAt(new Date(Date.parse(query.created_after) + 1)),
      highest: query.created_before && lowestIdAt(new Date(query.created_before)),
      text: query.q && `%${query.q.replace(/[\\%_]/g, '\\$&')}%`,
      tags: [query.tag],
      externalId: query.external_id,
      limit,
      reach: limit * order.reach,
    },
  }
}

function timesOf({ created_after, created_before }: ListLinksQuery): string[] {
  return [
    ...(created_after === undefined ? [] : ['link.id >= :lowest']),
    ...(created_before === undefined ? [] : ['link.id < :highest']),
  ]
}

function first(order: Order, place: string[]): string {
  return `SELECT ${order.id} FROM ${order.table} WHERE ${all(place)} ${sorted(order)} LIMIT :limit`
}

/** Materialized, for the planner to find the links first and then to order them. */
function anywhere(order: Order, conditions: string[]): string {
  const { id, table, keys, join, alias } = order
  return `
    WITH matching AS MATERIALIZED (SELECT ${keys.join(', ')} FROM ${table} ${join} WHERE ${all(conditions)})
    SELECT ${id} FROM matching ${alias} ${sorted(order)} LIMIT :limit`
}

function nearOrAnywhere(order: Order, place: string[], filters: string[]): string {
  const { id, table, joinInOrder, alias } = order
  const next = `(SELECT * FROM ${table} WHERE ${all(place)} ${sorted(order)} LIMIT :reach) ${alias}`
  const isShort = '(SELECT count(*) FROM near) < :limit'
  const hasMore = `(SELECT count(*) FROM ${next}) = :reach`
  return `
    WITH near AS MATERIALIZED (
      SELECT ${id} FROM ${next} ${joinInOrder} WHERE ${all(filters)} ${sorted(order)} LIMIT :limit
    )
    SELECT * FROM near UNION (${anywhere(order, [isShort, hasMore, ...place, ...filters])})`
}

function sorted({ keys, direction }: Order): string {
  return `ORDER BY ${keys.map((key) => `${key} ${direction}`).join(', ')}`
}

function all(conditions: string[]): string {
  return conditions.join(' AND ')
}
