/** Turns figures into the response: labels for keys, zeros for empty times, and the rest beyond the limit. */
import { shortUrl } from '../../links/addresses.js'
import { csvLine } from '../../platform/util/csv.js'
import { encodeId } from '../../platform/database/ids.js'
import { dayMs } from '../../platform/util/days.js'
import { separator } from '../dimensions.js'
import { AnalyticsDto, type AnalyticsRowDto, type CountsDto } from './analytics.dto.js'
import type { ClickCount, Figures } from './analytics.repository.js'
import type { TimeRange } from './range.js'
import type { Asked, Times } from './analytics-request.js'

/** The visitors in a range: counted once per day of UTC, and summed over days. Null unless the range is whole days. */
export type People = (range: TimeRange) => number | null

export function isWholeUtcDays({ start, end }: TimeRange): boolean {
  return start % dayMs === 0 && end % dayMs === 0
}

export function visitorsIn(days: ReadonlyMap<number, number>): People {
  return (range) => {
    if (!isWholeUtcDays(range)) return null
    let sum = 0
    for (let day = range.start; day < range.end; day += dayMs) sum += days.get(day) ?? 0
    return sum
  }
}

interface AnswerParts {
  asked: Asked
  times: Times
  now: number
  figures: Figures
  people: People | null
  previous: Figures | null
  previousPeople: People | null
  /** Slugs by the IDs of links. */
  slugs: ReadonlyMap<string, string>
  shortUrlBase: string
}

const nothing: ClickCount = { clicks: 0, human: 0 }

export function answerOf(parts: AnswerParts): AnalyticsDto {
  const { asked, times, figures, people, previous, previousPeople, now } = parts
  const { range, unit } = times
  return Object.assign(new AnalyticsDto(), {
    meta: {
      start: iso(range.start),
      end: iso(range.end),
      timezone: asked.timezone,
      granularity: unit,
      group_by: asked.isSeries ? 'time' : asked.group,
      as_of: iso(now),
      truncated: asked.group !== null && figures.isTruncated,
    },
    totals: { ...figures.totals, visitors: people?.(range) ?? null },
    previous: previous && { ...previous.totals, visitors: previousPeople?.(times.previous!) ?? null },
    data: dataOf(parts),
    other: asked.group === null ? null : otherOf(parts),
  })
}

function dataOf(parts: AnswerParts): AnalyticsRowDto[] {
  if (parts.times.buckets) return seriesOf(parts, parts.times.buckets)
  return parts.asked.group === null ? [] : parts.figures.rows.map((row) => groupOf(row, parts))
}

function seriesOf({ figures, people, times }: AnswerParts, buckets: readonly number[]): AnalyticsRowDto[] {
  const counts = new Map(figures.rows.map(({ bucket, clicks, human }) => [bucket, { clicks, human }]))
  const { range } = times
  return buckets.map((start, index) => {
    const end = Math.min(buckets[index + 1] ?? Infinity, range.end)
    const visitors = people?.({ start: Math.max(start, range.start), end }) ?? null
    return { start: iso(start), ...(counts.get(index + 1) ?? nothing), visitors }
  })
}

function groupOf({ key, clicks, human }: Figures['rows'][number], parts: AnswerParts): AnalyticsRowDto {
  return { ...labelOf(key, parts), clicks, human, visitors: null }
}

function labelOf(
  key: string | null,
  { asked, slugs, shortUrlBase }: AnswerParts,
): Omit<AnalyticsRowDto, keyof CountsDto> {
  if (asked.group === 'city') {
    const [country, region, city] = key?.split(separator) ?? []
    return { key: city ?? null, country: country || null, region: region || null }
  }
  if (asked.group === 'link') {
    const slug = slugs.get(key!) ?? ''
    return { key: encodeId('lnk', key!), slug, short_url: shortUrl(shortUrlBase, slug) }
  }
  return { key: asked.group === 'source' ? (key ?? 'link') : key }
}

/** By tag a click may count in several rows, so there is no rest. */
function otherOf({ asked, figures }: AnswerParts): CountsDto | null {
  if (asked.group === 'tag') return null
  const shown = sumOf(figures.rows)
  const clicks = figures.totals.clicks - shown.clicks
  return clicks > 0 ? { clicks, human: figures.totals.human - shown.human, visitors: null } : null
}

function sumOf(counts: readonly ClickCount[]): ClickCount {
  return counts.reduce<ClickCount>(
    (sum, { clicks, human }) => ({ clicks: sum.clicks + clicks, human: sum.human + human }),
    nothing,
  )
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

const columns = ['clicks', 'human', 'visitors'] as const

/** The same response as CSV. The first column is the kind of the row. */
export function csvOf({ meta, totals, previous, data, other }: AnalyticsDto): string {
  const labels = labelColumns(meta.group_by)
  const line = (kind: string, counts: CountsDto, row?: AnalyticsRowDto) =>
    csvLine([kind, ...labels.map(({ of }) => row?.[of] ?? null), ...columns.map((column) => counts[column])])
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
  if (group === 'time') return [{ name: 'start', of: 'start' }] as const
  const key = { name: group, of: 'key' } as const
  if (group === 'city')
    return [key, { name: 'country', of: 'country' }, { name: 'region', of: 'region' }] as const
  if (group === 'link')
    return [key, { name: 'slug', of: 'slug' }, { name: 'short_url', of: 'short_url' }] as const
  return [key]
}
