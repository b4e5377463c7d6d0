/** Counts of clicks over time and by what is known of them, in the reader's zone. */
import { LinkServiceError } from '@link-service/client'
import type { QueryOf, ResultOf } from '@link-service/client'

import { service } from './service.js'

export type Analytics = ResultOf<'getAnalytics'>
export type AnalyticsRow = Analytics['data'][number]
export type AnalyticsQuery = QueryOf<'getLinkAnalytics'>

const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()

/** Of a link, or of the whole workspace. */
export function getAnalytics(
  linkId: string | null,
  query: QueryOf<'getAnalytics'>,
  signal: AbortSignal,
): Promise<Analytics> {
  const asked = { timezone, ...query }
  if (linkId === null) return service.analytics.get(asked, { signal })
  return service.links.analytics(linkId, asked as AnalyticsQuery, { signal })
}

export interface ClickSeries extends Analytics {
  /** People in the period before, bucket by bucket; null where that is too far back to be told. */
  peopleBefore: number[] | null
}

/** The series of a period, and of the one before, which begins as many whole days or months earlier. */
export async function getSeries(
  linkId: string | null,
  { interval, ...filters }: AnalyticsQuery & { interval: Interval },
  signal: AbortSignal,
): Promise<ClickSeries> {
  const now = new Date()
  const granularity = granularities[interval]
  const query = { ...filters, interval, group_by: 'time', granularity, compare: 'previous' } as const
  const queryBefore = {
    ...filters,
    group_by: 'time',
    granularity,
    start: startOf(interval, now, 2).toISOString(),
    end: startOf(interval, now, 1).toISOString(),
  } as const
  const [series, earlier] = await Promise.all([
    getAnalytics(linkId, query, signal),
    getAnalytics(linkId, queryBefore, signal).catch((error: unknown) => {
      // What lies so far back may be more than the service reads for a question.
      if (error instanceof LinkServiceError && error.status === 422) return null
      throw error
    }),
  ])
  return {
    ...series,
    peopleBefore: earlier && series.data.map((_, index) => earlier.data[index]?.human ?? 0),
  }
}

export const intervals = [
  ['24h', '24 hours'],
  ['7d', '7 days'],
  ['30d', '30 days'],
  ['90d', '90 days'],
  ['12mo', '12 months'],
] as const

export type Interval = (typeof intervals)[number][0]

/** As the address says it; what it does not know is 30 days. */
export function intervalFrom(text: string): Interval {
  return intervals.find(([interval]) => interval === text)?.[0] ?? '30d'
}

const days = { '7d': 7, '30d': 30, '90d': 90 } as const
const granularities = { '24h': 'hour', '7d': 'day', '30d': 'day', '90d': 'day', '12mo': 'week' } as const

/**
 * When the last so many periods begin, of whole hours, days or months as the service has them, the running one included.
 * By the calendar of the reader: a day may have 23 hours, and a month has 28 to 31 days.
 */
function startOf(interval: Interval, now: Date, periods: number): Date {
  const start = new Date(now)
  if (interval === '24h') {
    start.setMinutes(0, 0, 0)
    return new Date(start.getTime() - (24 * periods - 1) * 3_600_000)
  }
  start.setHours(0, 0, 0, 0)
  if (interval === '12mo') start.setMonth(start.getMonth() + 1 - 12 * periods, 1)
  else start.setDate(start.getDate() + 1 - days[interval] * periods)
  return start
}

/** The day that runs, and the whole one before. */
export function getToday(signal: AbortSignal): Promise<Analytics> {
  const today = new Date()
  const tomorrow = new Date(today)
  tomorrow.setDate(today.getDate() + 1)
  const query = { start: dateOf(today), end: dateOf(tomorrow), compare: 'previous' } as const
  return getAnalytics(null, query, signal)
}

function dateOf(at: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}
