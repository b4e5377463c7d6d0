/** Turns a visit as it was journalled into the row that is kept of it. */
import type { AddressMode } from './address.js'
import { keptAddress } from './address.js'
import { campaignOf } from './campaign.js'
import type { Location } from './locations.js'
import { hasQrMark } from '../../links/redirect/qr-mark.js'
import type { NewClick } from '../click.entity.js'
import { visitLimits } from '../journal/click-line.js'
import type { Click } from '../journal/click-line.js'
import { memoize } from './memoize.js'
import { describeAgent } from './user-agent.js'

export interface Describing {
  addressMode: AddressMode
  locationOf: (address: string) => Location
  visitorOf: (click: Click) => string | null
  /** The present moment: no click is later, whatever the clock said when it came. */
  now: number
}

export function describeClick(
  click: Click,
  { addressMode, locationOf, visitorOf, now }: Describing,
): NewClick {
  return {
    id: click.id,
    workspaceId: click.workspaceId,
    linkId: click.linkId,
    slug: click.slug,
    url: click.url,
    occurredAt: new Date(Math.min(click.time, now)),
    ahead: click.time > now ? true : null,
    ...describeAgent(textOf(click.userAgent, visitLimits.userAgent)),
    ...describeReferrer(click.referer),
    ...describeLocation(countryCode(click.country), locationOf(click.address)),
    language: languageOf(click.acceptLanguage),
    ip: keptAddress(click.address, addressMode),
    visitor: visitorOf(click),
    ...campaignOf(click.query, click.url),
    source: hasQrMark(click.query) ? 'qr' : null,
    eventId: null,
  }
}

/** The proxy's word on the country comes first; of another country the file's region and city say nothing. */
function describeLocation(country: string | null, found: Location): Location {
  return country === null || country === found.country ? found : { country, region: null, city: null }
}

/**
 * What the bytes of a header say: UTF-8 where they are that, else Latin-1. Where the journal has cut them, it may have
 * been in the middle of a character.
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

function hostOf(referrer: string): string | null {
  const url = URL.parse(referrer)
  return url && /^https?:$/.test(url.protocol) ? url.hostname || null : null
}

/** Some proxies say XX or T1 where they do not know. */
function countryCode(text: string): string | null {
  return /^[A-Za-z]{2}$/.test(text) && text.toUpperCase() !== 'XX' ? text.toUpperCase() : null
}

const languageOf = memoize((acceptLanguage): string | null => {
  return /^\s*([A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3})\s*(?:[,;]|$)/.exec(acceptLanguage)?.[1] ?? null
})
