/**
 * Lists links with keyset pagination. A page with filters first scans the next links of the list, because PostgreSQL
 * cannot estimate where matches are. If these are too few, the indexes on tags and text find the remaining links.
 */
import type { EntityManager } from 'typeorm'

import type { Caller } from '../auth/caller.js'
import { firstId, lastId } from '../platform/database/ids.js'
import { Conditions, listStatement, runStatement } from '../platform/database/statements.js'
import { createdBounds } from '../platform/http/input/page.js'
import { type LinkRow, linkColumns, linksWithCounters } from './link.entity.js'
import type { LinkPosition, LinkSort, ListLinksQuery } from './list-links.dto.js'

/** Number of links to scan before using an index. Takes about 20 ms. */
const scannedLinks = 10_000

interface LinkFilters extends Omit<ListLinksQuery, 'limit' | 'cursor' | 'sort'> {
  /** Only links with one of these tags. Null for all links. */
  anyTag: readonly string[] | null
}

interface List {
  workspaceId: string
  sort: LinkSort
  filters: LinkFilters
  after: LinkPosition | null
}

const orders: Record<LinkSort, string> = {
  // Includes the workspace, so that PostgreSQL uses the index by workspace and not the primary key.
  created_at: 'link.workspace_id, link.id',
  '-created_at': 'link.workspace_id DESC, link.id DESC',
  '-clicks': 'counter.total DESC, counter.link_id DESC',
}

export async function listLinks(
  db: EntityManager,
  { workspaceId, tags }: Pick<Caller, 'workspaceId' | 'tags'>,
  { sort = '-created_at', ...query }: ListLinksQuery,
  after: LinkPosition | null,
  limit: number,
): Promise<LinkRow[]> {
  const filters = { ...query, anyTag: tags }
  const list = { workspaceId, sort, filters, after }
  if (filters.external_id !== undefined) return readFromIndex(db, list, limit)
  const page = await readFromScan(db, list, limit)
  if (page.length === limit || !mayMissLinks(list)) return page
  const last = page.at(-1)
  const remaining = { ...list, after: last ? { id: last.id, total: Number(last.total) } : after }
  return [...page, ...(await readFromIndex(db, remaining, limit - page.length))]
}

/** By clicks, the scanned links may also be deleted, or created at another time. */
function mayMissLinks({ sort, filters }: List): boolean {
  return (sort === '-clicks' || hasFilters(filters)) && isIndexed(filters)
}

function hasFilters({ q, tag, external_id, enabled, anyTag }: LinkFilters): boolean {
  return (q ?? tag ?? external_id ?? enabled) !== undefined || anyTag !== null
}

function isIndexed({ q }: LinkFilters): boolean {
  return q === undefined || searchFor(q).byIndex !== null
}

/** Reads matches among the next links of the list. */
function readFromScan(db: EntityManager, list: List, limit: number): Promise<LinkRow[]> {
  const { sort, filters } = list
  const orderBy = orders[sort]
  const position = new Conditions()
  addPosition(position, list)
  const matching = new Conditions(position.values).addCondition('link.deleted_at IS NULL')
  addFilters(matching, filters)
  if (sort === '-clicks') addCreated(matching, filters)
  const next =
    sort === '-clicks'
      ? `(SELECT * FROM link_counters counter WHERE ${position.text} ORDER BY ${orderBy} LIMIT ${scannedLinks}) counter
         JOIN links link ON link.id = counter.link_id`
      : `(SELECT * FROM links link WHERE ${position.text} AND link.deleted_at IS NULL
          ORDER BY ${orderBy} LIMIT ${scannedLinks}) link`
  return readLinks(db, list, limit, {
    text: `SELECT link.id FROM ${next} WHERE ${matching.text} ORDER BY ${orderBy} LIMIT ${limit}`,
    values: matching.values,
  })
}

/** Reads matches among all links of the workspace, using an index, and sorts them. */
function readFromIndex(db: EntityManager, list: List, limit: number): Promise<LinkRow[]> {
  const { sort, filters, workspaceId } = list
  const where = new Conditions()
    .addCondition('link.workspace_id = ?', workspaceId)
    .addCondition('link.deleted_at IS NULL')
  addPosition(where, list)
  addFilters(where, filters, 'by index')
  if (sort === '-clicks') addCreated(where, filters)
  const matching =
    sort === '-clicks'
      ? `SELECT link.id, counter.link_id, counter.total FROM ${linksWithCounters}`
      : 'SELECT link.id, link.workspace_id FROM links link'
  // With OFFSET, the planner cannot scan all links in list order, which it would do when it expects many matches.
  return readLinks(db, list, limit, {
    text: `
      SELECT id FROM (${matching} WHERE ${where.text} OFFSET 0) ${sort === '-clicks' ? 'counter' : 'link'}
      ORDER BY ${orders[sort]} LIMIT ${limit}`,
    values: where.values,
  })
}

