import { Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { idleShare, processorTimes } from '../../platform/util/processors.js'
import { idleEnough, rollEveryMs, runMayTakeMs } from '../limits.js'
import { Roller } from './roller.js'

/**
 * Looks often, and rolls up what is little only now and then: one row is rewritten for many clicks. While the machine is
 * full, visitors come first, and what waits is left for that as well.
 */
@Injectable()
@Handles('roll-clicks')
export class RollJob implements JobHandler<'roll-clicks'>, OnModuleDestroy {
  private isStopping = false
  private lastAllAt = 0
  private seen = processorTimes()

  constructor(private readonly roller: Roller) {}

  async handle(): Promise<void> {
    const begunAt = performance.now()
    const all = Date.now() - this.lastAllAt >= rollEveryMs
    const isOver = () => this.isStopping || performance.now() - begunAt > runMayTakeMs
    const isEnough = () => isOver() || (!all && this.isMachineFull())
    await this.roller.run(all, isEnough)
    if (all && !isOver()) this.lastAllAt = Date.now()
  }

  /** Since the last look at it. */
  private isMachineFull(): boolean {
    const times = processorTimes()
    const idle = idleShare(this.seen, times)
    this.seen = times
    return idle < idleEnough
  }

  onModuleDestroy(): void {
    this.isStopping = true
  }
}
