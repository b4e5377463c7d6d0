/** Click counts over time and by dimension, in the time zone of the browser. */
import { LinkServiceError } from '@link-service/client'
import type { QueryOf, ResultOf } from '@link-service/client'

import { getGranularity, getPeriodQuery, getPreviousPeriodQuery, getUtcDays } from './periods.js'
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

type ClickTotals = Pick<AnalyticsRow, 'clicks' | 'human'>

export interface ClickSeries extends Omit<Analytics, 'previous'> {
  /** The buckets of the previous period. Null if the range is too large for one query. */
  earlier: readonly AnalyticsRow[] | null
  /** Visitors of the UTC days that the period covers. Null with filters, under which visitors are not counted. */
  visitors: Visitors | null
  /** The totals of `earlier`. */
  previous: ClickTotals | null
  /** The start of the first day with a click, or of an earlier bucket if all are compared. Null without clicks. */
  firstDay: string | null
}

interface Visitors {
  count: number
  /** Visitors of the same number of days before. */
  before: number
  /** The UTC days. `end` is exclusive. */
  days: { start: string; end: string }
}

/** Returns the series of a period and of the previous period, with the visitors. */
export async function getSeries(
  linkId: string | null,
  period: Period,
  filters: AnalyticsQuery,
  signal: AbortSignal,
): Promise<ClickSeries> {
  const common = { ...filters, group_by: 'time', granularity: getGranularity(period) } as const
  const now = new Date()
  const query = { ...common, ...getPeriodQuery(period, now) }
  const queryBefore = { ...common, ...getPreviousPeriodQuery(period, now) }
  const [series, before, visitors] = await Promise.all([
    getAnalytics(linkId, query, signal),
    getAnalytics(linkId, queryBefore, signal).catch((error: unknown) => {
      // The previous period may exceed what the service reads for one query.
      if (error instanceof LinkServiceError && error.status === 422) return null
      throw error
    }),
    Object.keys(filters).length === 0 ? getVisitors(linkId, period, signal) : null,
  ])
  const earlier = before?.data ?? null
  return {
    ...series,
    earlier,
    previous: before?.totals ?? null,
    visitors,
    firstDay: await getFirstDay(linkId, earlier, signal),
  }
}

async function getFirstDay(
  linkId: string | null,
  earlier: ClickSeries['earlier'],
  signal: AbortSignal,
): Promise<string | null> {
  const first = earlier?.[0]
  // Reading all clicks is the slowest query. It is needed only if the clicks could begin later.
  if (first && first.clicks > 0 && first.start !== undefined) return first.start
  const { totals, meta } = await getAnalytics(linkId, { interval: 'all' }, signal)
  return totals.clicks === 0 ? null : meta.start
}

/** Queries UTC days in every time zone, because visitors are counted per UTC day. */
async function getVisitors(linkId: string | null, period: Period, signal: AbortSignal): Promise<Visitors> {
  const days = getUtcDays(period, new Date())
  const query = { ...days, timezone: 'UTC', compare: 'previous' } as const
  const { totals, previous } = await getAnalytics(linkId, query, signal)
  return { count: totals.visitors ?? 0, before: previous?.visitors ?? 0, days }
}
