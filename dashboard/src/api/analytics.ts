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
  const query = { ...filters, interval, group_by: 'time', compare: 'previous' } as const
  const series = await getAnalytics(linkId, query, signal)
  const { start, end, granularity } = series.meta
  const queryBefore = {
    ...filters,
    group_by: 'time',
    start: startBefore(interval, new Date(start), new Date(end)).toISOString(),
    end: start,
    ...(granularity === null ? {} : { granularity }),
  } as const
  const earlier = await getAnalytics(linkId, queryBefore, signal).catch((error: unknown) => {
    // What lies so far back may be more than the service reads for a question.
    if (error instanceof LinkServiceError && error.status === 422) return null
    throw error
  })
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

/** By the calendar of the reader: a day may have 23 hours, and a month has 28 to 31 days. */
function startBefore(interval: Interval, start: Date, end: Date): Date {
  const earlier = new Date(start)
  if (interval === '24h') return new Date(start.getTime() - (end.getTime() - start.getTime()))
  if (interval === '12mo') earlier.setMonth(earlier.getMonth() - 12)
  else earlier.setDate(earlier.getDate() - days[interval])
  return earlier
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
