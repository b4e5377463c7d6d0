/**
 * How fast the ingester may work beside visitors, who come first. While more than half a processor is idle, or the
 * serving thread is hardly busy, it goes as fast as it can. Otherwise it takes a fixed number of clicks a second. That
 * is more than an ordinary day brings, so only a rush waits in the journal. A journal that is half full ends the limit,
 * so that no click is dropped.
 */
import { cpus } from 'node:os'

/** How things stood in the serving thread when a segment was closed. Both numbers are between 0 and 1. */
export interface ServingLoad {
  /** The share of the time in which its event loop was at work. */
  busy: number
  /** The share of the journal's limit that is used. */
  fill: number
}

export interface Load {
  /** How many of the machine's processors were idle. */
  idle: number
  /** The share of its time in which the serving thread was at work. 0 when it has recorded no clicks lately. */
  servingBusy: number
  /** The share of the journal's limit that is used. */
  journalFill: number
}

export interface Pace {
  bytesPerBatch: number
  clicksPerSecond: number
}

const mebibyte = 1024 * 1024
/** Large batches: a counter is written once for all clicks of its link in a batch, so each click costs less. */
export const unbound: Pace = { bytesPerBatch: 8 * mebibyte, clicksPerSecond: Infinity }
/** About half a processor, the database included. Smaller batches would cost more for each click. */
export const besideVisitors: Pace = { bytesPerBatch: 2 * mebibyte, clicksPerSecond: 14_000 }

const halfFull = 0.5
// Idle processors. Time below this is mostly visitors and the serving thread waiting for each other, and using it slows
// both down. With 1.0 redirects are a tenth faster, but a rush of ten seconds takes up to eleven to be counted.
const idleEnough = 0.6
const hardlyBusy = 0.5

export const measureEveryMs = 500
/** A serving thread that has recorded nothing for this long has no visitors. */
const oldAfterMs = 1_000

export function ingestPace({ idle, servingBusy, journalFill }: Load): Pace {
  return journalFill >= halfFull || idle >= idleEnough || servingBusy < hardlyBusy ? unbound : besideVisitors
}

/** How long to rest after work on so many clicks. */
export function restAfter(clicks: number, workedMs: number, { clicksPerSecond }: Pace): number {
  return Math.max(0, (clicks / clicksPerSecond) * 1_000 - workedMs)
}

/** Measures what `ingestPace` decides by, but only now and then: each look reads statistics of the kernel. */
export class MachineLoad {
  private measuredAt = -Infinity
  private before: ProcessorTimes = { idle: 0, all: 0, count: 0 }
  private idle = Infinity
  private serving: ServingLoad = { busy: 0, fill: 0 }
  private servedAt = -Infinity

  noteServing(load: ServingLoad): void {
    this.serving = load
    this.servedAt = performance.now()
  }

  read(): Load {
    const now = performance.now()
    if (now - this.measuredAt >= measureEveryMs) this.measure(now)
    return {
      idle: this.idle,
      servingBusy: now - this.servedAt < oldAfterMs ? this.serving.busy : 0,
      journalFill: this.serving.fill,
    }
  }

  private measure(now: number): void {
    const times = processorTimes()
    // After a rest the last measure is too old to compare with.
    const isUsable = now - this.measuredAt < 4 * measureEveryMs
    this.idle = isUsable ? idleProcessors(this.before, times) : Infinity
    this.before = times
    this.measuredAt = now
  }
}

/** What all processors together have done since they were started, in milliseconds. */
export interface ProcessorTimes {
  idle: number
  all: number
  /** How many processors there are. */
  count: number
}

export function processorTimes(): ProcessorTimes {
  const processors = cpus()
  const sum = { idle: 0, all: 0, count: processors.length }
  for (const { times } of processors) {
    sum.idle += times.idle
    sum.all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return sum
}

/** How many processors were idle between two looks. All of them when the kernel says nothing. */
export function idleProcessors(before: ProcessorTimes, after: ProcessorTimes): number {
  const all = after.all - before.all
  return all > 0 ? ((after.idle - before.idle) / all) * after.count : after.count
}
