/** The SQL conditions for the links of a page, with named parameters, and the values of these parameters. */
import { firstId, lastId } from '../../platform/database/ids.js'
import { createdBounds } from '../../platform/http/input/page.js'
import type { LinkPosition, ListLinksQuery } from './links-page.js'
import type { Order } from './links-page-orders.js'
import type { Search } from './links-search.js'

export type LinkFilters = Omit<ListLinksQuery, 'limit' | 'cursor' | 'sort'>

export const hasTag = 'link.tags @> :tags'

/** Written without a parameter, so that the planner recognizes the condition of a partial index. */
export const isDisabled = 'NOT link.enabled'

/** The conditions of a page: the ones that the index of its order can check, and the ones checked link by link. */
export interface WantedLinks {
  inIndex: string[]
  filters: string[]
}

export function wantedOf(
  order: Order,
  query: LinkFilters,
  search: string | undefined,
  isLater: boolean,
): WantedLinks {
  const { created_after, created_before, enabled, tag, external_id } = query
  const knowsTimes = order.alias !== 'counter'
  // A counter's own id is checked too, so that links of other times are not read.
  const ids = knowsTimes ? [order.id] : [order.id, 'link.id']
  const times = [
    ...(created_after === undefined || order.hasBounds ? [] : ids.map((id) => `${id} >= :lowest`)),
    ...(created_before === undefined || order.hasBounds ? [] : ids.map((id) => `${id} < :highest`)),
  ]
  const disabled = enabled === 'false' ? [isDisabled] : []
  const knowsState = order.alias === 'link'
  return {
    inIndex: [
      ...order.inIndex,
      ...(isLater ? [order.after] : []),
      ...(knowsTimes ? times : []),
      ...(knowsState ? disabled : []),
    ],
    filters: [
      ...order.filters,
      ...(knowsTimes ? [] : times),
      ...(knowsState ? [] : disabled),
      ...(enabled === 'true' ? ['link.enabled'] : []),
      ...(search === undefined ? [] : [search]),
      ...(tag === undefined || order.alias === 'tagged' ? [] : [hasTag]),
      ...(external_id === undefined ? [] : ['link.external_id = :externalId']),
    ],
  }
}

export function parametersOf(
  workspaceId: string,
  query: LinkFilters,
  search: Search | null,
): Record<string, unknown> {
  const { from: lowest, until: highest } = createdBounds(query)
  return {
    workspaceId,
    lowest,
    highest,
    text: search?.text,
    pattern: search?.pattern,
    tag: query.tag,
    tags: [query.tag],
    externalId: query.external_id,
  }
}

/** The ids between which a page by creation lies, by the wanted times and the end of the previous page. */
export function boundsOf(
  query: LinkFilters,
  { direction }: Order,
  after: LinkPosition | null,
): { above: string; below: string } {
  const { from: lowest = firstId, until: highest = lastId } = createdBounds(query)
  const isUpwards = direction === 'ASC'
  return {
    above: after && isUpwards && after.id > lowest ? after.id : lowest,
    below: after && !isUpwards && after.id < highest ? after.id : highest,
  }
}

export function sorted({ keys, direction }: Pick<Order, 'keys' | 'direction'>): string {
  return `ORDER BY ${keys.map((key) => `${key} ${direction}`).join(', ')}`
}

export function and(conditions: string[]): string {
  return conditions.join(' AND ')
}

/** Replaces named parameters by numbered ones, in the order of their first use. */
export function positional(
  text: string,
  parameters: Record<string, unknown>,
): { text: string; values: unknown[] } {
  const names: string[] = []
  const numbered = text.replace(/(?<!:):([a-zA-Z]+)/g, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text: numbered, values: names.map((name) => parameters[name]) }
}
