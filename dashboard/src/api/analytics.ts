/** Counts of clicks over time and by what is known of them. */
import { rawCall } from './raw-call.js'

interface Counts {
  clicks: number
  human: number
  visitors: number | null
}

export interface AnalyticsRow extends Counts {
  start?: string
  key?: string | null
  slug?: string
  short_url?: string
  country?: string | null
  region?: string | null
}

export interface Analytics {
  meta: { start: string; end: string; timezone: string; granularity: string | null; as_of: string }
  totals: Counts
  previous: Counts | null
  data: AnalyticsRow[]
  other: Counts | null
}

export interface AnalyticsQuery {
  interval?: string
  start?: string
  end?: string
  group_by?: string
  granularity?: string
  compare?: 'previous'
  limit?: number
}

const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone

export function getAnalytics(
  linkId: string | null,
  query: AnalyticsQuery,
  signal: AbortSignal,
): Promise<Analytics> {
  const path = linkId === null ? '/v1/analytics' : `/v1/links/${linkId}/analytics`
  return rawCall(path, { query: { timezone, ...query }, signal })
}
