/** How much of the machine is idle, between one look and the next. */
import { cpus } from 'node:os'

/** What all processors together have done since they were started, in milliseconds. */
export interface ProcessorTimes {
  idle: number
  all: number
}

export function processorTimes(): ProcessorTimes {
  const sum = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    sum.idle += times.idle
    sum.all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return sum
}

/** The share of the time between two looks that was idle: all of it where the kernel says nothing. */
export function idleShare(before: ProcessorTimes, after: ProcessorTimes): number {
  const all = after.all - before.all
  return all > 0 ? (after.idle - before.idle) / all : 1
}
