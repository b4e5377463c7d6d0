/** Creates the response from the figures: labels for keys, zeros for empty points, and `other` beyond the limit. */
import { shortUrl } from '../../links/urls.js'
import { csvLine } from '../../platform/util/csv.js'
import { encodeId } from '../../platform/database/ids.js'
import { dayMs } from '../../platform/util/clock.js'
import { citySeparator } from '../dimensions.js'
import { AnalyticsDto, type AnalyticsRowDto, type CountsDto } from './analytics.dto.js'
import type { ClickCount, Figures } from './analytics.repository.js'
import type { TimeRange } from './range.js'
import type { AnalyticsRequest, RequestTimes } from './analytics-request.js'

/** Returns the number of visitors, summed over UTC days. Null unless the range consists of whole UTC days. */
export type VisitorCounter = (range: TimeRange) => number | null

export function isWholeUtcDays({ start, end }: TimeRange): boolean {
  return start % dayMs === 0 && end % dayMs === 0
}

export function createVisitorCounter(days: ReadonlyMap<number, number>): VisitorCounter {
  return (range) => {
    if (!isWholeUtcDays(range)) return null
    let sum = 0
    for (let day = range.start; day < range.end; day += dayMs) sum += days.get(day) ?? 0
    return sum
  }
}

interface ResponseParts {
  request: AnalyticsRequest
  times: RequestTimes
  now: number
  figures: Figures
  countVisitors: VisitorCounter | null
  previous: Figures | null
  countPreviousVisitors: VisitorCounter | null
  /** Slugs by link ID. */
  slugs: ReadonlyMap<string, string>
  shortUrlBase: string
}

const noClicks: ClickCount = { clicks: 0, human: 0 }

export function createAnalyticsResponse(parts: ResponseParts): AnalyticsDto {
  const { request, times, figures, countVisitors, previous, countPreviousVisitors, now } = parts
  const { range, unit } = times
  return Object.assign(new AnalyticsDto(), {
    meta: {
      start: toIso(range.start),
      end: toIso(range.end),
      timezone: request.timezone,
      granularity: unit,
      group_by: request.isSeries ? 'time' : request.group,
      as_of: toIso(now),
      truncated: request.group !== null && figures.isTruncated,
    },
    totals: { ...figures.totals, visitors: countVisitors?.(range) ?? null },
    previous: previous && { ...previous.totals, visitors: countPreviousVisitors?.(times.previous!) ?? null },
    data: createRows(parts),
    other: request.group === null ? null : remainingClicks(parts),
  })
}

function createRows(parts: ResponseParts): AnalyticsRowDto[] {
  if (parts.times.buckets) return createSeries(parts, parts.times.buckets)
  return parts.request.group === null ? [] : parts.figures.rows.map((row) => createGroup(row, parts))
}

function createSeries(
  { figures, countVisitors, times }: ResponseParts,
  buckets: readonly number[],
): AnalyticsRowDto[] {
  const counts = new Map(figures.rows.map(({ bucket, clicks, human }) => [bucket, { clicks, human }]))
  const { range } = times
  return buckets.map((start, index) => {
    const end = Math.min(buckets[index + 1] ?? Infinity, range.end)
    const visitors = countVisitors?.({ start: Math.max(start, range.start), end }) ?? null
    return { start: toIso(start), ...(counts.get(index + 1) ?? noClicks), visitors }
  })
}

function createGroup({ key, clicks, human }: Figures['rows'][number], parts: ResponseParts): AnalyticsRowDto {
  return { ...createLabel(key, parts), clicks, human, visitors: null }
}

function createLabel(
  key: string | null,
  { request, slugs, shortUrlBase }: ResponseParts,
): Omit<AnalyticsRowDto, keyof CountsDto> {
  if (request.group === 'city') {
    const [country, region, city] = key?.split(citySeparator) ?? []
    return { key: city ?? null, country: country || null, region: region || null }
  }
  if (request.group === 'link') {
    const slug = slugs.get(key!) ?? ''
    return { key: encodeId('lnk', key!), slug, short_url: shortUrl(shortUrlBase, slug) }
  }
  return { key: request.group === 'source' ? (key ?? 'link') : key }
}

/** Null for groups by tag, where a click may count in several rows. */
function remainingClicks({ request, figures }: ResponseParts): CountsDto | null {
  if (request.group === 'tag') return null
  const included = sumCounts(figures.rows)
  const clicks = figures.totals.clicks - included.clicks
  return clicks > 0 ? { clicks, human: figures.totals.human - included.human, visitors: null } : null
}

function sumCounts(counts: readonly ClickCount[]): ClickCount {
  return counts.reduce<ClickCount>(
    (sum, { clicks, human }) => ({ clicks: sum.clicks + clicks, human: sum.human + human }),
    noClicks,
  )
}

function toIso(time: number): string {
  return new Date(time).toISOString()
}

const columns = ['clicks', 'human', 'visitors'] as const

/** Converts a response to CSV. The first column is the kind of row. */
export function toCsv({ meta, totals, previous, data, other }: AnalyticsDto): string {
  const labels = labelColumns(meta.group_by)
  const line = (kind: string, counts: CountsDto, row?: AnalyticsRowDto) =>
    csvLine([
      kind,
      ...labels.map(({ field }) => row?.[field] ?? null),
      ...columns.map((column) => counts[column]),
    ])
  return [
    csvLine(['row', ...labels.map(({ name }) => name), ...columns]),
    ...data.map((row) => line('data', row, row)),
    ...(other ? [line('other', other)] : []),
    line('total', totals),
    ...(previous ? [line('previous', previous)] : []),
  ].join('')
}

function labelColumns(group: string | null) {
  if (group === null) return []
  if (group === 'time') return [{ name: 'start', field: 'start' }] as const
  const key = { name: group, field: 'key' } as const
  if (group === 'city')
    return [key, { name: 'country', field: 'country' }, { name: 'region', field: 'region' }] as const
  if (group === 'link')
    return [key, { name: 'slug', field: 'slug' }, { name: 'short_url', field: 'short_url' }] as const
  return [key]
}
