/** From figures to the answer: names in place of keys, zeros where nothing was, and what is left over. */
import { encodeId } from '../../platform/database/ids.js'
import { shortUrl } from '../../links/slug.js'
import { linkOfKey, separator } from '../dimensions.js'
import { AnalyticsDto } from './analytics.dto.js'
import type { AnalyticsRowDto, CountsDto } from './analytics.dto.js'
import type { Count, Figures } from './analytics.repository.js'
import type { People } from './people.js'
import type { Asked, Times } from './request.js'

interface Parts {
  asked: Asked
  times: Times
  now: number
  figures: Figures
  people: People | null
  previous: Figures | null
  previousPeople: People | null
  before: Count | null
  /** Slugs by the ids of links. */
  links: ReadonlyMap<string, string>
  shortUrlBase: string
}

const nothing: Count = { clicks: 0, human: 0 }

export function answerOf(parts: Parts): AnalyticsDto {
  const { asked, times, figures, people, previous, previousPeople, before, now } = parts
  const { range, unit } = times
  const totals = sumOf([figures.totals, before ?? nothing])
  return Object.assign(new AnalyticsDto(), {
    meta: {
      start: iso(range.start),
      end: iso(range.end),
      timezone: asked.timezone,
      granularity: unit,
      group_by: asked.isSeries ? 'time' : asked.group,
      as_of: iso(now),
    },
    totals: { ...totals, visitors: people?.(range) ?? null },
    previous: previous && { ...previous.totals, visitors: previousPeople?.(times.previous!) ?? null },
    data: times.buckets ? seriesOf(parts, times.buckets) : figures.rows.map((row) => groupOf(row, parts)),
    other: asked.group === null ? null : otherOf(parts),
    before: before && { ...before, visitors: null },
  })
}

function seriesOf({ figures, people, times }: Parts, buckets: readonly number[]): AnalyticsRowDto[] {
  const counts = new Map(figures.rows.map(({ bucket, clicks, human }) => [bucket, { clicks, human }]))
  const { range } = times
  return buckets.map((start, index) => {
    const end = Math.min(buckets[index + 1] ?? Infinity, range.end)
    const visitors = people?.({ start: Math.max(start, range.start), end }) ?? null
    return { start: iso(start), ...(counts.get(index + 1) ?? nothing), visitors }
  })
}

function groupOf({ key, clicks, human }: Figures['rows'][number], parts: Parts): AnalyticsRowDto {
  return { ...labelOf(key, parts), clicks, human, visitors: null }
}

function labelOf(
  key: string | null,
  { asked, links, shortUrlBase }: Parts,
): Omit<AnalyticsRowDto, keyof CountsDto> {
  if (asked.group === 'city') {
    const [country, region, city] = key?.split(separator) ?? []
    return { key: city ?? null, country: country || null, region: region || null }
  }
  if (asked.group === 'link') {
    const id = linkOfKey(key!)
    const slug = links.get(id) ?? ''
    return { key: encodeId('lnk', id), slug, short_url: shortUrl(shortUrlBase, slug) }
  }
  return { key: asked.group === 'source' ? (key ?? 'link') : key }
}

/** By tag a click may count for several rows, so what is left over has no sum. */
function otherOf({ asked, figures }: Parts): CountsDto | null {
  if (asked.group === 'tag') return null
  const shown = sumOf(figures.rows)
  const clicks = figures.totals.clicks - shown.clicks
  return clicks > 0 ? { clicks, human: figures.totals.human - shown.human, visitors: null } : null
}

function sumOf(counts: readonly Count[]): Count {
  return counts.reduce<Count>(
    (sum, { clicks, human }) => ({ clicks: sum.clicks + clicks, human: sum.human + human }),
    nothing,
  )
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
