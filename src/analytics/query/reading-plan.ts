/**
 * Decides which stored counts and which individual clicks a response is read from. Counts are stored by quarter hour
 * (totals), by hour (dimensions of a workspace), by UTC day and by UTC month.
 */
import { dayMs } from '../../platform/util/clock.js'
import type { Dimension } from '../dimensions.js'
import type { TimeRange } from './range.js'
import { hourMs } from './zoned-time.js'

const quarterMs = hourMs / 4

export interface PlanInput {
  range: TimeRange
  /** Start of each point of a series. */
  buckets: readonly number[] | null
  /** Whether the counts of the workspace or of links are read. */
  countsOf: 'workspace' | 'links'
  /** Dimensions of the group and the filters, except links that are read from their own counts. */
  dimensions: readonly Dimension[]
  /** UTC days on which a filtered value was not counted separately, in ascending order. */
  truncatedDays: readonly number[]
  /** End of the last quarter hour with a counted click. */
  countedUntil: number
}

/** Stored counts whose time starts in this range, to be added or, with sign -1, subtracted. */
export interface Segment extends TimeRange {
  grain: 'quarter' | 'hour' | 'day' | 'month'
  sign: 1 | -1
}

export interface ReadingPlan {
  totals: Segment[]
  /** Counts by value of the dimension. */
  values: Segment[]
  /** Parts of the range that are read from individual clicks. */
  raw: TimeRange[]
  /** The closest range that needs no individual clicks, or null if there is none. */
  aligned: TimeRange | null
}

export function createReadingPlan(input: PlanInput, now: number): ReadingPlan {
  const { buckets, dimensions, truncatedDays, countedUntil } = input
  const piece = getPieceLength(input)
  // The last piece can be read completely if it has no counted clicks after the range. An example is the current day.
  const end = Math.ceil(input.range.end / piece) * piece
  const range = input.range.end >= countedUntil ? { ...input.range, end } : input.range
  // The first bucket may start before the range.
  const cuts = buckets?.slice(1) ?? []
  if (dimensions.length > 1 || cuts.some((cut) => cut % piece !== 0))
    return { totals: [], values: [], raw: [range], aligned: null }
  const truncated = truncatedDays.map((day) => ({ start: day, end: day + dayMs }))
  const counted = findGaps(range, truncated).flatMap((part) => alignRange(part, piece) ?? [])
  const hasWholeDays = cuts.every((cut) => cut % dayMs === 0)
  const hasMonths = buckets === null
  return {
    totals: counted.flatMap((part) =>
      splitIntoSegments(part, 'quarter', hasWholeDays, (days) => [{ ...days, grain: 'day', sign: 1 }]),
    ),
    values:
      dimensions.length === 0
        ? []
        : counted.flatMap((part) =>
            splitIntoSegments(part, 'hour', hasWholeDays, (days) =>
              hasMonths ? splitIntoMonths(days, now) : [{ ...days, grain: 'day', sign: 1 }],
            ),
          ),
    raw: findGaps(range, counted),
    aligned:
      truncated.length > 0
        ? null
        : { start: Math.floor(range.start / piece) * piece, end: Math.ceil(range.end / piece) * piece },
  }
}

/** Returns the resolution of the stored counts. */
function getPieceLength({ countsOf, dimensions }: PlanInput): number {
  if (dimensions.length === 0) return quarterMs
  return countsOf === 'workspace' ? hourMs : dayMs
}

/** Returns the part of a range that consists of whole pieces. */
function alignRange({ start, end }: TimeRange, piece: number): TimeRange | null {
  const whole = { start: Math.ceil(start / piece) * piece, end: Math.floor(end / piece) * piece }
  return whole.start < whole.end ? whole : null
}

/** Returns the gaps between the parts of a range. The parts must be in ascending order. */
function findGaps({ start, end }: TimeRange, parts: readonly TimeRange[]): TimeRange[] {
  const found: TimeRange[] = []
  let from = start
  for (const part of parts) {
    found.push({ start: from, end: Math.min(part.start, end) })
    from = Math.max(from, part.end)
  }
  found.push({ start: from, end })
  return found.filter((range) => range.start < range.end)
}

function splitIntoSegments(
  range: TimeRange,
  grain: 'quarter' | 'hour',
  hasWholeDays: boolean,
  splitDays: (days: TimeRange) => Segment[],
): Segment[] {
  const days = hasWholeDays ? alignRange(range, dayMs) : null
  if (!days) return [{ ...range, grain, sign: 1 }]
  return [...findGaps(range, [days]).map((gap) => ({ ...gap, grain, sign: 1 as const })), ...splitDays(days)]
}

/**
 * Splits days into months and days. If a month has fewer days outside the range than inside, the whole month is read
 * and the days outside are subtracted. Days after `now` are ignored, because they have almost no counts.
 */
function splitIntoMonths(days: TimeRange, now: number): Segment[] {
  const segments: Segment[] = []
  for (let start = getMonthStart(days.start, 0); start < days.end; start = getMonthStart(start, 1)) {
    const month = { start, end: getMonthStart(start, 1) }
    const inside = { start: Math.max(start, days.start), end: Math.min(month.end, days.end) }
    const outside = findGaps(month, [inside])
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

function getMonthStart(time: number, addedMonths: number): number {
  const date = new Date(time)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + addedMonths)
}
