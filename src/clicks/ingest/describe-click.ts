/** Converts a visit from the journal to a row of `clicks`. */
import { hasQrMark } from '../../links/redirect/compiled-link.js'
import { memoize } from '../../platform/util/memoize.js'
import { shownAddress } from '../../platform/util/shown-address.js'
import type { AddressMode } from '../../platform/util/shown-address.js'
import type { NewClick } from '../click.entity.js'
import { type Click, visitLimits } from '../journal/click-line.js'
import { type Location, unknownLocation } from './locations.js'
import { describeAgent } from './user-agent.js'
import { parseUrl } from '../../platform/util/parse-url.js'

const maxHostLength = 253

export interface DescribeOptions {
  addressMode: AddressMode
  locate: (address: string) => Location
  hashVisitor: (click: Click) => string | null
  /** Current time. A later click time, caused by a clock that ran ahead, is reduced to this time. */
  now: number
}

/** Describes a click. If its headers cannot be described, they are left out, because every click must be counted. */
export function describeClick(click: Click, options: DescribeOptions): NewClick {
  try {
    return describeFields(click, options)
  } catch {
    return describeFields(
      { ...click, ...emptyHeaders },
      { ...options, locate: () => unknownLocation, hashVisitor: () => null },
    )
  }
}

const emptyHeaders = { userAgent: '', referer: '', acceptLanguage: '', address: '', country: '', query: '' }

function describeFields(click: Click, { addressMode, locate, hashVisitor, now }: DescribeOptions): NewClick {
  // Spreading the objects instead of naming each field would double the cost of this function.
  const { bot, browser, os, device } = getAgent(click.userAgent)
  const { referrer, referrerHost } = describeReferrer(click.referer)
  const { country, region, city } = describeLocation(parseCountryCode(click.country), locate(click.address))
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = parseCampaign(click.query, click.url)
  return {
    id: click.id,
    workspaceId: click.workspaceId,
    linkId: click.linkId,
    slug: click.slug,
    url: click.url,
    occurredAt: new Date(Math.min(click.time, now)),
    ahead: click.time > now ? true : null,
    bot,
    browser,
    os,
    device,
    referrer,
    referrerHost,
    country,
    region,
    city,
    language: parseLanguage(click.acceptLanguage),
    ip: shownAddress(click.address, addressMode),
    visitor: hashVisitor(click),
    utmSource,
    utmMedium,
    utmCampaign,
    utmTerm,
    utmContent,
    source: hasQrMark(click.query) ? 'qr' : null,
    eventId: null,
    traceparent: click.traceparent || null,
  }
}

/** Prefers the country from the proxy. If the file has a different country, its region and city are left out. */
function describeLocation(country: string | null, found: Location): Location {
  return country === null || country === found.country ? found : { country, region: null, city: null }
}

/**
 * Decodes the bytes of a header or a query as UTF-8, or as Latin-1 if they are not valid UTF-8. If the journal truncated
 * the value within a character, that character is left out.
 */
function decodeBytes(bytes: string, limit: number): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    return decoder.decode(Buffer.from(bytes, 'latin1'), { stream: bytes.length === limit })
  } catch {
    return bytes
  }
}

const describeReferrer = memoize((bytes) => {
  const referrer = removeControls(decodeBytes(bytes, visitLimits.referer)) || null
  return { referrer, referrerHost: referrer && getHost(referrer) }
})

/** Removes control characters: PostgreSQL cannot store NUL, and terminals interpret the others. */
function removeControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}

/** Returns the host of a URL, or null for a name longer than DNS allows, which filters would reject. */
function getHost(referrer: string): string | null {
  const url = parseUrl(referrer)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.length > maxHostLength) return null
  return url.hostname || null
}

/** Returns the proxy's country code. Some proxies send XX or T1 for unknown countries. */
function parseCountryCode(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text) && text.toUpperCase() !== 'XX' ? text.toUpperCase() : null
}

/** Returns the first language in canonical form, so that `en-us` and `EN-US` are counted together. */
const parseLanguage = memoize((acceptLanguage): string | null => {
  const [, tag] = /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})\s*(?:[,;]|$)/.exec(acceptLanguage) ?? []
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
})

/** Most visitors share a few thousand user agents. */
const getAgent = memoize(describeAgent)

/** The five `utm_` parameters of a URL. */
export interface Campaign {
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
}

const maxParameterLength = 100
const noCampaign: Campaign = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}

/** Reads each parameter from the query of the visited short URL, or else from the destination. */
export function parseCampaign(query: string, destination: string): Campaign {
  const visited = campaignInQuery(query)
  const own = campaignInUrl(destination)
  if (visited === noCampaign) return own
  return {
    utmSource: visited.utmSource ?? own.utmSource,
    utmMedium: visited.utmMedium ?? own.utmMedium,
    utmCampaign: visited.utmCampaign ?? own.utmCampaign,
    utmTerm: visited.utmTerm ?? own.utmTerm,
    utmContent: visited.utmContent ?? own.utmContent,
  }
}

const campaignInQuery = memoize((bytes) => readCampaign(decodeBytes(bytes, visitLimits.query)))
const campaignInUrl = memoize((url) => {
  const [withoutFragment = ''] = url.split('#', 1)
  const queryAt = withoutFragment.indexOf('?')
  return queryAt < 0 ? noCampaign : readCampaign(withoutFragment.slice(queryAt + 1))
})

function readCampaign(query: string): Campaign {
  if (!query.includes('utm_')) return noCampaign
  const parameters = new URLSearchParams(query)
  const value = (name: string) => cleanParameter(parameters.get(name) ?? '')
  return {
    utmSource: value('utm_source'),
    utmMedium: value('utm_medium'),
    utmCampaign: value('utm_campaign'),
    utmTerm: value('utm_term'),
    utmContent: value('utm_content'),
  }
}

/** Removes control characters and truncates the value without splitting a character. Null if nothing remains. */
function cleanParameter(text: string): string | null {
  const trimmed = removeControls(text).trim()
  return (
    Array.from(trimmed.slice(0, 2 * maxParameterLength))
      .slice(0, maxParameterLength)
      .join('') || null
  )
}
