import { Injectable } from '@nestjs/common'
import type { OnModuleDestroy } from '@nestjs/common'

import { Handles } from '../../platform/queue/jobs.js'
import type { JobHandler } from '../../platform/queue/jobs.js'
import {
  type ProcessorTimes,
  countIdleProcessors,
  readProcessorTimes,
} from '../../clicks/ingest/ingest-pace.js'
import { maxBusyRunMs, maxRollLagMs, maxRunMs, minIdleProcessors, rollEveryMs } from '../limits.js'
import { AnalyticsLag } from './checkpoints.repository.js'
import { Roller } from './roller.js'

/**
 * Checks often, but counts workspaces with few clicks only every two minutes, so that one row update adds many clicks.
 * Does little work on a busy machine, to keep requests fast, unless clicks have been pending for minutes.
 */
@Injectable()
@Handles('roll-clicks')
export class RollJob implements JobHandler<'roll-clicks'>, OnModuleDestroy {
  private isStopping = false
  private lastFullRunAt = -Infinity
  private lastTimes = this.readProcessorTimes()

  constructor(
    private readonly roller: Roller,
    private readonly lag: AnalyticsLag,
  ) {}

  async handle(): Promise<void> {
    const startedAt = performance.now()
    const isFullRun = startedAt - this.lastFullRunAt >= rollEveryMs
    if (isFullRun) this.lastFullRunAt = startedAt
    const isLate = isFullRun && (await this.lag.readSeconds()) * 1_000 >= maxRollLagMs
    const shouldStop = () =>
      this.isStopping ||
      performance.now() - startedAt >= computeRunLimit(this.measureIdle(), { isFullRun, isLate })
    await this.roller.rollWorkspaces(isFullRun, shouldStop)
  }

  /** Overridden in tests. */
  protected readProcessorTimes(): ProcessorTimes {
    return readProcessorTimes()
  }

  /** Returns the number of processors that were idle since the last call. */
  private measureIdle(): number {
    const times = this.readProcessorTimes()
    const idle = countIdleProcessors(this.lastTimes, times)
    this.lastTimes = times
    return idle
  }

  onModuleDestroy(): void {
    this.isStopping = true
  }
}

/** Returns the maximum duration of a run in milliseconds. */
export function computeRunLimit(
  idle: number,
  { isFullRun, isLate }: { isFullRun: boolean; isLate: boolean },
): number {
  if (isLate || idle >= minIdleProcessors) return maxRunMs
  return isFullRun ? maxBusyRunMs : 0
}
