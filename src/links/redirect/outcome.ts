/** What becomes of a visit: the rule of the redirect, which others ask as well. */
import type { CompiledLink } from './compiled-link.js'
import { withQuery } from './forward-query.js'

/** Deleted, disabled or expired. */
export function isGone(link: CompiledLink, time: number): boolean {
  return link.tombstone || !link.enabled || link.expiresAt <= time
}

/** `query` as it stood in the request line, behind its question mark. */
export function locationFor(link: CompiledLink, query: string): string {
  return link.forwardQuery && query !== '' ? withQuery(link.location, query) : link.location
}
