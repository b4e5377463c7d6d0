/** Computes the time range of a request, and the buckets of a series. */
import { isTimestamp } from '../../platform/http/input/fields.js'
import { dayMs } from '../../platform/util/clock.js'
import { maxBuckets } from '../limits.js'
import { hourMs } from './zoned-time.js'
import type { Unit, ZonedTime } from './zoned-time.js'

export interface TimeRange {
  start: number
  /** Exclusive. */
  end: number
}

export const intervals = ['24h', '7d', '30d', '90d', '12mo', 'all'] as const
export type Interval = (typeof intervals)[number]

const days = { '7d': 7, '30d': 30, '90d': 90 } as const

/**
 * Returns the range of an interval: whole hours, days or months in the time zone, including the current one. `all`
 * starts at the day of the first click.
 */
export function resolveInterval(
  interval: Interval,
  zone: ZonedTime,
  now: number,
  firstClick: number,
): TimeRange {
  switch (interval) {
    case '24h': {
      const start = zone.findStart('hour', now - 23 * hourMs)
      return { start, end: zone.findNextStart('hour', zone.findStart('hour', now)) }
    }
    case '7d':
    case '30d':
    case '90d':
      return { start: zone.shiftTime('day', now, 1 - days[interval]), end: zone.shiftTime('day', now, 1) }
    case '12mo':
      return { start: zone.shiftTime('month', now, -11), end: zone.shiftTime('month', now, 1) }
    case 'all':
      return { start: zone.findStart('day', Math.min(firstClick, now)), end: zone.shiftTime('day', now, 1) }
  }
}

/** Returns the preceding range of the same length, in whole days or months if the range consists of these. */
export function previousRange(
  { start, end }: TimeRange,
  interval: Interval | null,
  zone: ZonedTime,
): TimeRange {
  if (interval === '12mo') return { start: zone.shiftTime('month', start, -12), end: start }
  const isWholeDays = zone.findStart('day', start) === start && zone.findStart('day', end) === end
  if (!isWholeDays) return { start: start - (end - start), end: start }
  const count = Math.round((zone.toLocal(end) - zone.toLocal(start)) / dayMs)
  return { start: zone.shiftTime('day', start, -count), end: start }
}

const date = /^\d{4}-\d\d-\d\d$/

/** Parses a date, as its start in the time zone, or a timestamp. Returns null if the text is neither. */
export function parseTime(text: string, zone: ZonedTime): number | null {
  if (!date.test(text)) return isTimestamp(text) ? Date.parse(text) : null
  return isTimestamp(`${text}T00:00:00Z`) ? zone.findFirstInstant(Date.parse(`${text}T00:00:00Z`)) : null
}

/** Returns a unit that results in at most about 120 points. */
export function chooseUnit({ start, end }: TimeRange): Unit {
  const length = end - start
  if (length <= 120 * hourMs) return 'hour'
  if (length <= 121 * dayMs) return 'day'
  return length <= 120 * 7 * dayMs ? 'week' : 'month'
}

/** Returns the start of each bucket. The first is at or before the start of the range. Null if there are too many. */
export function createBuckets({ start, end }: TimeRange, unit: Unit, zone: ZonedTime): number[] | null {
  const shortest = { hour: hourMs / 2, day: dayMs / 2, week: 6 * dayMs, month: 27 * dayMs }[unit]
  if ((end - start) / shortest > 4 * maxBuckets) return null
  const buckets = [zone.findStart(unit, start)]
  for (let next = zone.findNextStart(unit, buckets[0]!); next < end; next = zone.findNextStart(unit, next)) {
    if (buckets.length === maxBuckets) return null
    buckets.push(next)
  }
  return buckets
}
