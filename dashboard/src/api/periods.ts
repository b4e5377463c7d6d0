/** Analytics periods, either a preset or two dates, in the time zone of the browser. */
import type { QueryOf } from '@link-service/client'

export const intervals = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['12mo', '12 months'],
] as const

type Interval = (typeof intervals)[number][0]

/** The first and last day of a period, such as `2026-11-22`. */
export interface Dates {
  from: string
  to: string
}

export type Period = Interval | Dates
type PeriodQuery = Pick<QueryOf<'getAnalytics'>, 'interval' | 'start' | 'end'>
type Granularity = NonNullable<QueryOf<'getAnalytics'>['granularity']>

const intervalDays = { '7d': 7, '30d': 30, '90d': 90 } as const
const granularities = { '24h': 'hour', '7d': 'day', '30d': 'day', '90d': 'day', '12mo': 'week' } as const
const hourMs = 3_600_000

/** Reads the period from the URL query. Defaults to the last 30 days. */
export function periodFrom(query: URLSearchParams): Period {
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '']
  if (isDate(from) && isDate(to) && from <= to) return { from, to }
  return intervals.find(([interval]) => interval === query.get('interval'))?.[0] ?? '30d'
}

export function queryOfPeriod(period: Period): PeriodQuery {
  if (typeof period === 'string') return { interval: period }
  return { start: period.from, end: addDays(period.to, 1) }
}

/** Returns the previous period: the same number of whole hours, days or months, up to the start of the period. */
export function queryOfPeriodBefore(period: Period, now: Date): PeriodQuery {
  if (typeof period === 'string')
    return {
      start: startOf(period, now, 2).toISOString(),
      end: startOf(period, now, 1).toISOString(),
    }
  return { start: addDays(period.from, -daysOf(period)), end: period.from }
}

/** Returns the bucket size that gives a readable chart. */
export function granularityOf(period: Period): Granularity {
  if (typeof period === 'string') return granularities[period]
  const days = daysOf(period)
  if (days <= 3) return 'hour'
  if (days <= 120) return 'day'
  return days <= 800 ? 'week' : 'month'
}

export function dateOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** Counts days in UTC, which has no daylight saving time. */
const atMidnight = (date: string) => new Date(`${date}T00:00:00Z`)

function isDate(text: string): boolean {
  if (!/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return false
  const at = atMidnight(text)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}

export function addDays(date: string, days: number): string {
  const at = atMidnight(date)
  at.setUTCDate(at.getUTCDate() + days)
  return at.toISOString().slice(0, 10)
}

function daysOf({ from, to }: Dates): number {
  return Math.round((atMidnight(to).getTime() - atMidnight(from).getTime()) / (24 * hourMs)) + 1
}

const days = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

export function nameOf({ from, to }: Dates): string {
  return days.formatRange(atMidnight(from), atMidnight(to))
}

/**
 * Returns the start of the last `periods` intervals, including the current one. As in the service, an interval consists
 * of whole hours, days or months of the local calendar.
 */
function startOf(interval: Interval, now: Date, periods: number): Date {
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