function readLinks(
  db: EntityManager,
  { sort, filters }: List,
  limit: number,
  ids: { text: string; values: unknown[] },
): Promise<LinkRow[]> {
  // Materialized, because the planner would otherwise read all counters.
  const text = `
    WITH page AS MATERIALIZED (${ids.text})
    SELECT ${linkColumns} FROM page
    JOIN links link ON link.id = page.id JOIN link_counters counter ON counter.link_id = page.id
    ORDER BY ${orders[sort]}`
  // The best plan depends on the filter values, so statements with filters are not prepared.
  const statement = hasFilters(filters) ? { text } : listStatement('list-links', text, limit)
  return runStatement<LinkRow & object>(db, statement, ids.values)
}

/** Returns the statement that reads all links of a list, for exports. */
export function allLinks(
  { workspaceId, tags }: Pick<Caller, 'workspaceId' | 'tags'>,
  query: Omit<LinkFilters, 'anyTag'>,
  sort: LinkSort = '-created_at',
): { text: string; values: unknown[] } {
  const filters = { ...query, anyTag: tags }
  const where = new Conditions()
    .addCondition('link.workspace_id = ?', workspaceId)
    .addCondition('link.deleted_at IS NULL')
  addFilters(where, filters)
  addCreated(where, filters)
  return {
    text: `SELECT ${linkColumns} FROM ${linksWithCounters} WHERE ${where.text} ORDER BY ${orders[sort]}`,
    values: where.values,
  }
}

/** Restricts the list to the links after the last page. In order of creation, these are a range of IDs. */
function addPosition(where: Conditions, { workspaceId, sort, filters, after }: List): void {
  if (sort === '-clicks') {
    where.addCondition('counter.workspace_id = ?', workspaceId)
    if (after) where.addCondition('(counter.total, counter.link_id) < (?, ?)', after.total, after.id)
    return
  }
  const { from = firstId, until = lastId } = createdBounds(filters)
  const lowest = after && sort === 'created_at' && after.id > from ? after.id : from
  const highest = after && sort === '-created_at' && after.id < until ? after.id : until
  where
    .addCondition('(link.workspace_id, link.id) >= (?, ?)', workspaceId, lowest)
    .addCondition('(link.workspace_id, link.id) <= (?, ?)', workspaceId, highest)
  if (after) where.addCondition('link.id <> ?', after.id)
}

function addCreated(where: Conditions, filters: LinkFilters): void {
  const { from, until } = createdBounds(filters)
  if (from !== undefined) where.addCondition('link.id >= ?', from)
  if (until !== undefined) where.addCondition('link.id < ?', until)
}

function addFilters(
  where: Conditions,
  { q, tag, external_id, enabled, anyTag }: LinkFilters,
  mode?: 'by index',
): void {
  if (anyTag !== null) where.addCondition('link.tags && ?::text[]', anyTag)
  if (tag !== undefined) where.addCondition('link.tags @> ARRAY[?]', tag)
  if (external_id !== undefined) where.addCondition('link.external_id = ?', external_id)
  // A literal, so that the planner can use the partial index on disabled links.
  if (enabled !== undefined) where.addCondition(enabled === 'true' ? 'link.enabled' : 'NOT link.enabled')
  if (q === undefined) return
  const { exact, byIndex } = searchFor(q)
  const { text, value } = mode === 'by index' && byIndex ? byIndex : exact
  where.addCondition(text, value)
}

/** Must equal the expression of the index `links_by_words`, otherwise PostgreSQL does not use the index. */
const searchedText = `(link.slug || E'\\n' || link.url || E'\\n' || coalesce(link.title, ''))`

// ASCII only, because PostgreSQL uses the index only for classes whose characters it can enumerate.
const signs = ' -/:-@\\[-`{-~\\n'
const character = `[a-z0-9${signs}]`

interface Condition {
  /** SQL with one `?` as the placeholder for `value`. */
  text: string
  value: string
}

interface LinkSearch {
  exact: Condition
  /** Condition for the index, or null if the index cannot find the text. */
  byIndex: Condition | null
}

/** Returns the conditions for a search in the slug, URL and title. The index holds groups of three characters. */
function searchFor(q: string): LinkSearch {
  const exact = { text: `${searchedText} ILIKE ?`, value: `%${q.replace(/[\\%_]/g, '\\$&')}%` }
  // Words in other scripts can have one or two letters. If the index cannot find such a word, it returns all links.
  const isIndexed = /[a-z0-9]{3}/i.test(q) || (/\p{L}/u.test(q) && !/[a-z0-9]/i.test(q))
  if (isIndexed) return { exact, byIndex: exact }
  const pattern = patternFor(q)
  return { exact, byIndex: pattern === null ? null : { text: `${searchedText} ~* ?`, value: pattern } }
}

/**
 * Returns a pattern that the index can search for text with fewer than three letters in a row. A single letter is found
 * only at the beginning of a word. Punctuation alone is not in the index.
 */
function patternFor(q: string): string | null {
  if (!/[a-z0-9]/i.test(q)) return null
  const literal = q.replace(/[!-/:-@[-`{-~]/g, '\\$&')
  if (/[a-z0-9].*[a-z0-9]/i.test(q)) return `${character}${literal}|${literal}${character}`
  return /^[a-z0-9]/i.test(q) ? `(^|[${signs}])${literal}` : literal
}
