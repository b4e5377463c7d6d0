/** The jobs of this folder: what the queue knows of them, and what they make a worker do. */
import { hash } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'

import type { LaneWaker } from '../deliveries/lanes.repository.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { declareJobs, Handles } from '../platform/queue/jobs.js'
import type { JobHandler, Jobs } from '../platform/queue/jobs.js'
import { JobQueue } from '../platform/queue/job-queue.js'
import { Batcher, neverFails } from '../platform/util/batching.js'
import { Dispatcher } from './dispatcher.js'
import { DuePoller } from './due-poller.js'
import { Heartbeat, WorkersRepository } from './heartbeat.js'
import { hintGatherMs, lanesInJob, maintenanceEveryMs, stopWaitMs } from './limits.js'

interface Proof {
  /** Whether the receivers were proven when the job was made. Proven ones do not wait behind the others. */
  isProven?: boolean
}

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Something may be due for this webhook. */
    lane: { webhookId: string } & Proof
    /**
     * Like `lane`, for many webhooks. For an event that goes to thousands, a job each would cost more than the sending.
     */
    lanes: { webhookIds: string[] } & Proof
    /** Workers that died long ago are forgotten. */
    maintenance: Record<string, never>
  }
}

const isBehind = ({ isProven }: Proof): boolean => isProven === false

export const dispatchJobs = declareJobs({
  lane: { hintKey: ({ webhookId }) => webhookId, isBehind },
  lanes: { hintKey: ({ webhookIds }) => hash('sha256', webhookIds.join(), 'base64url'), isBehind },
  maintenance: {
    everyMs: () => maintenanceEveryMs,
  },
})

/** Gives hints for lanes, within this process when it can, else through the queue. */
@Injectable()
export class QueueWaker implements LaneWaker {
  /**
   * Wakes the lane of a proven receiver in this process, which saves the way through the queue. False when this process
   * does not hold the lane. A worker sets this function.
   */
  wakeHere: (webhookId: string) => boolean = () => false
  /** The first hint goes at once. What comes within the pause after it shares the next one. */
  private readonly unproven = new Batcher<string>(
    { most: Infinity, atOnce: 1, restMs: hintGatherMs },
    (webhookIds) => Promise.resolve(this.hint(webhookIds, false)),
    neverFails,
  )

  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    if (isProven)
      return this.hint(
        webhookIds.filter((webhookId) => !this.wakeHere(webhookId)),
        true,
      )
    for (const webhookId of webhookIds) this.unproven.add(webhookId)
  }

  private hint(webhookIds: readonly string[], isProven: boolean): void {
    const [webhookId, ...others] = webhookIds
    if (webhookId === undefined) return
    if (others.length === 0) return this.queue.hint('lane', [{ webhookId, isProven }])
    this.queue.hint(
      'lanes',
      Array.from({ length: Math.ceil(webhookIds.length / lanesInJob) }, (_, i) => ({
        webhookIds: webhookIds.slice(i * lanesInJob, (i + 1) * lanesInJob),
        isProven,
      })),
    )
  }
}

/** Starts and stops the dispatcher and the poller with the process. */
@Injectable()
@Handles('lane')
export class LaneJob implements JobHandler<'lane'>, OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly dispatcher: Dispatcher,
    private readonly poller: DuePoller,
    private readonly changes: ChangeFeed,
    private readonly waker: QueueWaker,
    private readonly heartbeat: Heartbeat,
  ) {}

  onApplicationBootstrap(): void {
    this.waker.wakeHere = (webhookId) => this.dispatcher.wakeOwn(webhookId)
    this.changes.subscribe('webhook', {
      changed: (webhookId) => this.dispatcher.recall([webhookId]),
      reset: () => this.dispatcher.recall(),
    })
    this.changes.subscribe('worker', {
      changed: (worker) => {
        if (worker === this.heartbeat.worker) this.heartbeat.lookForLanes()
      },
      reset: () => undefined,
    })
    this.heartbeat.onWorkerGone = () => this.poller.lookNow()
    this.dispatcher.start()
    this.poller.start()
  }

  handle({ webhookId, isProven }: Jobs['lane']): Promise<void> {
    return this.dispatcher.serve([webhookId], isProven)
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
    return this.dispatcher.serve(webhookIds, isProven)
  }
}

@Injectable()
@Handles('maintenance')
export class MaintenanceJob implements JobHandler<'maintenance'> {
  constructor(private readonly workers: WorkersRepository) {}

  handle(): Promise<void> {
    return this.workers.deleteDead()
  }
}
