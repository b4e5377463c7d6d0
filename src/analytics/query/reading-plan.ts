/**
 * Where the figures of an answer are read: in the breakdowns as far as they go, in the clicks for what is left. A
 * breakdown knows one dimension at a time, in pieces of a quarter of an hour (no dimension), an hour (of a workspace) or
 * a day of UTC (of a link).
 */
import type { Dimension, Grain } from '../dimensions.js'
import type { Range } from './range.js'
import { dayMs, hourMs } from './zoned-time.js'

const quarterMs = hourMs / 4

export interface Question {
  range: Range
  /** When the pieces of a series begin. */
  buckets: readonly number[] | null
  /** What is counted: the workspace, or links of it. */
  of: 'workspace' | 'links'
  /** What groups or filters, beside the links that are counted. */
  dimensions: readonly Dimension[]
}

/** Rows of one grain, by when their time begins. */
export interface Segment extends Range {
  grain: Grain
}

interface RolledPlan {
  kind: 'rolled'
  dimension: Dimension | null
  /** What the breakdowns answer; null where the range is shorter than their pieces. */
  inner: Range | null
  /** The rows that have the keys of the dimension within it. */
  segments: readonly Segment[]
  /** What is left of the range at both ends. */
  edges: readonly Range[]
}

export type ReadingPlan = RolledPlan | { kind: 'clicks' }

/** `monthsUntil` is when the first month begins that is not put together yet. */
export function readingPlan(question: Question, monthsUntil: number): ReadingPlan {
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
  const segments = inner && dimension ? segmentsOf(inner, question, monthsUntil) : []
  return { kind: 'rolled', dimension, inner, segments, edges }
}

/** The length of the pieces that can be told apart. */
export function pieceOf({ of, dimensions }: Pick<Question, 'of' | 'dimensions'>): number {
  if (dimensions.length === 0) return quarterMs
  return of === 'workspace' ? hourMs : dayMs
}

/** The part of a range that is whole pieces. */
function innerOf({ start, end }: Range, piece: number): Range | null {
  const inner = { start: Math.ceil(start / piece) * piece, end: Math.floor(end / piece) * piece }
  return inner.start < inner.end ? inner : null
}

function segmentsOf(inner: Range, { of, buckets }: Question, monthsUntil: number): Segment[] {
  const days = isWholeDays(buckets) ? innerOf(inner, dayMs) : null
  const months = buckets === null && days ? monthsWithin(days, monthsUntil) : null
  const pieces: Segment[] = [
    ...outside(inner, days).map((range) => ({ ...range, grain: 'hour' as const })),
    ...(days ? outside(days, months).map((range) => ({ ...range, grain: 'day' as const })) : []),
    ...(months ? [{ ...months, grain: 'month' as const }] : []),
  ]
  // A link has no hours, and needs none: its pieces are days.
  return pieces.filter(({ start, end, grain }) => start < end && (grain !== 'hour' || of === 'workspace'))
}

export function isWholeDays(buckets: readonly number[] | null): boolean {
  return buckets === null || buckets.slice(1).every((start) => start % dayMs === 0)
}

function outside(whole: Range, within: Range | null): Range[] {
  if (!within) return [whole]
  return [
    { start: whole.start, end: within.start },
    { start: within.end, end: whole.end },
  ]
}

function monthsWithin({ start, end }: Range, until: number): Range | null {
  const first = new Date(start)
  const begin = first.getUTCDate() === 1 ? start : Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1)
  const last = new Date(Math.min(end, until))
  const stop = Date.UTC(last.getUTCFullYear(), last.getUTCMonth())
  return begin < stop ? { start: begin, end: stop } : null
}
