/**
 * The dimensions by which clicks are broken down. Each one has a number, which is its part in the breakdowns. Its keys
 * begin with that number as a letter (1 is A), so that keys of several dimensions can lie in one row.
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
/** The part of a row with all other dimensions of a link. Links have few clicks a day, so more rows would cost more. */
export const packedPart = 16

/**
 * `sum` counts a month up to the end of a day; two of them differ by the days between them. `before` counts the clicks
 * that retention had dropped before there were breakdowns.
 */
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

/** SQL for the part of a workspace's row, from a key. The empty key stands for the total. */
export const partOfKey = `greatest(ascii(key) - ${letterBeforeA}, ${timePart})`

/** Separates the country, the region and the name of a city. None of them contains it. */
export const separator = '\t'

/** SQL for the key of a click, over the columns of `clicks`. Null when it is unknown. */
export function keyOf(dimension: Dimension): string {
  if (dimension === 'city')
    return `CASE WHEN city IS NOT NULL THEN concat_ws(E'\\t', coalesce(country, ''), coalesce(region, ''), city) END`
  return dimension === 'link' ? `encode(uuid_send(link_id), 'base64')` : dimension
}

export function linkOfKey(key: string): string {
  return uuidOf(Buffer.from(key, 'base64').toString('hex'))
}

/** `linkOfKey` as SQL. */
export function idOfKey(key: string): string {
  return `encode(decode(${key}, 'base64'), 'hex')::uuid`
}

export function keyOfLink(id: string): string {
  return Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64')
}
