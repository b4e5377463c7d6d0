/** A link as redirects know it, and what becomes of a visit to it: the rule of the redirect, which others ask as well. */
import { locationOf, percentByte } from '../addresses.js'

/** Everything that can be worked out once is worked out. */
export interface CompiledLink {
  linkId: string
  workspaceId: string
  slug: string
  /** Legal in a header as it is. */
  location: string
  status: 301 | 302 | 307 | 308
  forwardQuery: boolean
  enabled: boolean
  /** Unix time in milliseconds; Infinity for a link that does not expire. */
  expiresAt: number
  /** Deleted: the slug is known and never comes back. */
  tombstone: boolean
}

/** What the database says about a slug. */
export interface StoredLink {
  id: string
  workspaceId: string
  slug: string
  url: string
  redirectStatus: number
  forwardQuery: boolean
  enabled: boolean
  expiresAt: Date | null
  deletedAt: Date | null
}

export function compileLink(row: StoredLink): CompiledLink {
  return {
    linkId: row.id,
    workspaceId: row.workspaceId,
    slug: row.slug,
    location: row.deletedAt ? '' : locationOf(row.url),
    status: statusOf(row.redirectStatus),
    forwardQuery: row.forwardQuery,
    enabled: row.enabled,
    expiresAt: row.expiresAt ? row.expiresAt.getTime() : Infinity,
    tombstone: row.deletedAt !== null,
  }
}

/** What clients and proxies still take as a header line; beyond it the target goes without the visitor's query. */
export const maxLocationLength = 16 * 1024

// Control characters, space, " # < > ' and everything beyond ASCII: what a URL parser encodes in a query. Brackets,
// braces and stray percent signs stay as they came; targets that sign their query depend on it.
const notInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/
const everyNotInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/g

function statusOf(status: number): CompiledLink['status'] {
  return status === 301 || status === 307 || status === 308 ? status : 302
}

/** Deleted, disabled or expired. */
export function isGone(link: CompiledLink, time: number): boolean {
  return link.tombstone || !link.enabled || link.expiresAt <= time
}

/** `query` as it stood in the request line, behind its question mark. */
export function locationFor(link: CompiledLink, query: string): string {
  return link.forwardQuery && query !== '' ? withQuery(link.location, query) : link.location
}

/**
 * Adds the visitor's query to the target's. `query` is as it stood in the request line, behind its question mark; node gives
 * it with one char for each byte.
 */
export function withQuery(location: string, query: string): string {
  // No client sends a fragment; one that does must not push the target's own out of its place.
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

/** The parameter that a link's picture leads to: it says where a visit came from, and is nobody else's. */
const mark = /(?:^|&)qr=1(?=&|#|$)/
const everyMark = /(^|&)qr=1(?=&|#|$)/g

export function hasQrMark(query: string): boolean {
  return query.includes('qr=1') && mark.test(query)
}

export function withoutQrMark(query: string): string {
  if (!hasQrMark(query)) return query
  const rest = query.replace(everyMark, '')
  return rest.startsWith('&') ? rest.slice(1) : rest
}
