/**
 * The orders that a page of links can have. Each one names the table that has an index in this order, and how its rows
 * are joined with the links.
 */
import type { LinkSort } from './links-page.js'

/** A list by `-clicks` has two parts: the clicked links, and after them the `unclicked` ones as a list of their own. */
export type PageSort = LinkSort | 'unclicked'

export interface Order {
  keys: string[]
  direction: 'ASC' | 'DESC'
  /** The condition for links after the position where a page ended. */
  after: string
  table: string
  alias: string
  id: string
  join: string
  /** The same join, link by link in the order of the table. Its LIMIT keeps the planner from starting with `links`. */
  joinInOrder: string
  /** How many of the next rows are searched for a page, as a multiple of its size. It takes about ten milliseconds. */
  reach: number
  /** Conditions that the index of this order can check. */
  inIndex: string[]
  /** Whether `inIndex` already has the ids between which the page lies. */
  hasBounds: boolean
  /** Conditions that are checked link by link. */
  filters: string[]
}

const ofWorkspace = 'link.workspace_id = :workspaceId AND link.deleted_at IS NULL'
/** Checked link by link. With NOT EXISTS the planner would read all counters. */
const neverClicked = '(SELECT total FROM link_counters WHERE link_id = link.id) IS NULL'

const byCreation: Omit<Order, 'direction' | 'after'> = {
  table: 'links link',
  alias: 'link',
  id: 'link.id',
  keys: ['link.id'],
  join: '',
  joinInOrder: '',
  reach: 200,
  inIndex: [ofWorkspace],
  hasBounds: false,
  filters: [],
}

export const orders: Record<PageSort, Order> = {
  created_at: { ...byCreation, direction: 'ASC', after: 'link.id > :after' },
  '-created_at': { ...byCreation, direction: 'DESC', after: 'link.id < :after' },
  // Searches all links. The next unclicked links come from a table of their own, see `amongUnclicked`.
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
    inIndex: ['counter.workspace_id = :workspaceId'],
    hasBounds: false,
    filters: [ofWorkspace],
  },
}

/**
 * The same order for a prepared plan, which is made once for all workspaces. With `workspace_id =` the planner might
 * walk the primary key, past the links of all other workspaces. A range over both columns fits only the index by
 * workspace.
 */
export function asRange(order: Order): Order {
  if (order.alias !== 'link') return order
  const both = '(link.workspace_id, link.id)'
  return {
    ...order,
    keys: ['link.workspace_id', 'link.id'],
    inIndex: [
      'link.deleted_at IS NULL',
      // With < in place of <= the planner would estimate the range as empty.
      `${both} >= (:workspaceId, :above) AND ${both} <= (:workspaceId, :below)`,
    ],
    after: 'link.id <> :after',
    hasBounds: true,
  }
}

/** The same order among the links of one tag. */
export function amongTagged(order: Order): Order {
  return byTag('link_tags', ':tag', order)
}

/** The same order among the links without clicks: of one tag, or all of them. */
export function amongUnclicked(order: Order, isTagged: boolean): Order {
  return byTag('unclicked_links', isTagged ? ':tag' : "''", order)
}

function byTag(table: string, tag: string, { direction, after, filters }: Order): Order {
  return {
    table: `${table} tagged`,
    alias: 'tagged',
    id: 'tagged.link_id',
    keys: ['tagged.link_id'],
    direction,
    after: after.replace('link.id', 'tagged.link_id'),
    join: 'JOIN links link ON link.id = tagged.link_id',
    joinInOrder: 'JOIN LATERAL (SELECT * FROM links WHERE id = tagged.link_id LIMIT 1) link ON true',
    reach: 100,
    inIndex: [`tagged.workspace_id = :workspaceId AND tagged.tag = ${tag}`],
    hasBounds: false,
    filters: [ofWorkspace, ...filters],
  }
}
