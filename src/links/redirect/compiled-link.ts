/** Prepares links for redirects and computes the destination of a visit. */
import { locationHeader, percentByte } from '../urls.js'
import type { Link } from '../link.entity.js'

/** A link with everything precomputed that does not depend on the visit. */
export interface CompiledLink {
  linkId: string
  workspaceId: string
  slug: string
  /** Destination, encoded for a header. */
  location: string
  status: 301 | 302 | 307 | 308
  forwardQuery: boolean
  enabled: boolean
  /** Unix time in milliseconds. Infinity for a link that does not expire. */
  expiresAt: number
  /** Whether the link was deleted. */
  tombstone: boolean
}

/** The columns of a link that redirects need. */
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
    status: toRedirectStatus(row.redirect_status),
    forwardQuery: row.forward_query,
    enabled: row.enabled,
    expiresAt: row.expires_at ? row.expires_at.getTime() : Infinity,
    tombstone: row.deleted_at !== null,
  }
}

/** Maximum length of a `Location` that clients and proxies accept. A longer one omits the visitor's query. */
export const maxLocationLength = 16 * 1024

// Characters that a URL parser encodes in a query: control characters, space, " # < > ' and all non-ASCII characters.
// Brackets, braces and single percent signs stay unchanged, because signed queries depend on them.
const notInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/
const everyNotInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/g

function toRedirectStatus(status: number): CompiledLink['status'] {
  return status === 301 || status === 307 || status === 308 ? status : 302
}

/** Reports whether the link is deleted, disabled or expired. */
export function isGone(link: CompiledLink, time: number): boolean {
  return link.tombstone || !link.enabled || link.expiresAt <= time
}

/** Returns the `Location` for a visit. `query` is the query string of the visited URL. */
export function locationFor(link: CompiledLink, query: string): string {
  return link.forwardQuery && query !== '' ? withQuery(link.location, query) : link.location
}

/**
 * Adds the visitor's query to the destination. `query` is the query string of the request line, with one character per
 * byte.
 */
export function withQuery(location: string, query: string): string {
  // Drops a fragment, which clients should not send, so that it cannot replace the fragment of the destination.
  const queryEnd = query.indexOf('#')
  const visited = withoutQrMark(queryEnd < 0 ? query : query.slice(0, queryEnd))
  if (visited === '') return location
  const added = notInQuery.test(visited) ? visited.replace(everyNotInQuery, percentEncode) : visited
  const fragmentAt = location.indexOf('#')
  const destination = fragmentAt < 0 ? location : location.slice(0, fragmentAt)
  const fragment = fragmentAt < 0 ? '' : location.slice(fragmentAt)
  const combined = destination + separatorAfter(destination) + added + fragment
  return combined.length > maxLocationLength ? location : combined
}

function separatorAfter(url: string): string {
  if (!url.includes('?')) return '?'
  return url.endsWith('?') || url.endsWith('&') ? '' : '&'
}

function percentEncode(char: string): string {
  return percentByte(char.charCodeAt(0) & 0xff)
}

/** Query parameter in QR codes. Marks visits with the source `qr`, and is not forwarded to the destination. */
export const qrMark = 'qr=1'
const mark = new RegExp(`(?:^|&)${qrMark}(?=&|#|$)`)
const everyMark = new RegExp(mark, 'g')

export function hasQrMark(query: string): boolean {
  return query.includes(qrMark) && mark.test(query)
}

export function withoutQrMark(query: string): string {
  if (!hasQrMark(query)) return query
  const unmarked = query.replace(everyMark, '')
  return unmarked.startsWith('&') ? unmarked.slice(1) : unmarked
}
