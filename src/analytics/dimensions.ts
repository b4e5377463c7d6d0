/**
 * What clicks are broken down by. Each dimension has a number, its part in the breakdowns, and a letter that its keys begin
 * with: the letter of the number, so that keys of several dimensions can lie in one row.
 */
import { uuidOf } from '../platform/database/ids.js'

export const dimensions = [
  'country',
  'region',
  'city',
  'referrer_host',
  'browser',
  'os',
  'device',
  'language',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'source',
  'link',
] as const

export type Dimension = (typeof dimensions)[number]

/** The part with the quarters of an hour, the totals and the visitors. */
export const timePart = 0
/** The part of a link's row with all its other dimensions: most links have few clicks a day, and a row costs more. */
export const packedPart = 16

/** `sum` is all of a month up to the end of a day: the difference of two of them is what lies between them. */
export const grains = { hour: 1, day: 2, month: 3, before: 4, sum: 5 } as const
export type Grain = keyof typeof grains

export function partOf(dimension: Dimension): number {
  return dimensions.indexOf(dimension) + 1
}

const letterBeforeA = 64
/** Quarters of an hour of a day, 0 to 95. */
export const quarterLetter = String.fromCharCode(letterBeforeA)

export function letterOf(dimension: Dimension): string {
  return String.fromCharCode(letterBeforeA + partOf(dimension))
}

/** The part of a workspace's row by a key; the empty key stands for the total. */
export const partOfKey = `greatest(ascii(key) - ${letterBeforeA}, ${timePart})`

/** Between the country, the region and the name of a city: it is in none of them. */
export const separator = '\t'

/** The key of a click, as SQL over the columns of `clicks`; null where it is unknown. */
export function keyOf(dimension: Dimension): string {
  if (dimension === 'city')
    return `CASE WHEN city IS NOT NULL THEN concat_ws(E'\\t', coalesce(country, ''), coalesce(region, ''), city) END`
  return dimension === 'link' ? `encode(uuid_send(link_id), 'base64')` : dimension
}

export function linkOfKey(key: string): string {
  return uuidOf(Buffer.from(key, 'base64').toString('hex'))
}

/** The same as SQL. */
export function idOfKey(key: string): string {
  return `encode(decode(${key}, 'base64'), 'hex')::uuid`
}

export function keyOfLink(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64')
}
