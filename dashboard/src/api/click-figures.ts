/** Counts of clicks over time and by dimensions, in the reader's time zone. */
import { LinkServiceError } from '@link-service/client'
import type { QueryOf, ResultOf } from '@link-service/client'

import { addDays, dateOf, granularityOf, queryOfPeriod, queryOfPeriodBefore } from './periods.js'
import type { Period } from './periods.js'
import { service } from './client.js'

export type Analytics = ResultOf<'getAnalytics'>
export type AnalyticsRow = Analytics['data'][number]
export type AnalyticsQuery = QueryOf<'getLinkAnalytics'>

const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()

/** The figures of a link, or of the whole workspace if `linkId` is null. */
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
  /** People in the period before, bucket by bucket. Null if that is too much for the service to read. */
  peopleBefore: number[] | null
}

/** The series of a period, and of the one before it. */
export async function getSeries(
  linkId: string | null,
  period: Period,
  filters: AnalyticsQuery,
  signal: AbortSignal,
): Promise<ClickSeries> {
  const asked = { ...filters, group_by: 'time', granularity: granularityOf(period) } as const
  const query = { ...asked, ...queryOfPeriod(period), compare: 'previous' } as const
  const queryBefore = { ...asked, ...queryOfPeriodBefore(period, new Date()) }
  const [series, earlier] = await Promise.all([
    getAnalytics(linkId, query, signal),
    getAnalytics(linkId, queryBefore, signal).catch((error: unknown) => {
      // The period before may be more than the service reads for one question.
      if (error instanceof LinkServiceError && error.status === 422) return null
      throw error
    }),
  ])
  return {
    ...series,
    peopleBefore: earlier && series.data.map((_, index) => earlier.data[index]?.human ?? 0),
  }
}

/** Today so far, and the whole of yesterday. */
export function getToday(signal: AbortSignal): Promise<Analytics> {
  const today = dateOf(new Date())
  return getAnalytics(null, { start: today, end: addDays(today, 1), compare: 'previous' }, signal)
}
