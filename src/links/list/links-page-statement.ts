/**
 * The SQL of a page of links. The planner can only guess whether a searched word is common or rare, so both are tried.
 * First the next few thousand links are scanned, where a common word fills the page quickly. If they do not fill it
 * and more links follow, all links are searched by the index of words, which finds a rare word. `link_tags` has the
 * links of a tag in the order of their creation. For a page by clicks, these links are sorted when they are few. When
 * they are many, the most clicked links of the workspace are scanned for the tag instead.
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

/** A tag with this many links counts as common: finding them in the index of words takes ten milliseconds. */
const commonTag = 200_000
/** The part of the table that is sampled. Of a million links it is 2,500, which takes two milliseconds. */
const sampledPercent = 0.25

/** At most this many links are sorted by their clicks, which takes ten milliseconds. */
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
  // The best plan for a narrowed page depends on the words, so it is planned each time.
  const statement = isNarrowed ? { text: numbered } : listStatement('list-links', numbered, limit)
  return { ...statement, values }
}

/** The order that has the next links of a page. Unclicked links and the links of a tag have tables of their own. */
function nextOf(sort: PageSort, { tag }: LinkFilters): Order {
  const order = orders[sort]
  if (sort === 'unclicked') return amongUnclicked(order, tag !== undefined)
  return tag === undefined || sort === '-clicks' ? order : amongTagged(order)
}

/** The whole list as one query, for exports, which read it through a cursor of the database. */
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
 * When nothing narrows the list, the page is its next links. They are limited before the counters are joined, because
 * the planner would otherwise read all counters.
 */
function all(next: Order, order: Order, { inIndex, filters }: WantedLinks, limit: number): string {
  const { table, joinInOrder, alias } = next
  const conditioned = `FROM ${table} ${joinInOrder} WHERE ${and([...inIndex, ...filters])} ${sorted(next)} LIMIT ${limit}`
  if (alias === 'counter') return `SELECT ${linkColumns} ${conditioned}`
  return `
    SELECT ${linkColumns} FROM (SELECT link.* ${conditioned}) link
    LEFT JOIN link_counters counter ON counter.link_id = link.id ${sorted(order)}`
}

/** The ids of a page that filters or a search narrow. */
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
  // Disabled links, or the links of a tag, are sorted by clicks when they are few. Other conditions are then checked
  // from the most clicked link on, because reading links is slow: they lie far apart in the table.
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
  // The rows in `few` belong to links that are not deleted, so a link is read only when other conditions need it.
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

/** Materialized, so that the planner finds the links first and sorts them afterwards. */
function anywhere(order: Order, conditions: string[], limit: number): string {
  const { id, table, keys, join, alias } = order
  return `
    WITH matching AS MATERIALIZED (SELECT ${keys.join(', ')} FROM ${table} ${join} WHERE ${and(conditions)})
    SELECT ${id} FROM matching ${alias} ${sorted(order)} LIMIT ${limit}`
}

/**
 * As `anywhere`, for a page that may have to be picked from very many links, where fetching them all is what costs. A
 * small sample of the table bounds how far the page can reach, because a page of the sample alone reaches at least as
 * far. The index by age excludes all links beyond that bound. Disabled links have an index of their own, which finds
 * them exactly; the bound would only make that search less exact.
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
 * The conditions by which the indexes of words and tags search all links: a list for each way to search, and none when
 * the indexes cannot find the text. A common tag is checked on the links that the words find, because searching it in
 * the index would cost more than a rare word.
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
  /** The order of the next links, which are searched first. */
  near: Order
  inIndex: string[]
  filters: string[]
  search: Search | null
  /** The order in which all links are searched after that, and the conditions for each way to search. */
  order: Order
  behind: string[][]
}

/** Searches the next links, and then all links if the next ones do not fill the page and are not the last. */
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
