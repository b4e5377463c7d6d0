/** What a worker does for the lanes, from its start to its end. */
import { Injectable } from '@nestjs/common'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { Handles } from '../platform/queue/job-handlers.js'
import type { JobHandler } from '../platform/queue/job-handlers.js'
import type { Jobs } from '../platform/queue/jobs.js'
import { DueWatch } from './due-watch.js'
import { Lanes } from './lanes.js'

// Of the ten seconds that a stop may take.
const requestsMayTakeMs = 4_000

@Injectable()
@Handles('lane')
export class LaneWork implements JobHandler<'lane'>, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly lanes: Lanes,
    private readonly watch: DueWatch,
    private readonly changes: ChangeFeed,
  ) {}

  onApplicationBootstrap(): void {
    this.changes.subscribe('webhook', {
      changed: (webhookId) => this.lanes.recall(webhookId),
      reset: () => this.lanes.recallAll(),
    })
    this.lanes.start()
    this.watch.start()
  }

  handle({ webhookId, isProven }: Jobs['lane']): Promise<void> {
    return this.lanes.serve([webhookId], isProven)
  }

  async onModuleDestroy(): Promise<void> {
    this.watch.stop()
    await this.lanes.stop(requestsMayTakeMs)
  }
}
