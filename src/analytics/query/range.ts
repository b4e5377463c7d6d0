/** Which time is asked about, and into which pieces it is cut. */
import { isTimestamp } from '../../platform/http/input/fields.js'
import { dayMs } from '../../platform/util/days.js'
import { mostBuckets } from '../limits.js'
import { hourMs } from './zoned-time.js'
import type { Unit, ZonedTime } from './zoned-time.js'

export interface TimeRange {
  start: number
  /** The first moment after the range. */
  end: number
}

export const intervals = ['24h', '7d', '30d', '90d', '12mo', 'all'] as const
export type Interval = (typeof intervals)[number]

const days = { '7d': 7, '30d': 30, '90d': 90 } as const

/**
 * The range of an interval: whole hours, days or months of the zone, the running one included. `all` begins with the
 * day of the first click.
 */
export function rangeOf(interval: Interval, zone: ZonedTime, now: number, firstClick: number): TimeRange {
  switch (interval) {
    case '24h': {
      const start = zone.startOf('hour', now - 23 * hourMs)
      return { start, end: zone.next('hour', zone.startOf('hour', now)) }
    }
    case '7d':
    case '30d':
    case '90d':
      return { start: zone.shift('day', now, 1 - days[interval]), end: zone.shift('day', now, 1) }
    case '12mo':
      return { start: zone.shift('month', now, -11), end: zone.shift('month', now, 1) }
    case 'all':
      return { start: zone.startOf('day', Math.min(firstClick, now)), end: zone.shift('day', now, 1) }
  }
}

/** The range of the same length before. For whole days or months it has as many of them. */
export function rangeBefore(
  { start, end }: TimeRange,
  interval: Interval | null,
  zone: ZonedTime,
): TimeRange {
  if (interval === '12mo') return { start: zone.shift('month', start, -12), end: start }
  const isWholeDays = zone.startOf('day', start) === start && zone.startOf('day', end) === end
  if (!isWholeDays) return { start: start - (end - start), end: start }
  const count = Math.round((zone.local(end) - zone.local(start)) / dayMs)
  return { start: zone.shift('day', start, -count), end: start }
}

const date = /^\d{4}-\d\d-\d\d$/

/** A date is its first moment in the zone; null for what is neither date nor time. */
export function momentOf(text: string, zone: ZonedTime): number | null {
  if (!date.test(text)) return isTimestamp(text) ? Date.parse(text) : null
  return isTimestamp(`${text}T00:00:00Z`) ? zone.firstInstantOf(Date.parse(`${text}T00:00:00Z`)) : null
}

/** The unit that gives about 24 to 120 points. */
export function usualUnit({ start, end }: TimeRange): Unit {
  const length = end - start
  if (length <= 120 * hourMs) return 'hour'
  if (length <= 121 * dayMs) return 'day'
  return length <= 120 * 7 * dayMs ? 'week' : 'month'
}

/** The beginnings of the pieces, the first one at or before the start. Null when there are too many. */
export function bucketsOf({ start, end }: TimeRange, unit: Unit, zone: ZonedTime): number[] | null {
  const shortest = { hour: hourMs / 2, day: dayMs / 2, week: 6 * dayMs, month: 27 * dayMs }[unit]
  if ((end - start) / shortest > 4 * mostBuckets) return null
  const buckets = [zone.startOf(unit, start)]
  for (let next = zone.next(unit, buckets[0]!); next < end; next = zone.next(unit, next)) {
    if (buckets.length === mostBuckets) return null
    buckets.push(next)
  }
  return buckets
}
