/**
 * Lists links with keyset pagination. PostgreSQL cannot know whether the links that match a filter come early in a list
 * or late, so a page is first looked for among the next links, and then among all links by the index of tags and text.
 */
import type { EntityManager } from 'typeorm'

import { firstId, lastId } from '../platform/database/ids.js'
import { Conditions, listStatement, run } from '../platform/database/statements.js'
import { createdBounds } from '../platform/http/input/page.js'
import { type LinkRow, linkColumns, linksWithCounters } from './link.entity.js'
import { searchFor } from './link-search.js'
import type { LinkPosition, LinkSort, ListLinksQuery } from './list-links.dto.js'

/** How many of the next links are checked one by one, in about 20 ms. */
const nextLinks = 10_000

type LinkFilters = Omit<ListLinksQuery, 'limit' | 'cursor' | 'sort'>

interface List {
  workspaceId: string
  sort: LinkSort
  filters: LinkFilters
  after: LinkPosition | null
}

const orders: Record<LinkSort, string> = {
  // With the workspace, so that only the index by workspace has this order, and not the primary key.
  created_at: 'link.workspace_id, link.id',
  '-created_at': 'link.workspace_id DESC, link.id DESC',
  '-clicks': 'counter.total DESC, counter.link_id DESC',
}

export async function listLinks(
  db: EntityManager,
  workspaceId: string,
  { sort = '-created_at', ...filters }: ListLinksQuery,
  after: LinkPosition | null,
  limit: number,
): Promise<LinkRow[]> {
  const list = { workspaceId, sort, filters, after }
  if (filters.external_id !== undefined) return pageOfAll(db, list, limit)
  const page = await pageOfNext(db, list, limit)
  if (page.length === limit || !hasFilters(filters) || !isIndexed(filters)) return page
  const last = page.at(-1)
  const rest = { ...list, after: last ? { id: last.id, total: Number(last.total) } : after }
  return [...page, ...(await pageOfAll(db, rest, limit - page.length))]
}

function hasFilters({ q, tag, external_id, enabled }: LinkFilters): boolean {
  return (q ?? tag ?? external_id ?? enabled) !== undefined
}

function isIndexed({ q }: LinkFilters): boolean {
  return q === undefined || searchFor(q).byIndex !== null
}

/** The page among the next links of the list. */
function pageOfNext(db: EntityManager, list: List, limit: number): Promise<LinkRow[]> {
  const { sort, filters } = list
  const orderBy = orders[sort]
  const position = new Conditions()
  addPosition(position, list)
  const matching = new Conditions(position.values).add('link.deleted_at IS NULL')
  addFilters(matching, filters)
  if (sort === '-clicks') addCreated(matching, filters)
  const next =
    sort === '-clicks'
      ? `(SELECT * FROM link_counters counter WHERE ${position.text} ORDER BY ${orderBy} LIMIT ${nextLinks}) counter
         JOIN links link ON link.id = counter.link_id`
      : `(SELECT * FROM links link WHERE ${position.text} AND link.deleted_at IS NULL
          ORDER BY ${orderBy} LIMIT ${nextLinks}) link`
  return readLinks(db, list, limit, {
    text: `SELECT link.id FROM ${next} WHERE ${matching.text} ORDER BY ${orderBy} LIMIT ${limit}`,
    values: matching.values,
  })
}

/** The page among all links that match the filters, which are found by index and then sorted. */
function pageOfAll(db: EntityManager, list: List, limit: number): Promise<LinkRow[]> {
  const { sort, filters, workspaceId } = list
  const where = new Conditions().add('link.workspace_id = ?', workspaceId).add('link.deleted_at IS NULL')
  addPosition(where, list)
  addFilters(where, filters, 'by index')
  if (sort === '-clicks') addCreated(where, filters)
  // Materialized, because the planner would otherwise read all links in their order when it expects many matches.
  return readLinks(db, list, limit, {
    text: `
      WITH matching AS MATERIALIZED (
        SELECT link.workspace_id, link.id, counter.link_id, counter.total FROM ${linksWithCounters}
        WHERE ${where.text}
      )
      SELECT id FROM matching ${sort === '-clicks' ? 'counter' : 'link'} ORDER BY ${orders[sort]} LIMIT ${limit}`,
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
  // The best plan for filters depends on their values, so these statements are planned each time.
  const statement = hasFilters(filters) ? { text } : listStatement('list-links', text, limit)
  return run<LinkRow & object>(db, statement, ids.values)
}

/** All links of a list as one statement, for exports. */
export function allLinks(
  workspaceId: string,
  filters: LinkFilters,
  sort: LinkSort = '-created_at',
): { text: string; values: unknown[] } {
  const where = new Conditions().add('link.workspace_id = ?', workspaceId).add('link.deleted_at IS NULL')
  addFilters(where, filters)
  addCreated(where, filters)
  return {
    text: `SELECT ${linkColumns} FROM ${linksWithCounters} WHERE ${where.text} ORDER BY ${orders[sort]}`,
    values: where.values,
  }
}

/** The links of a workspace after the last page. By creation, they are a range of IDs. */
function addPosition(where: Conditions, { workspaceId, sort, filters, after }: List): void {
  if (sort === '-clicks') {
    where.add('counter.workspace_id = ?', workspaceId)
    if (after) where.add('(counter.total, counter.link_id) < (?, ?)', after.total, after.id)
    return
  }
  const { from = firstId, until = lastId } = createdBounds(filters)
  const lowest = after && sort === 'created_at' && after.id > from ? after.id : from
  const highest = after && sort === '-created_at' && after.id < until ? after.id : until
  where
    .add('(link.workspace_id, link.id) >= (?, ?)', workspaceId, lowest)
    .add('(link.workspace_id, link.id) <= (?, ?)', workspaceId, highest)
  if (after) where.add('link.id <> ?', after.id)
}

function addCreated(where: Conditions, filters: LinkFilters): void {
  const { from, until } = createdBounds(filters)
  if (from !== undefined) where.add('link.id >= ?', from)
  if (until !== undefined) where.add('link.id < ?', until)
}

function addFilters(
  where: Conditions,
  { q, tag, external_id, enabled }: LinkFilters,
  how?: 'by index',
): void {
  if (tag !== undefined) where.add('link.tags @> ARRAY[?]', tag)
  if (external_id !== undefined) where.add('link.external_id = ?', external_id)
  // Literal, so that the planner recognizes the partial index of disabled links.
  if (enabled !== undefined) where.add(enabled === 'true' ? 'link.enabled' : 'NOT link.enabled')
  if (q === undefined) return
  const { exact, byIndex } = searchFor(q)
  const { text, value } = how === 'by index' && byIndex ? byIndex : exact
  where.add(text, value)
}
