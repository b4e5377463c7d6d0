/** The orders that a page of links can have: what has each of them as an index, and how a link is reached from there. */
import type { LinkSort } from './links-page.js'

/** With `-clicks` the links that were clicked come first, and the others behind them as another list. */
export type PageSort = LinkSort | 'unclicked'

export interface Order {
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
  inIndex: string[]
  /** Whether that says already between which ids the page lies. */
  hasBounds: boolean
  /** What only the link itself knows. */
  filters: string[]
}

const ofWorkspace = 'link.workspace_id = :workspaceId AND link.deleted_at IS NULL'
/** Link by link: as NOT EXISTS the planner would read all counters for it. */
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
  // Behind the next links without clicks; those stand in a table of their own.
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
 * The same for a plan that is made once for all workspaces. With `workspace_id =` it might walk the primary key, past the
 * links of everybody else; as a range of both, only the index of the workspace's links is in this order.
 */
export function asRange(order: Order): Order {
  if (order.alias !== 'link') return order
  const both = '(link.workspace_id, link.id)'
  return {
    ...order,
    keys: ['link.workspace_id', 'link.id'],
    inIndex: [
      'link.deleted_at IS NULL',
      // With < in place of <= the planner would take it for empty.
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
