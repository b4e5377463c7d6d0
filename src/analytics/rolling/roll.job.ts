import { Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import { rollEveryMs, runMayTakeMs } from '../limits.js'
import { Roller } from './roller.js'

/** Looks often, and rolls up what is little only now and then: one row is rewritten for many clicks. */
@Injectable()
@Handles('roll-clicks')
export class RollJob implements JobHandler<'roll-clicks'>, OnModuleDestroy {
  private isStopping = false
  private lastAllAt = 0

  constructor(private readonly roller: Roller) {}

  async handle(): Promise<void> {
    const begunAt = performance.now()
    const all = Date.now() - this.lastAllAt >= rollEveryMs
    const isEnough = () => this.isStopping || performance.now() - begunAt > runMayTakeMs
    await this.roller.run(all, isEnough)
    if (all && !isEnough()) this.lastAllAt = Date.now()
  }

  onModuleDestroy(): void {
    this.isStopping = true
  }
}
