/** Restrictions of a token: how they are checked, and whether those of a new token stay within those of its creator. */
import { type Rate, rate as rateRule } from '../platform/config/rules.js'
import { currentMs } from '../platform/util/clock.js'
import { createAddressMatcher, findNetworksOutside, normalizeNetwork } from './networks.js'

/** Stored and returned in this form. A null field does not restrict. */
export interface Restrictions {
  /** In their canonical form, such as `10.0.0.0/8`. */
  allowed_ips: string[] | null
  not_before: string | null
  rate_limit: string | null
  tags: string[] | null
}

type RestrictionName = keyof Restrictions

/** Restrictions in a request or on the command line, validated. */
export type WantedRestrictions = { [Name in RestrictionName]?: Restrictions[Name] | undefined }

export const maxNetworks = 20
/** The shared counts are kept for longer than this. */
const maxWindowSeconds = 3_600

/** Returns the rate of a restriction, or null if the text is not valid. */
export function parseOwnRate(text: string): Rate | null {
  try {
    const parsed = rateRule(text)
    return parsed && parsed.windowSeconds <= maxWindowSeconds ? parsed : null
  } catch {
    return null
  }
}

/** Returns the rate with a number and a unit of time: a setting may also be `600` or `600/m`. */
function normalizeRate(text: string): string {
  const [limit, window = '1m'] = text.split('/')
  return `${limit}/${/^\d/.test(window) ? window : `1${window}`}`
}

/** Fills the absent fields from the creating token, and normalizes the others. Returns null without restrictions. */
export function completeRestrictions(
  wanted: WantedRestrictions | null | undefined,
  creator: Restrictions | null,
): Restrictions | null {
  const { allowed_ips, not_before, rate_limit, tags } = wanted ?? {}
  const complete: Restrictions = {
    allowed_ips: allowed_ips ? withoutDuplicates(allowed_ips.map((text) => normalizeNetwork(text)!)) : null,
    not_before: not_before ? new Date(not_before).toISOString() : null,
    rate_limit: rate_limit ? normalizeRate(rate_limit) : null,
    tags: tags ? withoutDuplicates(tags) : null,
  }
  for (const name of Object.keys(complete) as RestrictionName[])
    if (complete[name] === null) Object.assign(complete, { [name]: creator?.[name] ?? null })
  return Object.values(complete).every((value) => value === null) ? null : complete
}

/** Returns the restrictions that exceed those of the creating token, with the excess of each. */
export function findExcess(
  restrictions: Restrictions | null,
  creator: Restrictions | null,
): Partial<Restrictions> {
  if (!creator) return {}
  const { allowed_ips = null, not_before = null, rate_limit = null, tags = null } = restrictions ?? {}
  const excess: Partial<Restrictions> = {}
  if (creator.allowed_ips) {
    const outside = allowed_ips && findNetworksOutside(allowed_ips, creator.allowed_ips)
    if (outside?.length !== 0) excess.allowed_ips = outside
  }
  if (creator.not_before && !(not_before && Date.parse(not_before) >= Date.parse(creator.not_before)))
    excess.not_before = not_before
  if (
    creator.rate_limit &&
    !(rate_limit && isSlower(parseOwnRate(rate_limit)!, parseOwnRate(creator.rate_limit)!))
  )
    excess.rate_limit = rate_limit
  if (creator.tags) {
    const others = tags?.filter((tag) => !creator.tags!.includes(tag)) ?? null
    if (others?.length !== 0) excess.tags = others
  }
  return excess
}

/** Whether a rate never allows more requests than another one, neither at once nor on average. */
function isSlower(one: Rate, other: Rate): boolean {
  return one.limit <= other.limit && !isFasterOnAverage(one, other)
}

export function isFasterOnAverage(one: Rate, other: Rate): boolean {
  return one.limit * other.windowSeconds > other.limit * one.windowSeconds
}

/** Returns the restriction that forbids a request from this address now, or null. Runs for every request. */
export function findViolation(
  restrictions: Restrictions,
  address: string,
): 'allowed_ips' | 'not_before' | null {
  const { notBeforeMs, allows } = compile(restrictions)
  if (allows && !allows(address)) return 'allowed_ips'
  return currentMs() < notBeforeMs ? 'not_before' : null
}

/** Returns the token's own rate limit, or null. */
export function getOwnRate(restrictions: Restrictions): Rate | null {
  return compile(restrictions).rate
}

interface Compiled {
  notBeforeMs: number
  allows: ((address: string) => boolean) | null
  rate: Rate | null
}

/** Keyed by the restrictions object of a cached token, which is replaced when the token is read again. */
const compiled = new WeakMap<Restrictions, Compiled>()

function compile(restrictions: Restrictions): Compiled {
  let found = compiled.get(restrictions)
  if (!found) {
    const { allowed_ips, not_before, rate_limit } = restrictions
    found = {
      notBeforeMs: not_before === null ? -Infinity : Date.parse(not_before),
      allows: allowed_ips && createAddressMatcher(allowed_ips),
      rate: rate_limit === null ? null : parseOwnRate(rate_limit),
    }
    compiled.set(restrictions, found)
  }
  return found
}

function withoutDuplicates(values: readonly string[]): string[] {
  return [...new Set(values)]
}
