/**
 * The SQL of a page of links. The next few thousand links are scanned first: a common word fills the page quickly. Only
 * where they neither fill it nor are the last, all links are searched by the index of words, which finds a rare one.
 * Whether a word is common or rare, the planner can only guess. The links of one tag stand in the order of their creation
 * in `link_tags`; by their clicks they are sorted where they are few, and looked for on the way where they are many.
 */
import { listStatement } from '../../platform/database/statements.js'
import type { Statement } from '../../platform/database/statements.js'
import { linkColumns, linksWithCounters } from '../link.entity.js'
import type { LinkPosition, LinkSort, ListLinksQuery } from './links-page.js'
import {
  and,
  boundsOf,
  hasTag,
  isDisabled,
  parametersOf,
  positional,
  sorted,
  wantedOf,
} from './links-page-conditions.js'
import type { LinkFilters, WantedLinks } from './links-page-conditions.js'
import { amongTagged, amongUnclicked, asRange, orders } from './links-page-orders.js'
import type { Order, PageSort } from './links-page-orders.js'
import { mostWithoutIndex, searchFor } from './links-search.js'
import type { Search } from './links-search.js'

/** In the index of words, so many links of a tag take ten milliseconds. */
const commonTag = 200_000
/** Of a million links two and a half thousand, which takes two milliseconds. */
const sampledPercent = 0.25

/** So many links are sorted by their clicks in ten milliseconds. */
const mostSorted = 5_000

export function pageOf(
  workspaceId: string,
  query: ListLinksQuery,
  sort: PageSort,
  after: LinkPosition | null,
  limit: number,
): Statement & { values: unknown[] } {
  const search = query.q === undefined ? null : searchFor(query.q)
  const order = orders[sort]
  const next = nextOf(sort, query)
  const walked = asRange(next)
  const wanted = wantedOf(walked, query, search?.exact, after !== null)
  const isNarrowed = wanted.filters.length > walked.filters.length
  const text = isNarrowed
    ? `SELECT ${linkColumns} FROM ${linksWithCounters}
       WHERE link.id = ANY(ARRAY(${narrowed(sort, query, search, after !== null, limit)})) ${sorted(order)}`
    : all(walked, order, wanted, limit)
  const { text: numbered, values } = positional(text, {
    ...parametersOf(workspaceId, query, search),
    ...boundsOf(query, order, after),
    after: after?.id,
    total: after?.total,
  })
  // How a narrowed page is best found depends on the words: it is planned each time.
  const statement = isNarrowed ? { text: numbered } : listStatement('list-links', numbered, limit)
  return { ...statement, values }
}

/** Where the next links of a page stand: those without clicks, and those of a tag, each in a table of their own. */
function nextOf(sort: PageSort, { tag }: LinkFilters): Order {
  const order = orders[sort]
  if (sort === 'unclicked') return amongUnclicked(order, tag !== undefined)
  return tag === undefined || sort === '-clicks' ? order : amongTagged(order)
}

/** The whole list at once, for who reads it through a cursor. */
export function wholeList(
  workspaceId: string,
  query: LinkFilters,
  sort: LinkSort = '-created_at',
): { text: string; values: unknown[] } {
  const search = query.q === undefined ? null : searchFor(query.q)
  const { inIndex, filters } = wantedOf(orders['-created_at'], query, search?.exact, false)
  const order =
    sort === '-clicks' ? 'ORDER BY counter.total DESC NULLS LAST, link.id DESC' : sorted(orders[sort])
  const text = `SELECT ${linkColumns} FROM ${linksWithCounters} WHERE ${and([...inIndex, ...filters])} ${order}`
  return positional(text, parametersOf(workspaceId, query, search))
}

/**
 * Where nothing narrows the list, the page is the next links of it. They are taken before they are joined: the planner
 * would otherwise go through all counters beside them.
 */
function all(next: Order, order: Order, { inIndex, filters }: WantedLinks, limit: number): string {
  const { table, joinInOrder, alias } = next
  const conditioned = `FROM ${table} ${joinInOrder} WHERE ${and([...inIndex, ...filters])} ${sorted(next)} LIMIT ${limit}`
  if (alias === 'counter') return `SELECT ${linkColumns} ${conditioned}`
  return `
    SELECT ${linkColumns} FROM (SELECT link.* ${conditioned}) link
    LEFT JOIN link_counters counter ON counter.link_id = link.id ${sorted(order)}`
}

