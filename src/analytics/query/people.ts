/** Visitors are counted once a day of UTC, and added up over days: of anything but whole days nothing is known. */
import type { Range } from './range.js'
import { dayMs } from './zoned-time.js'

/** How many visitors there were in a range; null where it is not whole days. */
export type People = (range: Range) => number | null

export function isWholeUtcDays({ start, end }: Range): boolean {
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
