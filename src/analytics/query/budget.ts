/** Refuses questions that need clicks that are no longer there, or more clicks than one call may read. */
import { Problem } from '../../platform/http/problems/problem.js'
import { analyticsProblems } from '../analytics-problems.js'
import { dayMs } from '../../platform/util/days.js'
import type { Dimension } from '../dimensions.js'
import { mostClicksRead } from '../limits.js'
import { pieceOf } from './reading-plan.js'
import type { ReadingPlan } from './reading-plan.js'
import type { TimeRange } from './range.js'
import { hourMs } from './zoned-time.js'

interface Reading {
  range: TimeRange
  /** The parts of `range` that are read click by click. */
  read: readonly TimeRange[]
  plan: ReadingPlan
  of: 'workspace' | 'links'
  dimensions: readonly Dimension[]
  keptFrom: Date | null
}

type ClicksByDay = (range: TimeRange) => Promise<Map<number, number>>

export async function refuseTooMuch(reading: Reading, clicksByDay: ClicksByDay): Promise<void> {
  refuseDropped(reading)
  const days = new Map<number, number>()
  for (const range of reading.read)
    for (const [day, clicks] of await clicksByDay(range)) days.set(day, clicks)
  const all = [...days.values()].reduce((sum, clicks) => sum + clicks, 0)
  if (all <= mostClicksRead) return
  const fits = reading.plan.kind === 'clicks' ? widestOf(reading.range, days) : alignedOf(reading)
  throw new Problem(analyticsProblems.range_too_large, {
    detail: `This needs about ${all.toLocaleString('en')} clicks to be read one by one, and ${mostClicksRead.toLocaleString('en')} may be. ${
      fits
        ? `The widest range that fits is start=${iso(fits.start)}&end=${iso(fits.end)}.`
        : 'Leave out filters, or group by one of them.'
    }`,
    more: { fits: fits && { start: iso(fits.start), end: iso(fits.end) } },
  })
}

function refuseDropped(reading: Reading): void {
  const { range, read, plan, keptFrom } = reading
  if (!keptFrom || read.every(({ start }) => start >= keptFrom.getTime())) return
  const kept = { start: Math.max(range.start, keptFrom.getTime()), end: range.end }
  const fits = plan.kind === 'rolled' ? alignedOf(reading) : kept.start < kept.end ? kept : null
  throw new Problem(analyticsProblems.range_not_kept, {
    detail: `Clicks from before ${iso(keptFrom.getTime())} are only kept as figures. ${
      fits
        ? `What fits is start=${iso(fits.start)}&end=${iso(fits.end)}.`
        : 'Leave out filters, or ask for a later range.'
    }`,
    more: { fits: fits && { start: iso(fits.start), end: iso(fits.end) } },
  })
}

/** The range, widened to edges that the breakdowns have. */
function alignedOf({ range, of, dimensions }: Reading): TimeRange {
  const piece = pieceOf({ of, dimensions })
  return { start: Math.floor(range.start / piece) * piece, end: Math.ceil(range.end / piece) * piece }
}

/** The longest range of days before the same end that does not have too many clicks, or its last hour. */
function widestOf({ end }: TimeRange, days: ReadonlyMap<number, number>): TimeRange | null {
  let start = Math.ceil(end / dayMs) * dayMs
  let clicks = 0
  for (const day of [...days.keys()].sort((a, b) => b - a)) {
    clicks += days.get(day)!
    if (clicks > mostClicksRead) break
    start = day
  }
  return start < end ? { start, end } : { start: end - hourMs, end }
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
