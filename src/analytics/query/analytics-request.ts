/** Parses and validates the query of an analytics request. Reports all errors together. */
import { decodeId, noId } from '../../platform/database/ids.js'
import type { FieldErrorCode } from '../../field-errors.js'
import { throwIfInvalid } from '../../platform/http/input/input.pipe.js'
import type { InputError } from '../../platform/http/problems/problem.js'
import { dimensions } from '../dimensions.js'
import type { Dimension } from '../dimensions.js'
import { defaultRows, maxBuckets, maxFilterValues } from '../limits.js'
import type { Sort } from './figures-statement.js'
import type { AnalyticsQuery } from './analytics-query.dto.js'
import { createBuckets, parseTime, previousRange, resolveInterval, chooseUnit } from './range.js'
import type { Interval, TimeRange } from './range.js'
import { createZonedTime } from './zoned-time.js'
import type { Unit, ZonedTime } from './zoned-time.js'

export interface AnalyticsRequest {
  interval: Interval | null
  range: TimeRange | null
  zone: ZonedTime
  timezone: string
  isSeries: boolean
  unit: Unit | null
  group: Dimension | 'tag' | null
  filters: ReadonlyMap<Dimension, readonly (string | null)[]>
  /** Lists of tags. A link must have at least one tag of each list. */
  tags: readonly (readonly string[])[] | null
  sort: Sort
  limit: number
  compares: boolean
}

export interface RequestTimes {
  range: TimeRange
  unit: Unit | null
  buckets: number[] | null
  previous: TimeRange | null
}

/** Time zones have no rules outside these years. */
const earliest = Date.UTC(1990, 0)
const latest = Date.UTC(2100, 0)

export function parseAnalyticsRequest(query: AnalyticsQuery): AnalyticsRequest {
  const errors: InputError[] = []
  const addError = (parameter: string, code: FieldErrorCode, detail: string) =>
    errors.push({ parameter, code, detail })
  const timezone = query.timezone ?? 'UTC'
  const zone = createZonedTime(timezone)
  if (!zone) addError('timezone', 'unknown_timezone', 'Must be an IANA time zone, such as Europe/Berlin.')
  const range = zone && requestedRange(query, zone, addError)
  const isSeries = query.group_by === 'time'
  if (query.granularity !== undefined && !isSeries)
    addError('granularity', 'incompatible', 'Requires group_by=time.')
  const filters = parseFilters(query)
  const count = [...filters.values(), query.tag ?? []].reduce((sum, { length }) => sum + length, 0)
  if (count > maxFilterValues)
    addError('filters', 'too_many', `Use at most ${maxFilterValues} values in all filters together.`)
  if (query.compare !== undefined && query.interval === 'all')
    addError(
      'compare',
      'incompatible',
      'Cannot be combined with interval=all. Use another interval, or start and end.',
    )
  throwIfInvalid('invalid_query', errors)
  return {
    interval: range ? null : (query.interval ?? '30d'),
    range,
    zone: zone!,
    timezone,
    isSeries,
    unit: query.granularity ?? null,
    group: isSeries ? null : ((query.group_by as Dimension | 'tag' | undefined) ?? null),
    filters,
    tags: query.tag ? [query.tag] : null,
    sort: query.sort ?? '-clicks',
    limit: query.limit === undefined ? defaultRows : Number(query.limit),
    compares: query.compare !== undefined,
  }
}

export function resolveTimes(request: AnalyticsRequest, now: number, firstClick: number): RequestTimes {
  const { interval, zone } = request
  const range = request.range ?? resolveInterval(interval!, zone, now, firstClick)
  const unit = request.isSeries ? (request.unit ?? chooseUnit(range)) : null
  const buckets = unit && createBuckets(range, unit, zone)
  if (unit && !buckets)
    throwIfInvalid('invalid_query', [
      {
        parameter: 'granularity',
        code: 'too_many_points',
        detail: `The response would have more than ${maxBuckets} points. Use a coarser granularity or a shorter range.`,
      },
    ])
  return { range, unit, buckets, previous: request.compares ? previousRange(range, interval, zone) : null }
}

type AddError = (parameter: string, code: FieldErrorCode, detail: string) => void

function requestedRange(query: AnalyticsQuery, zone: ZonedTime, addError: AddError): TimeRange | null {
  const { start, end, interval } = query
  if (start === undefined && end === undefined) return null
  if (interval !== undefined) {
    addError('interval', 'incompatible', 'Use either interval, or start and end.')
    return null
  }
  if (start === undefined || end === undefined) {
    addError(start === undefined ? 'start' : 'end', 'required', 'Use start and end together, or an interval.')
    return null
  }
  const range = { start: parseTime(start, zone), end: parseTime(end, zone) }
  for (const name of ['start', 'end'] as const)
    if (range[name] === null || range[name] < earliest || range[name] > latest)
      addError(
        name,
        'invalid_time',
        'Must be a date, or a time such as 2026-01-31T12:00:00Z, in the years 1990 to 2099.',
      )
  if (range.start === null || range.end === null) return null
  if (range.start >= range.end)
    addError('end', 'before_start', 'Must be later than start. A date means 00:00 in timezone.')
  return range as TimeRange
}

/** Returns the filter values by dimension. An empty value in the query filters by unknown values. */
function parseFilters(query: AnalyticsQuery): Map<Dimension, readonly (string | null)[]> {
  const filters = new Map<Dimension, readonly (string | null)[]>()
  for (const dimension of dimensions) {
    if (dimension === 'link') continue
    const values = query[dimension]
    if (values)
      filters.set(
        dimension,
        values.map((value) => parseKey(dimension, value)),
      )
  }
  if (query.link_id)
    filters.set(
      'link',
      query.link_id.map((id) => decodeId('lnk', id) ?? noId),
    )
  return filters
}

function parseKey(dimension: Dimension, value: string): string | null {
  // Visits through the link itself are stored as null to save space. A source is never unknown.
  if (dimension === 'source') return value === 'link' ? null : value
  return value === '' ? null : value
}