/** The ids of a page that is narrowed. */
function narrowed(
  sort: PageSort,
  query: ListLinksQuery,
  search: Search | null,
  isLater: boolean,
  limit: number,
): string {
  const order = orders[sort]
  const wanted = wantedOf(order, query, search?.exact, isLater)
  if (query.external_id !== undefined) return anywhere(order, [...wanted.inIndex, ...wanted.filters], limit)
  const ids = (near: Order, { inIndex, filters }: WantedLinks) =>
    nearOrBehind(
      { near, inIndex, filters, search, order, behind: behindOf(order, query, search, isLater) },
      limit,
    )
  if (sort !== '-clicks') {
    const next = nextOf(sort, query)
    return ids(next, wantedOf(next, query, search?.exact, isLater))
  }
  if (query.tag === undefined && query.enabled !== 'false') return ids(order, wanted)
  // Disabled links, or those of a tag, are sorted where they are few. What else they must be is asked of the most clicked
  // first: the links themselves lie far apart.
  const { tag, enabled } = query
  const areDisabled = enabled === 'false'
  const newest = orders['-created_at']
  const few = areDisabled ? newest : amongTagged(newest)
  const own = and(wantedOf(few, query, undefined, false).inIndex)
  const left = areDisabled
    ? { ...(tag !== undefined && { tag }) }
    : { ...(enabled !== undefined && { enabled }) }
  const rest = wantedOf(order, left, search?.exact, isLater)
  const isFew = `(SELECT count(*) FROM few) <= ${mostSorted}`
  // The rows of a tag are those of links that are there: a link is read only where something else narrows the list too.
  const isLinkRead = rest.filters.length > order.filters.length
  return `
    WITH few AS MATERIALIZED (SELECT ${few.id} AS link_id FROM ${few.table} WHERE ${own} ORDER BY ${few.id} LIMIT ${mostSorted + 1})
    (
      SELECT ${order.id} FROM (
        SELECT counter.* FROM few
        JOIN LATERAL (SELECT * FROM link_counters WHERE link_id = few.link_id LIMIT 1) counter ON true
        WHERE ${and([isFew, ...rest.inIndex])} ${sorted(order)} OFFSET 0
      ) counter ${isLinkRead ? `${order.joinInOrder} WHERE ${and(rest.filters)}` : ''} ${sorted(order)} LIMIT ${limit}
    ) UNION (${ids(order, { inIndex: [`NOT ${isFew}`, ...wanted.inIndex], filters: wanted.filters })})`
}

/** Materialized, for the planner to find the links first and then to order them. */
function anywhere(order: Order, conditions: string[], limit: number): string {
  const { id, table, keys, join, alias } = order
  return `
    WITH matching AS MATERIALIZED (SELECT ${keys.join(', ')} FROM ${table} ${join} WHERE ${and(conditions)})
    SELECT ${id} FROM matching ${alias} ${sorted(order)} LIMIT ${limit}`
}

/**
 * The same where a page may have to be picked from very many links: what costs then is to fetch them all. A small part of
 * the table shows how far the page reaches at most, namely as far as the page that this part alone would have. Behind
 * that, the index of ages leaves everything out. Beside the index of disabled links it would only blur what that one finds.
 */
function withinReach(order: Order, conditions: string[], limit: number): string {
  const { table, direction } = order
  if (order.alias !== 'link' || conditions.includes(isDisabled)) return anywhere(order, conditions, limit)
  const [within, endless] = direction === 'ASC' ? ['<=', 'infinity'] : ['>=', '-infinity']
  const reach = `
    SELECT link.created_at FROM ${table} TABLESAMPLE SYSTEM (${sampledPercent}) WHERE ${and(conditions)}
    ORDER BY link.created_at ${direction} OFFSET ${limit - 1} LIMIT 1`
  const isWithin = `link.created_at ${within} coalesce((${reach}), '${endless}')`
  return anywhere(order, [...conditions, isWithin], limit)
}

/**
 * What is found by the indexes of words and tags alone, in one way or the other; none where they know nothing. A tag that
 * very many links have is asked of what the words find: in the index it would cost more than a rare word.
 */
function behindOf(order: Order, query: ListLinksQuery, search: Search | null, isLater: boolean): string[][] {
  if (search?.behind === null) return []
  const found = order.alias === 'link' ? (search?.unseen ?? search?.behind) : search?.behind
  const { inIndex, filters } = wantedOf(order, query, found, isLater)
  const conditions = [...inIndex, ...filters]
  if (search === null || query.tag === undefined) return [conditions]
  const isCommon = `(SELECT links FROM tag_counts WHERE workspace_id = :workspaceId AND tag = :tag) >= ${commonTag}`
  return [
    [`(${isCommon}) IS NOT TRUE`, ...conditions],
    [
      isCommon,
      ...conditions.map((condition) => (condition === hasTag ? ':tag = ANY (link.tags)' : condition)),
    ],
  ]
}

interface Ways {
  /** What is walked through first. */
  near: Order
  inIndex: string[]
  filters: string[]
  search: Search | null
  /** Where the rest is looked for, and by what. */
  order: Order
  behind: string[][]
}

/** On the way through the next links, and where that is not enough behind them. */
function nearOrBehind({ near, inIndex, filters, search, order, behind }: Ways, limit: number): string {
  const { id, table, joinInOrder, alias } = near
  const reach = search === null || search.isIndexed ? limit * near.reach : mostWithoutIndex
  const next = `(SELECT * FROM ${table} WHERE ${and(inIndex)} ${sorted(near)} LIMIT ${reach}) ${alias}`
  const page = `SELECT ${id} FROM ${next} ${joinInOrder} WHERE ${and(filters)} ${sorted(near)} LIMIT ${limit}`
  if (behind.length === 0) return page
  const isShort = `(SELECT count(*) FROM near) < ${limit}`
  const hasMore = `(SELECT count(*) FROM ${next}) = ${reach}`
  return `
    WITH near AS MATERIALIZED (${page})
    SELECT * FROM near
    ${behind.map((conditions) => `UNION (${withinReach(order, [isShort, hasMore, ...conditions], limit)})`).join(' ')}`
}
