/**
 * Decides how fast the ingester works. Redirects have priority: if the serving thread is busy and few processors are
 * idle, the ingester is limited to a fixed rate, and the remaining clicks stay in the journal until the load drops. If
 * the journal is half full, the rate is unlimited, because clicks that do not fit delay their redirects.
 */
import { cpus } from 'node:os'

/** Load of the serving thread when it closed a segment. Both numbers are between 0 and 1. */
export interface ServingLoad {
  /** Event loop utilization. */
  busy: number
  /** Used fraction of the journal's maximum size. */
  fill: number
}

export interface Load {
  /** Number of idle processors. */
  idle: number
  /** Event loop utilization of the serving thread. 0 if it recorded no clicks in the last second. */
  servingBusy: number
  /** Used fraction of the journal's maximum size. */
  journalFill: number
}

export interface Pace {
  bytesPerBatch: number
  clicksPerSecond: number
}

const mebibyte = 1024 * 1024
/** Large batches cost less for each click, because a link's counter is written once for each batch. */
export const unlimitedPace: Pace = { bytesPerBatch: 8 * mebibyte, clicksPerSecond: Infinity }
/** Uses about half a processor, including the database. Smaller batches would cost more for each click. */
export const limitedPace: Pace = { bytesPerBatch: 2 * mebibyte, clicksPerSecond: 13_000 }

const highFill = 0.5
// Fewer idle processors are mostly visitors and the serving thread waiting for each other, and using that time slows
// both. With 1.0, redirects are 10 % faster, but clicks of a ten-second peak take up to 11 s to be counted.
const sufficientIdle = 0.6
const lowBusy = 0.5

export const measureEveryMs = 500
/** The serving thread counts as idle this long after its last segment. */
const servingExpiresMs = 1_000

export function ingestPace({ idle, servingBusy, journalFill }: Load): Pace {
  const isUnlimited = journalFill >= highFill || idle >= sufficientIdle || servingBusy < lowBusy
  return isUnlimited ? unlimitedPace : limitedPace
}

/** Returns the pause in milliseconds after a batch. */
export function computePause(clicks: number, workedMs: number, { clicksPerSecond }: Pace): number {
  return Math.max(0, (clicks / clicksPerSecond) * 1_000 - workedMs)
}

/** Measures the load for `ingestPace`, not more often than needed because this reads kernel statistics. */
export class MachineLoad {
  private measuredAt = -Infinity
  private before: ProcessorTimes = { idle: 0, all: 0, count: 0 }
  private idle = Infinity
  private serving: ServingLoad = { busy: 0, fill: 0 }
  private servingAt = -Infinity

  noteServing(load: ServingLoad): void {
    this.serving = load
    this.servingAt = performance.now()
  }

  readLoad(): Load {
    const now = performance.now()
    if (now - this.measuredAt >= measureEveryMs) this.measure(now)
    return {
      idle: this.idle,
      servingBusy: now - this.servingAt < servingExpiresMs ? this.serving.busy : 0,
      journalFill: this.serving.fill,
    }
  }

  private measure(now: number): void {
    const times = readProcessorTimes()
    // After a long pause, the previous measurement is too old for a comparison.
    const isComparable = now - this.measuredAt < 4 * measureEveryMs
    this.idle = isComparable ? countIdleProcessors(this.before, times) : Infinity
    this.before = times
    this.measuredAt = now
  }
}

/** Milliseconds since boot, summed over all processors. */
export interface ProcessorTimes {
  idle: number
  all: number
  /** Number of processors. */
  count: number
}

export function readProcessorTimes(): ProcessorTimes {
  const processors = cpus()
  const sum = { idle: 0, all: 0, count: processors.length }
  for (const { times } of processors) {
    sum.idle += times.idle
    sum.all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return sum
}

/** Returns the average number of idle processors between two measurements, or all if no time was measured. */
export function countIdleProcessors(before: ProcessorTimes, after: ProcessorTimes): number {
  const all = after.all - before.all
  return all > 0 ? ((after.idle - before.idle) / all) * after.count : after.count
}
