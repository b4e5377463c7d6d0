/** Checks the URL of a webhook. Host names are resolved on every connection, not here. */
import type { Settings } from '../settings.js'
import { isAllowedAddress, parseLiteralAddresses } from '../platform/outbound/destination.js'
import { maxUrlLength, validUrl } from './webhook-fields.js'
import { parseUrl } from '../platform/util/parse-url.js'
import { publicCommandText } from '../platform/util/program.js'

/**
 * The "bad ports" of the Fetch standard: services on these ports (mail, shells, chat) may interpret a request as
 * commands. https://fetch.spec.whatwg.org/#port-blocking
 */
const badPorts: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
])

/** The command that forwards events to a local receiver, so that the service needs no access to private addresses. */
export const listenCommand = publicCommandText('listen --forward-to http://localhost:8080/hooks')

export type UrlRules = Pick<Settings, 'webhookAllowHttp' | 'webhookAllowedCidrs'>

export interface UrlFault {
  code: 'invalid_url' | 'too_long' | 'https_required' | 'blocked_port' | 'blocked_address'
  detail: string
}

/** Returns the error of an invalid URL, or null for a valid one. */
export function findWebhookUrlFault(value: unknown, rules: UrlRules): UrlFault | null {
  if (typeof value !== 'string' || !value.isWellFormed()) return invalid(`Must be ${validUrl}.`)
  if (value.length > maxUrlLength)
    return { code: 'too_long', detail: `Must be at most ${maxUrlLength} characters.` }
  // Parsers drop these characters silently, so the requested URL would differ from the stored one.
  if (/[\s\p{Cc}]/u.test(value))
    return invalid('Must not contain spaces or control characters. Encode a space as %20.')

  const url = parseUrl(value)
  const [, scheme, authority] = /^(https?):\/\/([^/?#]*)/i.exec(value) ?? []
  if (url?.protocol === 'http:' && !rules.webhookAllowHttp)
    return {
      code: 'https_required',
      detail: `Must be ${validUrl}. ${forDevelopment(url, rules)}`,
    }
  // URL parsers disagree on whether a backslash ends the host.
  if (!url || !scheme || !authority || authority.includes('\\') || !url.hostname)
    return invalid(`Must be ${validUrl}.`)
  if (authority.includes('@'))
    return invalid('Must not contain a user name or password. Verify the signature to authenticate requests.')
  if (value.includes('#')) return invalid('Must not contain a fragment (# and everything after it).')
  return findHostFault(url, rules)
}

function findHostFault(url: URL, rules: UrlRules): UrlFault | null {
  if (url.port && badPorts.has(Number(url.port)))
    return {
      code: 'blocked_port',
      detail: `Port ${url.port} is reserved for another protocol. Use another port, such as 443.`,
    }
  if (isBlocked(url, rules))
    return {
      code: 'blocked_address',
      detail: `The IP address is private or reserved. Use a URL that is reachable from the internet. ${forDevelopment(url, rules)}`,
    }
  return null
}

function isBlocked(url: URL, { webhookAllowedCidrs }: UrlRules): boolean {
  const addresses = parseLiteralAddresses(url.hostname)
  return (
    addresses !== null && !addresses.some((address) => isAllowedAddress(address, webhookAllowedCidrs ?? []))
  )
}

/** Returns advice for developers, whose own machine is the most common rejected destination. */
function forDevelopment(url: URL, rules: UrlRules): string {
  const settings = [
    ...(url.protocol === 'http:' && !rules.webhookAllowHttp ? ['WEBHOOK_ALLOW_HTTP=true'] : []),
    ...(isBlocked(url, rules) ? ['WEBHOOK_ALLOWED_CIDRS'] : []),
  ]
  return `For development, forward events to your machine with ${listenCommand}, or ask the operator to set ${settings.join(' and ')}.`
}

function invalid(detail: string): UrlFault {
  return { code: 'invalid_url', detail }
}
