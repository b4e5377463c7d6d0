/**
 * Decides where a response is read: in the counts as far as they go, and in the clicks for the rest. Counts are stored
 * by quarter of an hour (totals), by hour (a dimension of a workspace), by day of UTC and by month.
 */
import { dayMs } from '../../platform/util/days.js'
import type { Dimension } from '../dimensions.js'
import type { TimeRange } from './range.js'
import { hourMs } from './zoned-time.js'

const quarterMs = hourMs / 4

export interface Question {
  range: TimeRange
  /** The beginnings of the points of a series. */
  buckets: readonly number[] | null
  /** Whether the workspace is counted, or links of it. */
  of: 'workspace' | 'links'
  /** The dimensions that group or filter, without the links that are counted. */
  dimensions: readonly Dimension[]
  /** Days of UTC on which a wanted value has no count of its own, in the order of time. */
  truncatedDays: readonly number[]
  /** All counted clicks are earlier. */
  countedUntil: number
}

/** Counts whose time begins within this range. They are added, or subtracted with the sign -1. */
export interface Segment extends TimeRange {
  grain: 'quarter' | 'hour' | 'day' | 'month'
  sign: 1 | -1
}

export interface ReadingPlan {
  totals: Segment[]
  /** Counts by the values of the dimension. */
  values: Segment[]
  /** Parts of the range that are read click by click. */
  raw: TimeRange[]
  /** The range that needs no single clicks; null if there is none. */
  aligned: TimeRange | null
}

export function readingPlan(question: Question, now: number): ReadingPlan {
  const { buckets, dimensions, truncatedDays, countedUntil } = question
  const piece = pieceOf(question)
  // A piece without counted clicks after the range can be read as a whole, such as today.
  const end = Math.ceil(question.range.end / piece) * piece
  const range = question.range.end >= countedUntil ? { ...question.range, end } : question.range
  // The first bucket may begin before the range.
  const cuts = buckets?.slice(1) ?? []
  if (dimensions.length > 1 || cuts.some((cut) => cut % piece !== 0))
    return { totals: [], values: [], raw: [range], aligned: null }
  const truncated = truncatedDays.map((day) => ({ start: day, end: day + dayMs }))
  const counted = gaps(range, truncated).flatMap((part) => wholePieces(part, piece) ?? [])
  const hasWholeDays = cuts.every((cut) => cut % dayMs === 0)
  const hasMonths = buckets === null
  return {
    totals: counted.flatMap((part) =>
      bySegments(part, 'quarter', hasWholeDays, (days) => [{ ...days, grain: 'day', sign: 1 }]),
    ),
    values:
      dimensions.length === 0
        ? []
        : counted.flatMap((part) =>
            bySegments(part, 'hour', hasWholeDays, (days) =>
              hasMonths ? byMonths(days, now) : [{ ...days, grain: 'day', sign: 1 }],
            ),
          ),
    raw: gaps(range, counted),
    aligned:
      truncated.length > 0
        ? null
        : { start: Math.floor(range.start / piece) * piece, end: Math.ceil(range.end / piece) * piece },
  }
}

/** The length of the shortest pieces that counts tell apart. */
function pieceOf({ of, dimensions }: Question): number {
  if (dimensions.length === 0) return quarterMs
  return of === 'workspace' ? hourMs : dayMs
}

/** The part of a range that consists of whole pieces. */
function wholePieces({ start, end }: TimeRange, piece: number): TimeRange | null {
  const whole = { start: Math.ceil(start / piece) * piece, end: Math.floor(end / piece) * piece }
  return whole.start < whole.end ? whole : null
}

/** What is left of a range without the given parts, which are in the order of time. */
function gaps({ start, end }: TimeRange, parts: readonly TimeRange[]): TimeRange[] {
  const left: TimeRange[] = []
  let from = start
  for (const part of parts) {
    left.push({ start: from, end: Math.min(part.start, end) })
    from = Math.max(from, part.end)
  }
  left.push({ start: from, end })
  return left.filter((range) => range.start < range.end)
}

function bySegments(
  range: TimeRange,
  grain: 'quarter' | 'hour',
  hasWholeDays: boolean,
  segmentsOfDays: (days: TimeRange) => Segment[],
): Segment[] {
  const days = hasWholeDays ? wholePieces(range, dayMs) : null
  if (!days) return [{ ...range, grain, sign: 1 }]
  return [
    ...gaps(range, [days]).map((rest) => ({ ...rest, grain, sign: 1 as const })),
    ...segmentsOfDays(days),
  ]
}

/**
 * A month is read as a whole where fewer of its days are outside the range than inside; the days outside are then
 * subtracted. Days after `now` have hardly any counts, so reading them costs nothing.
 */
function byMonths(days: TimeRange, now: number): Segment[] {
  const segments: Segment[] = []
  for (let start = startOfMonth(days.start, 0); start < days.end; start = startOfMonth(start, 1)) {
    const month = { start, end: startOfMonth(start, 1) }
    const inside = { start: Math.max(start, days.start), end: Math.min(month.end, days.end) }
    const outside = gaps(month, [inside])
    const passed = outside.reduce((sum, part) => sum + Math.max(0, Math.min(part.end, now) - part.start), 0)
    if (passed < inside.end - inside.start)
      segments.push(
        { ...month, grain: 'month', sign: 1 },
        ...outside.map((part) => ({ ...part, grain: 'day' as const, sign: -1 as const })),
      )
    else segments.push({ ...inside, grain: 'day', sign: 1 })
  }
  return segments
}

function startOfMonth(time: number, later: number): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
}
