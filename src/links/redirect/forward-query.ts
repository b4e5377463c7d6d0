/** Adds the visitor's query to the target's. */
import { percentByte } from './compiled-link.js'
import { withoutQrMark } from './qr-mark.js'

/** What clients and proxies still take as a header line; beyond it the target goes without the visitor's query. */
export const maxLocationLength = 16 * 1024

// Control characters, space, " # < > ' and everything beyond ASCII: what a URL parser encodes in a query. Brackets,
// braces and stray percent signs stay as they came; targets that sign their query depend on it.
const notInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/
const everyNotInQuery = /[^\x21\x24-\x26\x28-\x3b\x3d\x3f-\x7e]/g

/** `query` as it stood in the request line, behind its question mark; node gives it with one char for each byte. */
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
