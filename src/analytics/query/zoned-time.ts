/**
 * Days, weeks and months as a time zone has them, by the rules that node knows. Days may have 23 or 25 hours, begin at
 * one o'clock, or be missing. Hours begin where the zone's clocks show a full hour, or jump over one.
 */
import { LRUCache } from 'lru-cache'

import { dayMs } from '../../platform/util/days.js'

export const units = ['hour', 'day', 'week', 'month'] as const
export type Unit = (typeof units)[number]

export const hourMs = 3_600_000
const minuteMs = 60_000

/** Offsets are remembered, because asking for one takes ten microseconds and the same days come again and again. */
const mostOffsets = 20_000

const known = new LRUCache<string, ZonedTime>({ max: 500 })

/** Null for what is no name of a zone. */
export function zonedTime(zone: string): ZonedTime | null {
  const found = known.get(zone)
  if (found) return found
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,49}$/.test(zone)) return null
  try {
    const made = new ZonedTime(zone)
    known.set(zone, made)
    return made
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

  /** The beginning of the unit that holds this moment. */
  startOf(unit: Unit, time: number): number {
    if (unit !== 'hour') return this.firstInstantOf(floor(unit, this.local(time)))
    let start = this.startOf('day', time)
    for (let next = start; next <= time; next = this.next('hour', start)) start = next
    return start
  }

  /** The beginning of the next unit after the one that began at `start`. */
  next(unit: Unit, start: number): number {
    return unit === 'hour' ? this.nextHour(start) : this.shift(unit, start, 1)
  }

  /** The beginning of the unit that is `by` units after the one that holds this moment, or before it. */
  shift(unit: Exclude<Unit, 'hour'>, time: number, by: number): number {
    const local = new Date(floor(unit, this.local(time)))
    if (unit === 'month') local.setUTCMonth(local.getUTCMonth() + by)
    else local.setUTCDate(local.getUTCDate() + (unit === 'week' ? 7 : 1) * by)
    return this.firstInstantOf(local.getTime())
  }

  /** The first moment of a local date, written as the milliseconds that it would have in UTC. */
  firstInstantOf(local: number): number {
    const [before, after] = [this.offset(local - dayMs), this.offset(local + dayMs)]
    const earlier = local - Math.max(before, after)
    const later = local - Math.min(before, after)
    if (this.local(earlier) === local) return earlier
    if (this.local(later) === local) return later
    // The clocks jump over this local time.
    return this.transition(earlier - minuteMs, later)
  }

  /** The local time, as the milliseconds that it would have in UTC. */
  local(time: number): number {
    return time + this.offset(time)
  }

  private nextHour(start: number): number {
    const offset = this.offset(start)
    const full = start + hourMs - modulo(start + offset, hourMs)
    const offsetAfter = this.offset(full)
    if (offsetAfter === offset) return full
    const jump = this.transition(start, full)
    const [before, after] = [jump + offset, jump + offsetAfter]
    const passesFullHour = after > before && Math.floor(after / hourMs) * hourMs >= before
    if (modulo(after, hourMs) === 0 || passesFullHour) return jump
    return jump + hourMs - modulo(after, hourMs)
  }

  /** The moment between two others at which the offset changes. It must change once between them. */
  private transition(before: number, after: number): number {
    const offset = this.offset(before)
    let [low, high] = [Math.floor(before / minuteMs), Math.ceil(after / minuteMs)]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.offset(middle * minuteMs) === offset) low = middle
      else high = middle
    }
    return high * minuteMs
  }

  /** Offsets change only at full minutes, so one is remembered for each minute. */
  private offset(time: number): number {
    const minute = Math.floor(time / minuteMs)
    let offset = this.offsets.get(minute)
    if (offset === undefined) {
      if (this.offsets.size === mostOffsets) this.offsets.clear()
      this.offsets.set(minute, (offset = this.workOut(minute * minuteMs)))
    }
    return offset
  }

  private workOut(time: number): number {
    const parts = new Map(this.format.formatToParts(time).map(({ type, value }) => [type, value]))
    const number = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type))
    const year = parts.get('era') === 'BC' ? 1 - number('year') : number('year')
    const local = new Date(0)
    local.setUTCFullYear(year, number('month') - 1, number('day'))
    local.setUTCHours(number('hour'), number('minute'), number('second'))
    return local.getTime() - time
  }
}

/** Rounds a local time down to its unit. In local time all days have the same length. */
function floor(unit: Exclude<Unit, 'hour'>, local: number): number {
  const day = Math.floor(local / dayMs) * dayMs
  if (unit === 'day') return day
  const date = new Date(day)
  // Weeks begin on Mondays.
  if (unit === 'week') date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7))
  else date.setUTCDate(1)
  return date.getTime()
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
