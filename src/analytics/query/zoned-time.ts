/**
 * Computes the start of hours, days, weeks and months in a time zone, by the rules of Node.js. A day may have 23 or 25
 * hours, start at 01:00 or not exist. An hour starts where the local time reaches or skips a full hour.
 */
import { LRUCache } from 'lru-cache'

import { dayMs } from '../../platform/util/clock.js'

export const units = ['hour', 'day', 'week', 'month'] as const
export type Unit = (typeof units)[number]

export const hourMs = 3_600_000
const minuteMs = 60_000

/** Maximum number of cached offsets. Computing one takes 10 µs. */
const maxOffsets = 20_000

/** By the canonical name of a zone, because case does not matter in names, and some zones have aliases. */
const zones = new LRUCache<string, ZonedTime>({ max: 100 })

/** Returns null if this is not the name of a time zone. */
export function createZonedTime(zone: string): ZonedTime | null {
  const name = findUsualName(zone)
  if (name === null) return null
  const cached = zones.get(name)
  if (cached) return cached
  const created = new ZonedTime(name)
  zones.set(name, created)
  return created
}

function findUsualName(zone: string): string | null {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,49}$/.test(zone)) return null
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export class ZonedTime {
  private readonly format: Intl.DateTimeFormat
  private readonly offsets = new Map<number, number>()

  constructor(zone: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    })
  }

  /** Returns the start of the unit that contains this time. */
  findStart(unit: Unit, time: number): number {
    if (unit !== 'hour') return this.findFirstInstant(floorToUnit(unit, this.toLocal(time)))
    let start = this.findStart('day', time)
    for (let next = start; next <= time; next = this.findNextStart('hour', start)) start = next
    return start
  }

  /** Returns the start of the unit after the one that starts at `start`. */
  findNextStart(unit: Unit, start: number): number {
    return unit === 'hour' ? this.nextHour(start) : this.shiftTime(unit, start, 1)
  }

  /** Returns the start of the unit that is `count` units after the one that contains this time. May be negative. */
  shiftTime(unit: Exclude<Unit, 'hour'>, time: number, count: number): number {
    const local = new Date(floorToUnit(unit, this.toLocal(time)))
    if (unit === 'month') local.setUTCMonth(local.getUTCMonth() + count)
    else local.setUTCDate(local.getUTCDate() + (unit === 'week' ? 7 : 1) * count)
    return this.findFirstInstant(local.getTime())
  }

  /** Returns the first time at which the local time is `local`, given as if it were UTC, or skips it. */
  findFirstInstant(local: number): number {
    const [before, after] = [this.getOffset(local - dayMs), this.getOffset(local + dayMs)]
    const earlier = local - Math.max(before, after)
    const later = local - Math.min(before, after)
    if (this.toLocal(earlier) === local) return earlier
    if (this.toLocal(later) === local) return later
    // This local time is skipped.
    return this.findTransition(earlier - minuteMs, later)
  }

  /** Returns the local time as if it were UTC. */
  toLocal(time: number): number {
    return time + this.getOffset(time)
  }

  private nextHour(start: number): number {
    const offset = this.getOffset(start)
    const full = start + hourMs - modulo(start + offset, hourMs)
    const offsetAfter = this.getOffset(full)
    if (offsetAfter === offset) return full
    const jump = this.findTransition(start, full)
    const [before, after] = [jump + offset, jump + offsetAfter]
    const passesFullHour = after > before && Math.floor(after / hourMs) * hourMs >= before
    if (modulo(after, hourMs) === 0 || passesFullHour) return jump
    return jump + hourMs - modulo(after, hourMs)
  }

  /** Returns the time at which the offset changes. It must change exactly once between `before` and `after`. */
  private findTransition(before: number, after: number): number {
    const offset = this.getOffset(before)
    let [low, high] = [Math.floor(before / minuteMs), Math.ceil(after / minuteMs)]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.getOffset(middle * minuteMs) === offset) low = middle
      else high = middle
    }
    return high * minuteMs
  }

  /** Returns the offset, cached by minute because offsets change only at full minutes. */
  private getOffset(time: number): number {
    const minute = Math.floor(time / minuteMs)
    let offset = this.offsets.get(minute)
    if (offset === undefined) {
      if (this.offsets.size === maxOffsets) this.offsets.clear()
      this.offsets.set(minute, (offset = this.computeOffset(minute * minuteMs)))
    }
    return offset
  }

  private computeOffset(time: number): number {
    const parts = new Map(this.format.formatToParts(time).map(({ type, value }) => [type, value]))
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
    const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year')
    const local = new Date(0)
    local.setUTCFullYear(year, number('month') - 1, number('day'))
    local.setUTCHours(number('hour'), number('minute'), number('second'))
    return local.getTime() - time
  }
}

/** Rounds a local time down to its unit. */
function floorToUnit(unit: Exclude<Unit, 'hour'>, local: number): number {
  const day = Math.floor(local / dayMs) * dayMs
  if (unit === 'day') return day
  const date = new Date(day)
  // Weeks start on Monday.
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  else date.setUTCDate(1)
  return date.getTime()
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor
}
