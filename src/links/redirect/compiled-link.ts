/** A link as redirects use it, and the rules that decide where a visit leads. The call `resolve` uses them too. */
import { locationHeader, percentByte } from '../urls.js'
import type { Link } from '../link.entity.js'

/** Everything that does not depend on a visit is computed once. */
export interface CompiledLink {
  linkId: string
  workspaceId: string
  slug: string
  /** The target, encoded so that it is legal in a header. */
  location: string
  status: 301 | 302 | 307 | 308
  forwardQuery: boolean
  enabled: boolean
  /** Unix time in milliseconds; Infinity for a link that does not expire. */
  expiresAt: number
  /** Deleted: the slug is known and never comes back. */
  tombstone: boolean
}

/** What redirects need to know of a link's row. */
export type StoredLink = Pick<
  Link,
  | 'id'
  | 'workspace_id'
  | 'slug'
  | 'url'
  | 'redirect_status'
  | 'forward_query'
  | 'enabled'
  | 'expires_at'
  | 'deleted_at'
>

export function compileLink(row: StoredLink): CompiledLink {
  return {
    linkId: row.id,
    workspaceId: row.workspace_id,
    slug: row.slug,
    location: row.deleted_at ? '' : locationHeader(row.url),
    status: statusOf(row.redirect_status),
    forwardQuery: row.forward_query,
    enabled: row.enabled,
    expiresAt: row.expires_at ? row.expires_at.getTime() : Infinity,
    tombstone: row.deleted_at !== null,
  }
}

/** Clients and proxies still accept a header line of this length. A longer target goes without the visitor's query. */
export const maxLocationLength = 16 * 1024

// Matches what a URL parser encodes in a query: control characters, space, " # < > ' and everything beyond ASCII.
// Brackets, braces and stray percent signs stay as they came, because targets that sign their query depend on it.
const notInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/
const everyNotInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/g

function statusOf(status: number): CompiledLink['status'] {
  return status === 301 || status === 307 || status === 308 ? status : 302
}

/** Deleted, disabled or expired. */
export function isGone(link: CompiledLink, time: number): boolean {
  return link.tombstone || !link.enabled || link.expiresAt <= time
}

/** `query` is the part of the request line after the question mark. */
export function locationFor(link: CompiledLink, query: string): string {
  return link.forwardQuery && query !== '' ? withQuery(link.location, query) : link.location
}

/**
 * Adds the visitor's query to the target's. `query` is the part of the request line after the question mark. Node
 * gives it with one char for each byte.
 */
export function withQuery(location: string, query: string): string {
  // Clients send no fragments. If one does, its fragment must not displace the target's own.
  const fragmentSent = query.indexOf('#')
  const sent = withoutQrMark(fragmentSent < 0 ? query : query.slice(0, fragmentSent))
  if (sent === '') return location
  const added = notInQuery.test(sent) ? sent.replace(everyNotInQuery, encoded) : sent
  const fragmentAt = location.indexOf('#')
  const target = fragmentAt < 0 ? location : location.slice(0, fragmentAt)
  const fragment = fragmentAt < 0 ? '' : location.slice(fragmentAt)
  const whole = target + joint(target) + added + fragment
  return whole.length > maxLocationLength ? location : whole
}

function joint(target: string): string {
  if (!target.includes('?')) return '?'
  return target.endsWith('?') || target.endsWith('&') ? '' : '&'
}

function encoded(char: string): string {
  return percentByte(char.charCodeAt(0) & 0xff)
}

/** The parameter in a link's QR code. It says where a visit came from, and is not passed on to the target. */
export const qrMark = 'qr=1'
const mark = new RegExp(`(?:^|&)${qrMark}(?=&|#|$)`)
const everyMark = new RegExp(mark, 'g')

export function hasQrMark(query: string): boolean {
  return query.includes(qrMark) && mark.test(query)
}

export function withoutQrMark(query: string): string {
  if (!hasQrMark(query)) return query
  const rest = query.replace(everyMark, '')
  return rest.startsWith('&') ? rest.slice(1) : rest
}
