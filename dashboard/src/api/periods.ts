/** Analytics periods: a preset, or the first and last day or hour, in the time zone of the browser. */
import type { QueryOf } from '@link-service/client'

export const intervals = [
  ['today', 'Today'],
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['12mo', '12 months'],
] as const

type Interval = (typeof intervals)[number][0]

/** The first and last day of a period, such as `2026-11-22`, or the first and last hour, such as `2026-11-22T14`. */
export interface Dates {
  from: string
  to: string
}

export type Period = Interval | Dates
type PeriodQuery = Pick<QueryOf<'getAnalytics'>, 'interval' | 'start' | 'end'>
type Granularity = NonNullable<QueryOf<'getAnalytics'>['granularity']>

/** The end is exclusive. */
interface Range {
  start: Date
  end: Date
}

const intervalDays = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const
const granularities = {
  today: 'hour',
  '24h': 'hour',
  '7d': 'day',
  '30d': 'day',
  '90d': 'day',
  '12mo': 'week',
} as const
const hourMs = 3_600_000

/** Reads the period from the URL query. Defaults to the last 30 days. */
export function periodFrom(query: URLSearchParams): Period {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  const bothAre = (isValid: (text: string) => boolean) => isValid(from) && isValid(to)
  if ((bothAre(isDate) || bothAre(isHour)) && from <= to) return { from, to }
  return intervals.find(([interval]) => interval === query.get('interval'))?.[0] ?? '30d'
}

export function getPeriodQuery(period: Period, now: Date): PeriodQuery {
  if (period === 'today' || (typeof period !== 'string' && hasHours(period)))
    return formatRangeTimes(getPeriodRange(period, now))
  if (typeof period === 'string') return { interval: period }
  return { start: period.from, end: addDays(period.to, 1) }
}

/** Returns the previous period: the same number of whole hours, days or months, up to the start of the period. */
export function getPreviousPeriodQuery(period: Period, now: Date): PeriodQuery {
  if (typeof period !== 'string' && !hasHours(period))
    return { start: addDays(period.from, -countDays(period)), end: period.from }
  const { start, end } = getPeriodRange(period, now)
  if (typeof period === 'string')
    return formatRangeTimes({ start: getIntervalStart(period, now, 2), end: start })
  return formatRangeTimes({ start: new Date(2 * start.getTime() - end.getTime()), end: start })
}

const formatRangeTimes = ({ start, end }: Range) => ({ start: start.toISOString(), end: end.toISOString() })

/** Returns the range of a period. The range of an interval includes the current hour, day or month. */
function getPeriodRange(period: Period, now: Date): Range {
  if (typeof period === 'string')
    return { start: getIntervalStart(period, now, 1), end: getIntervalStart(period, now, 0) }
  if (hasHours(period))
    return {
      start: new Date(`${period.from}:00`),
      end: new Date(new Date(`${period.to}:00`).getTime() + hourMs),
    }
  return { start: new Date(`${period.from}T00:00`), end: new Date(`${addDays(period.to, 1)}T00:00`) }
}

/** Returns the UTC days that a period covers, up to today. `end` is exclusive. */
export function getUtcDays(period: Period, now: Date): { start: string; end: string } {
  const { start, end } = getPeriodRange(period, now)
  const last = new Date(Math.max(start.getTime(), Math.min(end.getTime() - 1, now.getTime())))
  return { start: toUtcDate(start), end: addDays(toUtcDate(last), 1) }
}

/** Returns the period of the selected buckets of a chart. `end` is exclusive. */
export function createBucketPeriod({ start, end }: Range, granularity: string | null): Dates {
  const last = new Date(end.getTime() - 1)
  return granularity === 'hour'
    ? { from: toLocalHour(start), to: toLocalHour(last) }
    : { from: toLocalDate(start), to: toLocalDate(last) }
}

/** Returns the bucket size that gives a readable chart. */
export function getGranularity(period: Period): Granularity {
  if (typeof period === 'string') return granularities[period]
  const days = countDays(period)
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 800 ? 'week' : 'month'
}

const padTwo = (part: number) => String(part).padStart(2, '0')

export function toLocalDate(at: Date): string {
  return `${at.getFullYear()}-${padTwo(at.getMonth() + 1)}-${padTwo(at.getDate())}`
}

const toLocalHour = (at: Date) => `${toLocalDate(at)}T${padTwo(at.getHours())}`
const toUtcDate = (at: Date) => at.toISOString().slice(0, 10)

/** Counts days in UTC, which has no daylight saving time. */
const atMidnight = (date: string) => new Date(`${date}T00:00:00Z`)

function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const at = atMidnight(text)
  return !Number.isNaN(at.getTime()) && toUtcDate(at) === text
}

function isHour(text: string): boolean {
  return /T([01][0-9]|2[0-3])$/.test(text) && isDate(text.slice(0, -3))
}

const hasHours = ({ from }: Dates) => from.includes('T')

export function addDays(date: string, days: number): string {
  const at = atMidnight(date)
  at.setUTCDate(at.getUTCDate() + days)
  return toUtcDate(at)
}

function countDays({ from, to }: Dates): number {
  const [first, last] = [from, to].map((text) => atMidnight(text.slice(0, 10)).getTime())
  return Math.round((last! - first!) / (24 * hourMs)) + 1
}

const dayFormat = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const days = new Intl.DateTimeFormat('en-GB', { ...dayFormat, year: 'numeric' })
const daysOfYear = new Intl.DateTimeFormat('en-GB', dayFormat)
const hours = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

export function formatPeriod(period: Dates): string {
  if (!hasHours(period)) return days.formatRange(atMidnight(period.from), atMidnight(period.to))
  const { start, end } = getPeriodRange(period, new Date())
  return hours.formatRange(start, end)
}

/** Formats a range of days without the year. `end` is exclusive. */
export function formatDays({ start, end }: { start: string; end: string }): string {
  return daysOfYear.formatRange(atMidnight(start), atMidnight(addDays(end, -1)))
}

/**
 * Returns the start of the last `periods` intervals, the current one included. With 0, returns the end of the current
 * one. As in the service, an interval consists of whole hours, days or months of the local calendar.
 */
function getIntervalStart(interval: Interval, now: Date, periods: number): Date {
  const start = new Date(now)
  if (interval === '24h') {
    start.setMinutes(0, 0, 0)
    return new Date(start.getTime() - (24 * periods - 1) * hourMs)
  }
  start.setHours(0, 0, 0, 0)
  if (interval === '12mo') start.setMonth(start.getMonth() + 1 - 12 * periods, 1)
  else start.setDate(start.getDate() + 1 - intervalDays[interval] * periods)
  return start
}
