/** What the queue's jobs make a worker do for lanes, and how the dispatcher starts and ends with the worker. */
import { Injectable } from '@nestjs/common'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { Handles } from '../platform/queue/job-handlers.js'
import type { JobHandler } from '../platform/queue/job-handlers.js'
import type { Jobs } from '../platform/queue/jobs.js'
import { Dispatcher } from './dispatcher.js'
import { DuePoller } from './due-poller.js'
import { requestsMayTakeMs } from './limits.js'
import { QueueWaker } from './queue-waker.js'

@Injectable()
@Handles('lane')
export class LaneJob implements JobHandler<'lane'>, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly poller: DuePoller,
    private readonly changes: ChangeFeed,
    private readonly waker: QueueWaker,
  ) {}

  onApplicationBootstrap(): void {
    this.waker.wakeHere = (webhookId) => this.dispatcher.wakeHeld(webhookId)
    this.changes.subscribe('webhook', {
      changed: (webhookId) => this.dispatcher.recall(webhookId),
      reset: () => this.dispatcher.recallAll(),
    })
    this.dispatcher.start()
    this.poller.start()
  }

  handle({ webhookId, isProven }: Jobs['lane']): Promise<void> {
    return this.dispatcher.serve([webhookId], isProven)
  }

  async onModuleDestroy(): Promise<void> {
    this.poller.stop()
    await this.dispatcher.stop(requestsMayTakeMs)
  }
}

@Injectable()
@Handles('lanes')
export class ManyLanesJob implements JobHandler<'lanes'> {
  constructor(private readonly dispatcher: Dispatcher) {}

  handle({ webhookIds, isProven }: Jobs['lanes']): Promise<void> {
    return this.dispatcher.serve(webhookIds, isProven)
  }
}
