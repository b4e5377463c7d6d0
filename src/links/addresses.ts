/** The two addresses of a link: the one it leads to, and its own, which ends with its slug. */
import { randomInt } from 'node:crypto'

import ipaddr from 'ipaddr.js'

import { encodeId } from '../platform/database/ids.js'

// No 0 and O, 1, l and I: a slug may be read from a poster.
const alphabet = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const generatedLength = 7

export function makeSlug(): string {
  return Array.from({ length: generatedLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

export const slugPattern = '^[A-Za-z0-9_-]{1,64}$'
const validSlug = new RegExp(slugPattern)

export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && validSlug.test(value)
}

/** First path segments that no slug may be: those of the service's own addresses, and the first of its base path. */
export function reservedSlugs(basePath: string): ReadonlySet<string> {
  const first = basePath.split('/')[1]
  return new Set([
    'api',
    'dashboard',
    'docs',
    'openapi',
    'errors',
    'healthz',
    'readyz',
    'metrics',
    'v1',
    ...(first ? [first] : []),
  ])
}

export function isShortLinkPath(path: string, reserved: ReadonlySet<string>): boolean {
  const slug = path.slice(1)
  return isSlug(slug) && !reserved.has(slug)
}

export function slugTakenByOther(slug: string): string {
  return `The slug ${slug} is in use, or was used by a deleted link. Choose another slug.`
}

export function slugTakenByOwn(slug: string, linkId: string): string {
  return `The slug ${slug} belongs to your link ${encodeId('lnk', linkId)}. Update that link, or choose another slug.`
}

export function shortUrl(base: string, slug: string): string {
  return `${base}/${slug}`
}

/**
 * The longest target, in characters of the `Location` that is sent. The encoded form counts, because clients limit the
 * length of header lines.
 */
export const longestTarget = 8192

/** Null for a valid url, otherwise its fault. The url is kept as the owner wrote it; the parser only judges it. */
export function faultOfTarget(value: unknown, isOwn: OwnHosts): string | null {
  if (typeof value !== 'string' || value.length > longestTarget || !value.isWellFormed())
    return `Must be a URL of at most ${longestTarget} characters that starts with https:// or http://.`
  // URL parsers drop or encode these silently, so the visitor's address would not be the one that was written.
  if (/[\s\p{Cc}]/u.test(value))
    return 'Must not contain spaces or control characters. Encode a space as %20.'
  const authority = /^https?:\/\/([^/?#]*)/i.exec(value)?.[1]
  const url = URL.parse(value)
  // Browsers end a host at a backslash, others do not: they would disagree about where the link leads.
  if (!url || !authority || authority.includes('\\'))
    return 'Must be a complete URL that starts with https:// or http://, such as https://example.com/page.'
  const { length } = locationHeader(value)
  if (length > longestTarget)
    return `Must be at most ${longestTarget} characters when percent-encoded. It has ${length}.`
  if (authority.includes('@')) return 'Must not contain a user name or password.'
  if (isOwn(url))
    return 'Must not be a URL of this service, because a link to a short link could create a redirect loop.'
  return null
}

const notPrintable = /[^\x21-\x7e]/
const authority = /^([a-z][a-z0-9+.-]*:[\\/]*)([^\\/?#]*)(.*)$/is
const strippedAtEnds = /^[\0-\x20]+|[\0-\x20]+$/g
const strippedAnywhere = /[\t\n\r]/g
const everyNotPrintable = /[^\x21-\x7e]/gu

/**
 * The owner's url as a header value. Printable ASCII stays byte for byte, even where a URL parser would rewrite it.
 * Other characters are encoded as the parser encodes them: punycode in the host, percent-encoded UTF-8 elsewhere.
 */
export function locationHeader(url: string): string {
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

/** The URLs of this service itself. A link to one of them could create a redirect loop. */
export type OwnHosts = (url: URL) => boolean

/**
 * `origins` are those that visitors and callers use, `port` is the one that the service listens on. While one of the
 * origins is a loopback address, every other name of the loopback leads to the same place.
 */
export function ownHosts(origins: readonly string[], port: number): OwnHosts {
  const own = origins.map((origin) => new URL(origin))
  const hosts = new Set(own.map(hostOf))
  const onLoopback = own.filter(isLoopback)
  const ports = new Set(onLoopback.length > 0 ? [String(port), ...onLoopback.map(portOf)] : [])
  return (url) => hosts.has(hostOf(url)) || (ports.has(portOf(url)) && isLoopback(url))
}

/** Host and port, in the one form in which they can be compared. */
function hostOf(url: URL): string {
  return `${nameOf(url)}:${portOf(url)}`
}

function nameOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

/** The unspecified address counts too, because a connection to it reaches the machine that makes it. */
export function isLoopback(url: URL): boolean {
  const name = nameOf(url)
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const address = name.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ['loopback', 'unspecified'].includes(ipaddr.process(address).range())
}
