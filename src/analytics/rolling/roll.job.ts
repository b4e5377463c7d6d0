import { Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { type ProcessorTimes, idleProcessors, processorTimes } from '../../clicks/ingest/ingest-pace.js'
import { idleEnough, rollEveryMs, runMayDisturbMs, runMayTakeMs } from '../limits.js'
import { Roller } from './roller.js'

/**
 * Looks often, but counts few clicks only every two minutes, so that one update of a row serves many clicks. A busy
 * machine is left to visitors and calls.
 */
@Injectable()
@Handles('roll-clicks')
export class RollJob implements JobHandler<'roll-clicks'>, OnModuleDestroy {
  private isStopping = false
  private lastAllAt = 0
  private seen = this.times()

  constructor(private readonly roller: Roller) {}

  async handle(): Promise<void> {
    const begunAt = performance.now()
    const takesAll = Date.now() - this.lastAllAt >= rollEveryMs
    if (takesAll) this.lastAllAt = Date.now()
    const isEnough = () =>
      this.isStopping || performance.now() - begunAt >= runMayTake(this.idleSinceLastLook(), takesAll)
    await this.roller.run(takesAll, isEnough)
  }

  /** Asks the operating system. It is a method so that a spec can replace it. */
  protected times(): ProcessorTimes {
    return processorTimes()
  }

  private idleSinceLastLook(): number {
    const times = this.times()
    const idle = idleProcessors(this.seen, times)
    this.seen = times
    return idle
  }

  onModuleDestroy(): void {
    this.isStopping = true
  }
}

/** Milliseconds after which a run ends, by how many processors are idle, and whether the run takes everything. */
export function runMayTake(idle: number, takesAll: boolean): number {
  if (idle >= idleEnough) return runMayTakeMs
  return takesAll ? runMayDisturbMs : 0
}
