/**
 * Where the figures of an answer are read: in the breakdowns as far as they go, in the clicks for what is left. A
 * breakdown knows one dimension at a time, in pieces of a quarter of an hour (no dimension), an hour (of a workspace)
 * or a day of UTC (of a link). Long ranges are read from the months of a link, or from the running sums of a workspace.
 */
import { dayMs } from '../../platform/util/days.js'
import type { Dimension, Grain } from '../dimensions.js'
import type { TimeRange } from './range.js'
import { hourMs } from './zoned-time.js'

const quarterMs = hourMs / 4

export interface Question {
  range: TimeRange
  /** The beginnings of the pieces of a series. */
  buckets: readonly number[] | null
  /** What is counted: the workspace, or links of it. */
  of: 'workspace' | 'links'
  /** The dimensions that group or filter, without the links that are counted. */
  dimensions: readonly Dimension[]
}

/** Rows of one grain whose time begins within this range. */
export interface Segment extends TimeRange {
  grain: Grain
}

/** The running sum of a day, which is added or taken off. */
export interface RunningSum {
  day: number
  sign: 1 | -1
}

/** How far month rows and running sums have been made: the beginnings of the first month and day without one. */
export interface MadeUntil {
  months: number
  sums: number
}

interface RolledPlan {
  kind: 'rolled'
  dimension: Dimension | null
  /** What the breakdowns answer; null where the range is shorter than their pieces. */
  inner: TimeRange | null
  /** The rows with the keys of the dimension within `inner`. */
  segments: readonly Segment[]
  sums: readonly RunningSum[]
  /** What is left of the range at both ends. */
  edges: readonly TimeRange[]
}

export type ReadingPlan = RolledPlan | { kind: 'clicks' }

export function readingPlan(question: Question, until: MadeUntil): ReadingPlan {
  const { range, buckets, dimensions } = question
  const [dimension = null, ...others] = dimensions
  const piece = pieceOf(question)
  // The first piece may begin before the range.
  const cuts = buckets?.slice(1) ?? []
  if (others.length > 0 || !cuts.every((cut) => cut % piece === 0)) return { kind: 'clicks' }
  const inner = innerOf(range, piece)
  const edges = inner
    ? [
        { start: range.start, end: inner.start },
        { start: inner.end, end: range.end },
      ].filter(({ start, end }) => start < end)
    : [range]
  const rows = inner && dimension ? rowsOf(inner, question, until) : { segments: [], sums: [] }
  return { kind: 'rolled', dimension, inner, ...rows, edges }
}

/** The length of the shortest pieces that the breakdowns can tell apart. */
export function pieceOf({ of, dimensions }: Pick<Question, 'of' | 'dimensions'>): number {
  if (dimensions.length === 0) return quarterMs
  return of === 'workspace' ? hourMs : dayMs
}

/** The part of a range that is whole pieces. */
function innerOf({ start, end }: TimeRange, piece: number): TimeRange | null {
  const inner = { start: Math.ceil(start / piece) * piece, end: Math.floor(end / piece) * piece }
  return inner.start < inner.end ? inner : null
}

function rowsOf(
  inner: TimeRange,
  { of, buckets }: Question,
  until: MadeUntil,
): Pick<RolledPlan, 'segments' | 'sums'> {
  const days = isWholeDays(buckets) ? innerOf(inner, dayMs) : null
  const long = buckets === null ? days : null
  const months = long && of === 'links' ? monthsWithin(long, until.months) : null
  const summed = long && of === 'workspace' ? daysWithSums(long, until.sums) : null
  const pieces: Segment[] = [
    ...outside(inner, days).map((range) => ({ ...range, grain: 'hour' as const })),
    ...(days ? outside(days, months ?? summed).map((range) => ({ ...range, grain: 'day' as const })) : []),
    ...(months ? [{ ...months, grain: 'month' as const }] : []),
  ]
  return {
    // A link has no rows of hours and needs none, because its pieces are days.
    segments: pieces.filter(
      ({ start, end, grain }) => start < end && (grain !== 'hour' || of === 'workspace'),
    ),
    sums: summed ? sumsOf(summed) : [],
  }
}

export function isWholeDays(buckets: readonly number[] | null): boolean {
  return buckets === null || buckets.slice(1).every((start) => start % dayMs === 0)
}

function outside(whole: TimeRange, within: TimeRange | null): TimeRange[] {
  if (!within) return [whole]
  return [
    { start: whole.start, end: within.start },
    { start: within.end, end: whole.end },
  ]
}

/** The days to read from running sums. Null when they have no more rows than their sums. */
function daysWithSums({ start, end }: TimeRange, until: number): TimeRange | null {
  const days = { start, end: Math.min(end, until) }
  return sumsOf(days).length < (days.end - days.start) / dayMs ? days : null
}

/** The sum of its last day stands for a month. The days before the start are taken off the first month. */
function sumsOf({ start, end }: TimeRange): RunningSum[] {
  const sums: RunningSum[] = []
  if (start < end && new Date(start).getUTCDate() > 1) sums.push({ day: start - dayMs, sign: -1 })
  for (let from = start; from < end;) {
    const month = new Date(from)
    from = Math.min(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1), end)
    sums.push({ day: from - dayMs, sign: 1 })
  }
  return sums
}

function monthsWithin({ start, end }: TimeRange, until: number): TimeRange | null {
  const first = new Date(start)
  const begin = first.getUTCDate() === 1 ? start : Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1)
  const last = new Date(Math.min(end, until))
  const stop = Date.UTC(last.getUTCFullYear(), last.getUTCMonth())
  return begin < stop ? { start: begin, end: stop } : null
}
