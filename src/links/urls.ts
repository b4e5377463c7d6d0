/** Slugs, short URLs and destination URLs of links. */
import { randomInt } from 'node:crypto'

import ipaddr from 'ipaddr.js'

import { parseUrl } from '../platform/util/parse-url.js'

// Without 0, O, 1, l and I, which look alike in print.
const alphabet = '23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const generatedLength = 7

export function generateSlug(): string {
  return Array.from({ length: generatedLength }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
}

export const slugPattern = '^[A-Za-z0-9_-]{1,64}$'
const validSlug = new RegExp(slugPattern)

export function isSlug(value: unknown): value is string {
  return typeof value === 'string' && validSlug.test(value)
}

/** Returns the first path segments of the service's own URLs, which cannot be slugs. */
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

export function shortUrl(base: string, slug: string): string {
  return `${base}/${slug}`
}

/** Applies to the percent-encoded form, because clients limit the length of the `Location` header. */
export const maxDestinationLength = 8192

/** Returns an error message for an invalid destination, or null. The URL is stored exactly as given. */
export function destinationError(value: unknown, isOwn: OwnHosts): string | null {
  if (typeof value !== 'string' || value.length > maxDestinationLength || !value.isWellFormed())
    return `Must be a URL of at most ${maxDestinationLength} characters that starts with https:// or http://.`
  // URL parsers drop or encode these characters, so the redirect would differ from the given URL.
  if (/[\s\p{Cc}]/u.test(value))
    return 'Must not contain spaces or control characters. Encode a space as %20.'
  const authority = /^https?:\/\/([^/?#]*)/i.exec(value)?.[1]
  const url = parseUrl(value)
  // Browsers end the host at a backslash and other clients do not, so they would open different hosts.
  if (!url || !authority || authority.includes('\\'))
    return 'Must be a complete URL that starts with https:// or http://, such as https://example.com/page.'
  const { length } = locationHeader(value)
  if (length > maxDestinationLength)
    return `Must be at most ${maxDestinationLength} characters when percent-encoded. It has ${length}.`
  if (authority.includes('@')) return 'Must not contain a user name or password.'
  if (isOwn(url))
    return 'Must not be a URL of this service, because a link to a short link could create a redirect loop.'
  return null
}

const notPrintable = /[^\x21-\x7e]/
const urlParts = /^([a-z][a-z0-9+.-]*:[\\/]*)([^\\/?#]*)(.*)$/is
const strippedAtEnds = /^[\0-\x20]+|[\0-\x20]+$/g
const strippedAnywhere = /[\t\n\r]/g
const everyNotPrintable = /[^\x21-\x7e]/gu

/**
 * Returns the URL as the value of a `Location` header. Printable ASCII is never changed, even where a URL parser would
 * rewrite it. Other characters become punycode in the host and percent-encoded UTF-8 elsewhere.
 */
export function locationHeader(url: string): string {
  if (!notPrintable.test(url)) return url
  const trimmed = url.replace(strippedAtEnds, '').replace(strippedAnywhere, '')
  const [, scheme = '', host = '', path = ''] = urlParts.exec(trimmed) ?? []
  if (host === '') throw new TypeError('The URL of a link is not absolute')
  return (
    scheme +
    (notPrintable.test(host) ? parseUrl(scheme + host)!.host : host) +
    path.replace(everyNotPrintable, percentEncoded)
  )
}

function percentEncoded(char: string): string {
  return Buffer.from(char, 'utf8').reduce((text, byte) => text + percentByte(byte), '')
}

export function percentByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}

/** Reports whether a URL belongs to this service. A link to such a URL could create a redirect loop. */
export type OwnHosts = (url: URL) => boolean

/**
 * Recognizes the URLs of this service from its public origins and the port it listens on. An origin with a default port
 * also counts with the other scheme, because proxies redirect http to https. If one of the origins is a loopback
 * address, all names of the loopback interface count.
 */
export function ownHosts(origins: readonly string[], port: number): OwnHosts {
  const own = origins.map((origin) => new URL(origin))
  const hosts = new Set(
    own.flatMap((url) =>
      url.port || isLoopback(url)
        ? getHostAndPort(url)
        : [`${getHostname(url)}:80`, `${getHostname(url)}:443`],
    ),
  )
  const onLoopback = own.filter(isLoopback)
  const ports = new Set(onLoopback.length > 0 ? [String(port), ...onLoopback.map(getPort)] : [])
  return (url) => hosts.has(getHostAndPort(url)) || (ports.has(getPort(url)) && isLoopback(url))
}

/** Returns host and port in a normalized form. */
function getHostAndPort(url: URL): string {
  return `${getHostname(url)}:${getPort(url)}`
}

function getHostname({ hostname }: URL): string {
  return hostname.replace(/\.$/, '')
}

function getPort({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80')
}

/** Includes the unspecified address, because connecting to it reaches the local machine. */
export function isLoopback(url: URL): boolean {
  const name = getHostname(url)
  if (name === 'localhost' || name.endsWith('.localhost')) return true
  const address = name.replace(/^\[|\]$/g, '')
  return ipaddr.isValid(address) && ['loopback', 'unspecified'].includes(ipaddr.process(address).range())
}
