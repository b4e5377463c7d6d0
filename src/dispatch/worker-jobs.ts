/** The dispatch jobs and their handlers. */
import { hash } from 'node:crypto'

import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { declareJobs, Handles } from '../platform/queue/jobs.js'
import type { JobHandler, Jobs } from '../platform/queue/jobs.js'
import { QueueProcessor } from '../platform/queue/queue.processor.js'
import { Dispatcher } from './dispatcher.js'
import { DuePoller } from './due-poller.js'
import { Heartbeat } from './heartbeat.js'
import { maintenanceEveryMs, stopWaitMs } from './limits.js'
import { QueueWaker } from './queue-waker.js'
import { WorkersRepository } from './workers.repository.js'

interface Proof {
  /** Whether the receivers were proven when the job was created. Jobs for proven receivers run first. */
  isProven?: boolean
}

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Deliveries of this webhook may be due. */
    lane: { webhookId: string } & Proof
    /** Like `lane`, for many webhooks. With a job per webhook, jobs would cost more than the deliveries. */
    lanes: { webhookIds: string[] } & Proof
    /** Deletes the rows of workers that died long ago. */
    maintenance: Record<string, never>
  }
}

const isLowPriority = ({ isProven }: Proof): boolean => isProven === false

export const dispatchJobs = declareJobs({
  lane: { hintKey: ({ webhookId }) => webhookId, isLowPriority },
  lanes: { hintKey: ({ webhookIds }) => hash('sha256', webhookIds.join(), 'base64url'), isLowPriority },
  maintenance: {
    everyMs: () => maintenanceEveryMs,
  },
})

/** Handles hints for one lane, and starts and stops the dispatcher and the poller with the process. */
@Injectable()
@Handles('lane')
export class LaneJob implements JobHandler<'lane'>, OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(LaneJob.name)

  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly poller: DuePoller,
    private readonly changes: ChangeFeed,
    private readonly waker: QueueWaker,
    private readonly heartbeat: Heartbeat,
    private readonly jobs: QueueProcessor,
  ) {}

  onApplicationBootstrap(): void {
    this.waker.wakeServedLane = (webhookId) => this.dispatcher.wakeServedLane(webhookId)
    this.changes.subscribe('webhook', {
      onChange: (webhookId) => this.dispatcher.refreshLanes([webhookId]),
      onReset: () => this.dispatcher.refreshLanes(),
    })
    this.changes.subscribe('worker', {
      onChange: (worker) => {
        if (worker === this.heartbeat.worker) this.heartbeat.checkForLanes()
      },
      onReset: () => undefined,
    })
    this.changes.subscribe('delivery_pause', {
      onChange: () => this.updatePause(),
      onReset: () => undefined,
    })
    this.heartbeat.onWorkerGone = () => this.poller.pollNow()
    this.heartbeat.onDrain = () => this.drain()
    this.dispatcher.start()
    this.poller.start()
  }

  handle({ webhookId, isProven }: Jobs['lane']): Promise<void> {
    return this.dispatcher.serveLanes([webhookId], isProven)
  }

  /** The next claim of each lane reads whether deliveries are paused. Lanes that are not served become due. */
  private updatePause(): void {
    this.dispatcher.refreshLanes()
    this.poller.pollNow()
  }

  private drain(): void {
    this.logger.log('Draining: this worker finishes its requests and takes no more work.')
    this.poller.stop()
    this.dispatcher.drain()
    this.jobs
      .stopTaking()
      .catch((error: Error) => this.logger.warn(`Jobs cannot be stopped: ${error.message}`))
  }

  async onModuleDestroy(): Promise<void> {
    this.poller.stop()
    await this.dispatcher.stop(stopWaitMs)
  }
}

@Injectable()
@Handles('lanes')
export class ManyLanesJob implements JobHandler<'lanes'> {
  constructor(private readonly dispatcher: Dispatcher) {}

  handle({ webhookIds, isProven }: Jobs['lanes']): Promise<void> {
    return this.dispatcher.serveLanes(webhookIds, isProven)
  }
}

@Injectable()
@Handles('maintenance')
export class MaintenanceJob implements JobHandler<'maintenance'> {
  constructor(private readonly workers: WorkersRepository) {}

  handle(): Promise<void> {
    return this.workers.deleteDeadWorkers()
  }
}
