/** Click counts over time and by dimension, in the time zone of the browser. */
import { LinkServiceError } from '@link-service/client'
import type { QueryOf, ResultOf } from '@link-service/client'

import { addDays, dateOf, granularityOf, queryOfPeriod, queryOfPeriodBefore } from './periods.js'
import type { Period } from './periods.js'
import { service } from './client.js'

export type Analytics = ResultOf<'getAnalytics'>
export type AnalyticsRow = Analytics['data'][number]
export type AnalyticsQuery = QueryOf<'getLinkAnalytics'>

const { timeZone: timezone } = Intl.DateTimeFormat().resolvedOptions()

/** Returns the analytics of a link, or of the workspace if `linkId` is null. */
export function getAnalytics(
  linkId: string | null,
  query: QueryOf<'getAnalytics'>,
  signal: AbortSignal,
): Promise<Analytics> {
  const localQuery = { timezone, ...query }
  if (linkId === null) return service.analytics.get(localQuery, { signal })
  return service.links.analytics(linkId, localQuery as AnalyticsQuery, { signal })
}

export interface ClickSeries extends Analytics {
  /** Human clicks of the previous period, by bucket. Null if the range is too large for one query. */
  humanBefore: number[] | null
}

/** Returns the series of a period and of the previous period. */
export async function getSeries(
  linkId: string | null,
  period: Period,
  filters: AnalyticsQuery,
  signal: AbortSignal,
): Promise<ClickSeries> {
  const common = { ...filters, group_by: 'time', granularity: granularityOf(period) } as const
  const query = { ...common, ...queryOfPeriod(period), compare: 'previous' } as const
  const queryBefore = { ...common, ...queryOfPeriodBefore(period, new Date()) }
  const [series, earlier] = await Promise.all([
    getAnalytics(linkId, query, signal),
    getAnalytics(linkId, queryBefore, signal).catch((error: unknown) => {
      // The previous period may exceed what the service reads for one query.
      if (error instanceof LinkServiceError && error.status === 422) return null
      throw error
    }),
  ])
  return {
    ...series,
    humanBefore: earlier && series.data.map((_, index) => earlier.data[index]?.human ?? 0),
  }
}

/** Returns the clicks of today, and those of yesterday as the previous period. */
export function getToday(signal: AbortSignal): Promise<Analytics> {
  const today = dateOf(new Date())
  return getAnalytics(null, { start: today, end: addDays(today, 1), compare: 'previous' }, signal)
}
