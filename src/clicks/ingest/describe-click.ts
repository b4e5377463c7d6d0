/** Turns a visit from the journal into the row that is kept of it. */
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

import { hasQrMark } from '../../links/redirect/compiled-link.js'
import { apart, memoize } from '../../platform/util/memoize.js'
import type { NewClick } from '../click.entity.js'
import { type Click, visitLimits } from '../journal/click-line.js'
import { type Location, addressIn, nowhere } from './locations.js'
import { type Agent, describeAgent } from './user-agent.js'

const longestHost = 253

export interface Describing {
  addressMode: AddressMode
  locationOf: (address: string) => Location
  visitorOf: (click: Click) => string | null
  /** The present moment. No click is described as later than it, even if a clock was ahead when the click came. */
  now: number
}

/** A click counts even if its headers cannot be described: a click that failed would hold up all that follow. */
export function describeClick(click: Click, how: Describing): NewClick {
  try {
    return describe(click, how)
  } catch {
    return describe(
      { ...click, ...nothingSaid },
      { ...how, locationOf: () => nowhere, visitorOf: () => null },
    )
  }
}

const nothingSaid = { userAgent: '', referer: '', acceptLanguage: '', address: '', country: '', query: '' }

function describe(click: Click, { addressMode, locationOf, visitorOf, now }: Describing): NewClick {
  // Each field by its name: putting objects together with `...` would double the cost of describing a click.
  const { bot, browser, os, device } = agentOf(click.userAgent)
  const { referrer, referrerHost } = describeReferrer(click.referer)
  const { country, region, city } = describeLocation(countryCode(click.country), locationOf(click.address))
  const { utmSource, utmMedium, utmCampaign, utmTerm, utmContent } = campaignOf(click.query, click.url)
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
    language: languageOf(click.acceptLanguage),
    ip: keptAddress(click.address, addressMode),
    visitor: visitorOf(click),
    utmSource,
    utmMedium,
    utmCampaign,
    utmTerm,
    utmContent,
    source: hasQrMark(click.query) ? 'qr' : null,
    eventId: null,
  }
}

/** The proxy's country comes first. When the file says another one, its region and city are left out. */
function describeLocation(country: string | null, found: Location): Location {
  return country === null || country === found.country ? found : { country, region: null, city: null }
}

/**
 * Decodes the bytes of a header: as UTF-8 if they are valid, else as Latin-1. The journal may have cut a value at its
 * limit within a character. Then that character is left out.
 */
function textOf(bytes: string, limit: number): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true })
    return decoder.decode(Buffer.from(bytes, 'latin1'), { stream: bytes.length === limit })
  } catch {
    return bytes
  }
}

const describeReferrer = memoize((bytes) => {
  const referrer = storable(textOf(bytes, visitLimits.referer))
  return { referrer, referrerHost: referrer && hostOf(referrer) }
})

/** PostgreSQL cannot store NUL, and a reader of the feed should not have to fear control characters. */
function storable(text: string): string | null {
  return text.replace(/\p{Cc}/gu, '') || null
}

/** The host of an address. A name longer than DNS allows is no host, and filters would not take it. */
function hostOf(referrer: string): string | null {
  const url = URL.parse(referrer)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname.length > longestHost) return null
  return url.hostname || null
}

/** Some proxies say XX or T1 where they do not know. */
function countryCode(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text) && text.toUpperCase() !== 'XX' ? text.toUpperCase() : null
}

/** The first language in its standard form, so that `en-us` and `EN-US` are counted as one. */
const languageOf = memoize((acceptLanguage): string | null => {
  const [, tag] = /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})\s*(?:[,;]|$)/.exec(acceptLanguage) ?? []
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
})

export type AddressMode = 'truncate' | 'full' | 'none'

/** What may be kept of a visitor's address: by default the network, /24 or /48. Null for what is no address. */
export function keptAddress(address: string, mode: AddressMode): string | null {
  if (mode === 'none') return null
  return mode === 'full' ? wholeOf(address) : networkOf(address)
}

const wholeOf = memoize((address) => addressIn(address)?.toString() ?? null)

const networkOf = memoize((address) => {
  const parsed = addressIn(address)
  if (!parsed) return null
  const kept = parsed.kind() === 'ipv4' ? 3 : 6
  const bytes = parsed.toByteArray().fill(0, kept)
  return ipaddr.fromByteArray(bytes).toString()
})

const mostAgents = 10_000
const agents = new LRUCache<string, Agent>({ max: mostAgents })

/** Cached, because most visitors share a few thousand user agents. */
function agentOf(userAgent: string): Agent {
  let agent = agents.get(userAgent)
  if (!agent) {
    const own = apart(userAgent)
    agent = describeAgent(own)
    agents.set(own, agent)
  }
  return agent
}

/** The campaign that brought a visitor, as the five `utm_` parameters of an address name it. */
export interface Campaign {
  utmSource: string | null
  utmMedium: string | null
  utmCampaign: string | null
  utmTerm: string | null
  utmContent: string | null
}

const longestParameter = 100
const noCampaign: Campaign = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}

/** Each parameter is read from the visited address, and if it is not there from the link's target. */
export function campaignOf(query: string, target: string): Campaign {
  const visited = ofQuery(query)
  const own = ofTarget(target)
  if (visited === noCampaign) return own
  return {
    utmSource: visited.utmSource ?? own.utmSource,
    utmMedium: visited.utmMedium ?? own.utmMedium,
    utmCampaign: visited.utmCampaign ?? own.utmCampaign,
    utmTerm: visited.utmTerm ?? own.utmTerm,
    utmContent: visited.utmContent ?? own.utmContent,
  }
}

const ofQuery = memoize(readCampaign)
const ofTarget = memoize((target) => {
  const [address = ''] = target.split('#', 1)
  const queryAt = address.indexOf('?')
  return queryAt < 0 ? noCampaign : readCampaign(address.slice(queryAt + 1))
})

function readCampaign(query: string): Campaign {
  if (!query.includes('utm_')) return noCampaign
  const parameters = new URLSearchParams(query)
  const value = (name: string) => kept(parameters.get(name) ?? '')
  return {
    utmSource: value('utm_source'),
    utmMedium: value('utm_medium'),
    utmCampaign: value('utm_campaign'),
    utmTerm: value('utm_term'),
    utmContent: value('utm_content'),
  }
}

/** PostgreSQL cannot store NUL, and nobody should have to fear control characters. */
function kept(text: string): string | null {
  const shown = text.replace(/\p{Cc}/gu, '').trim()
  return (
    Array.from(shown.slice(0, 2 * longestParameter))
      .slice(0, longestParameter)
      .join('') || null
  )
}
