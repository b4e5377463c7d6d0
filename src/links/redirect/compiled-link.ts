/** A link in the form that the hot path answers from: everything that can be worked out once is worked out. */
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

const notPrintable = /[^\x21-\x7e]/
const authority = /^([a-z][a-z0-9+.-]*:[\\/]*)([^\\/?#]*)(.*)$/is
const strippedAtEnds = /^[\0-\x20]+|[\0-\x20]+$/g
const strippedAnywhere = /[\t\n\r]/g
const everyNotPrintable = /[^\x21-\x7e]/gu

/**
 * The owner's url as a header value. What is printable ASCII stays byte for byte, even where a URL parser would
 * rewrite it; the rest becomes what the parser would make of it: punycode in the host, percent-encoded UTF-8 elsewhere.
 */
export function locationOf(url: string): string {
  if (!notPrintable.test(url)) return url
  const trimmed = url.replace(strippedAtEnds, '').replace(strippedAnywhere, '')
  const [, scheme = '', host = '', rest = ''] = authority.exec(trimmed) ?? []
  if (host === '') throw new TypeError('The url of a link is not absolute')
  return (
    scheme +
    (notPrintable.test(host) ? new URL(scheme + host).host : host) +
    rest.replace(everyNotPrintable, percentEncoded)
  )
}

function percentEncoded(char: string): string {
  return Buffer.from(char, 'utf8').reduce((text, byte) => text + percentByte(byte), '')
}

export function percentByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

function statusOf(status: number): CompiledLink['status'] {
  return status === 301 || status === 307 || status === 308 ? status : 302
}
