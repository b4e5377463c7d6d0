/** Releases lanes. Releases of many lanes are batched into one statement. */
import { setTimeout as pause } from 'node:timers/promises'

import { Injectable, Logger } from '@nestjs/common'

import { BatchedCalls } from '../platform/util/batched-calls.js'
import { Heartbeat } from './heartbeat.js'
import { LeasesRepository } from './leases.repository.js'
import { afterFailureMs, releases } from './limits.js'
import type { ServedLane } from './served-lane.js'

@Injectable()
export class LaneReleases {
  private readonly logger = new Logger(LaneReleases.name)
  private readonly calls = new BatchedCalls<ServedLane, string | null>(releases, (lanes) =>
    this.releaseLanes(lanes),
  )
  private isStopped = false

  constructor(
    private readonly leases: LeasesRepository,
    private readonly heartbeat: Heartbeat,
  ) {}

  /**
   * Retries until the lane is released. Resolves with the next holder: this worker if another one found new deliveries
   * in the lane, or null if the lane is free.
   */
  async releaseLane(lane: ServedLane): Promise<string | null> {
    for (;;) {
      try {
        const holder = await this.calls.call(lane)
        if (holder === this.heartbeat.worker) lane.wake()
        return holder
      } catch {
        if (this.isStopped) return null
        await pause(afterFailureMs)
      }
    }
  }

  stop(): void {
    this.isStopped = true
  }

  private async releaseLanes(lanes: readonly ServedLane[]): Promise<(lane: ServedLane) => string | null> {
    try {
      const holders = await this.leases.releaseLanes(this.heartbeat.worker, lanes)
      return ({ webhookId }) => holders.get(webhookId) ?? null
    } catch (error) {
      this.logger.warn(`Cannot release lanes: ${(error as Error).message}`)
      throw error
    }
  }
}
