import { Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { idleShare, processorTimes } from '../../platform/util/processors.js'
import { idleEnough, rollEveryMs, runMayDisturbMs, runMayTakeMs } from '../limits.js'
import { Roller } from './roller.js'

/**
 * Looks often, and rolls up what is little only now and then: one row is rewritten for many clicks. A full machine is left
 * to visitors and calls: at 3,000 clicks a second that is one step for each look, and in a rush almost none.
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
    if (all) this.lastAllAt = Date.now()
    const isEnough = () => {
      const mayTakeMs = this.isMachineFull() ? (all ? runMayDisturbMs : 0) : runMayTakeMs
      return this.isStopping || performance.now() - begunAt > mayTakeMs
    }
    await this.roller.run(all, isEnough)
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
