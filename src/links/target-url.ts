/** Which addresses a link may lead to. What the owner wrote is kept as it is; the parser only judges it. */
import type { OwnHosts } from './own-hosts.js'
import { locationOf } from './redirect/compiled-link.js'

/** Of what is sent as `Location`: clients refuse longer header lines, however short the text was before its encoding. */
export const longestTarget = 8192

/** Null for a url that will do, else what is wrong with it. */
export function faultOfTarget(value: unknown, isOwn: OwnHosts): string | null {
  if (typeof value !== 'string' || value.length > longestTarget || !value.isWellFormed())
    return `Write an address of at most ${longestTarget} characters that begins with https:// or http://.`
  // Parsers drop these silently, so what a visitor gets would not be what was written.
  if (/[\s\p{Cc}]/u.test(value))
    return 'Write the address without spaces or control characters; a space is %20.'
  const authority = /^https?:\/\/([^/?#]*)/i.exec(value)?.[1]
  const url = URL.parse(value)
  // Browsers end a host at a backslash, others do not: they would disagree about where the link leads.
  if (!url || !authority || authority.includes('\\'))
    return 'Write a whole address that begins with https:// or http://, such as https://example.com/page.'
  const { length } = locationOf(value)
  if (length > longestTarget)
    return `Write a shorter address: percent-encoded, as visitors are sent it, it has ${length} characters, and ${longestTarget} are the most.`
  if (authority.includes('@')) return 'Write the address without a user name or password.'
  if (isOwn(url)) return "Write an address elsewhere: a link to this service's own links could go in circles."
  return null
}
