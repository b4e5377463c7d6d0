/** The restrictions of a token: the values of the form, the request, and the text that describes them. */
import type { BodyOf, ItemOf } from '@link-service/client'

import { formatClock, formatDay, formatNumber, plural } from '../../app/format.js'
import { toTime } from '../../app/local-time.js'

export type Restrictions = NonNullable<ItemOf<'listTokens'>['restrictions']>

export interface RestrictionValues {
  /** Addresses and networks, separated by commas or spaces. */
  allowedIps: string
  /** A local time, as a field for a date and time returns it. */
  notBefore: string
  /** Number of requests per `rateWindow`. */
  rateCount: string
  rateWindow: string
  tags: string[]
}

export const noRestrictions: RestrictionValues = {
  allowedIps: '',
  notBefore: '',
  rateCount: '',
  rateWindow: '1m',
  tags: [],
}

/** Returns the restrictions that are set, or undefined if there are none. */
export function toRestrictions(values: RestrictionValues): BodyOf<'createToken'>['restrictions'] {
  const networks = values.allowedIps.split(/[\s,]+/).filter((each) => each !== '')
  const restrictions = {
    ...(networks.length === 0 ? {} : { allowed_ips: networks }),
    ...(values.notBefore === '' ? {} : { not_before: toTime(values.notBefore) }),
    ...(values.rateCount.trim() === ''
      ? {}
      : { rate_limit: `${values.rateCount.trim()}/${values.rateWindow}` }),
    ...(values.tags.length === 0 ? {} : { tags: values.tags }),
  }
  return Object.keys(restrictions).length === 0 ? undefined : restrictions
}

const units: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour' }

/** Describes a rate such as `60/1m` as `60 requests per minute`. */
export function describeRate(rate: string): string {
  const [, count = '', length = '', unit = ''] = /^(\d+)\/(\d+)([smh])$/.exec(rate) ?? []
  const name = units[unit]
  if (name === undefined) return rate
  return `${plural(Number(count), 'request')} per ${length === '1' ? name : `${formatNumber(Number(length))} ${name}s`}`
}

/** A network with one address is shown as the address. */
export function shortNetwork(network: string): string {
  return network.replace(network.includes(':') ? /\/128$/ : /\/32$/, '')
}

/** One line for each restriction. */
export function describeRestrictions(restrictions: Restrictions | null): string[] {
  const { allowed_ips, tags, rate_limit, not_before } = restrictions ?? {}
  return [
    ...(allowed_ips ? [`from ${allowed_ips.map(shortNetwork).join(', ')}`] : []),
    ...(tags ? [`${tags.length === 1 ? 'tag' : 'tags'} ${tags.join(', ')}`] : []),
    ...(rate_limit ? [describeRate(rate_limit)] : []),
    ...(not_before ? [`valid from ${formatClock(not_before)}`] : []),
  ]
}

/** All restrictions in a few words, for a row of a list. */
export function summarizeRestrictions(restrictions: Restrictions | null): string {
  const { allowed_ips, tags, rate_limit, not_before } = restrictions ?? {}
  return [
    ...(allowed_ips?.length === 1 ? [shortNetwork(allowed_ips[0]!)] : []),
    ...(allowed_ips && allowed_ips.length > 1 ? [`${allowed_ips.length} networks`] : []),
    ...(tags ? [tags.length === 1 ? `tag ${tags[0]!}` : `${tags.length} tags`] : []),
    ...(rate_limit
      ? [
          describeRate(rate_limit)
            .replace(/ requests? per /, '/')
            .replace('minute', 'min'),
        ]
      : []),
    ...(not_before ? [`from ${formatDay(not_before)}`] : []),
  ].join(', ')
}
