/** Rejects queries that need dropped clicks, or more individual clicks than one request may read. */
import { Problem } from '../../platform/http/problems/problem.js'
import { dayMs } from '../../platform/util/clock.js'
import { maxClicksRead } from '../limits.js'
import type { TimeRange } from './range.js'
import type { ReadingPlan } from './reading-plan.js'
import { hourMs } from './zoned-time.js'

/** `clicksByDay` counts the individual clicks that would be read in a range. */
export async function rejectTooManyClicks(
  range: TimeRange,
  { raw, aligned }: ReadingPlan,
  { keptFrom, showsNumber }: { keptFrom: Date | null; showsNumber: boolean },
  clicksByDay: (range: TimeRange) => Promise<Map<number, number>>,
): Promise<void> {
  if (keptFrom) rejectDroppedClicks(range, raw, aligned, keptFrom.getTime())
  const days = new Map<number, number>()
  for (const part of raw)
    for (const [day, clicks] of await clicksByDay(part)) days.set(day, (days.get(day) ?? 0) + clicks)
  const all = [...days.values()].reduce((sum, clicks) => sum + clicks, 0)
  if (all <= maxClicksRead) return
  const fits = aligned ?? findWidestRange(range, days)
  throw new Problem('range_too_large', {
    detail: `This query needs ${showsNumber ? `about ${all.toLocaleString('en')}` : 'too many'} individual clicks, and at most ${maxClicksRead.toLocaleString('en')} can be read. The widest range that fits is ${formatRange(fits)}.`,
    more: { fits: toIsoRange(fits) },
  })
}

function rejectDroppedClicks(
  range: TimeRange,
  raw: readonly TimeRange[],
  aligned: TimeRange | null,
  keptFrom: number,
): void {
  if (raw.every(({ start }) => start >= keptFrom)) return
  const fits = aligned ?? (keptFrom < range.end ? { start: keptFrom, end: range.end } : null)
  throw new Problem('range_not_kept', {
    detail: `Individual clicks from before ${new Date(keptFrom).toISOString()} are no longer kept. ${
      fits ? `A range that fits is ${formatRange(fits)}.` : 'Remove filters, or use a later range.'
    }`,
    more: { fits: fits && toIsoRange(fits) },
  })
}

/** Returns the longest range of whole days with the same end that fits the limit, or the last hour of the range. */
function findWidestRange({ start, end }: TimeRange, days: ReadonlyMap<number, number>): TimeRange {
  let clicks = 0
  for (const day of [...days.keys()].sort((a, b) => b - a)) {
    clicks += days.get(day)!
    if (clicks > maxClicksRead)
      return { start: day + dayMs < end ? day + dayMs : Math.max(start, end - hourMs), end }
  }
  return { start, end }
}

function formatRange(range: TimeRange): string {
  const { start, end } = toIsoRange(range)
  return `start=${start}&end=${end}`
}

function toIsoRange({ start, end }: TimeRange) {
  return { start: new Date(start).toISOString(), end: new Date(end).toISOString() }
}
