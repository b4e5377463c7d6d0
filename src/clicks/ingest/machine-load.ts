/** What `ingestPace` decides by, measured now and then: looking costs a read of the kernel's statistics. */
import { cpus } from 'node:os'

import type { Load } from './ingest-pace.js'
import type { Signals } from './signals.js'

const measureEveryMs = 500
/** A serving thread that has recorded nothing for this long has no visitors. */
const oldAfterMs = 1_000

interface Times {
  idle: number
  all: number
}

export class MachineLoad {
  private measuredAt = -Infinity
  private before: Times = { idle: 0, all: 0 }
  private idle = 1
  private samples = 0
  private sampledAt = -Infinity

  constructor(private readonly signals: Signals) {}

  read(): Load {
    const now = performance.now()
    if (now - this.measuredAt >= measureEveryMs) this.measure(now)
    if (this.signals.samples !== this.samples) {
      this.samples = this.signals.samples
      this.sampledAt = now
    }
    const { busy, fill } = this.signals.load
    return {
      idle: this.idle,
      servingBusy: now - this.sampledAt < oldAfterMs ? busy : 0,
      journalFill: fill,
    }
  }

  private measure(now: number): void {
    const times = processorTimes()
    const all = times.all - this.before.all
    // After a rest the last measure says nothing of now, and where the kernel says nothing there is no reason to wait.
    const isUsable = now - this.measuredAt < 4 * measureEveryMs && all > 0
    this.idle = isUsable ? (times.idle - this.before.idle) / all : 1
    this.before = times
    this.measuredAt = now
  }
}

function processorTimes(): Times {
  const sum = { idle: 0, all: 0 }
  for (const { times } of cpus()) {
    sum.idle += times.idle
    sum.all += times.user + times.nice + times.sys + times.idle + times.irq
  }
  return sum
}
