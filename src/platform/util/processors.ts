/** How much of the machine is idle, between one look and the next. */
import { cpus } from 'node:os'

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

/** How many processors were idle between two looks: all of them where the kernel says nothing. */
export function idleProcessors(before: ProcessorTimes, after: ProcessorTimes): number {
  const all = after.all - before.all
  return all > 0 ? ((after.idle - before.idle) / all) * after.count : after.count
}
