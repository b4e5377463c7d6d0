/** The jobs of this folder: what the queue knows of them, and what they make a worker do. */
import { hash } from 'node:crypto'

import { Injectable } from '@nestjs/common'
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common'

import type { LaneWaker } from '../deliveries/lanes.repository.js'
import { ReplayRunner } from '../deliveries/replay/replay-runner.js'
import { Retention } from '../deliveries/retention.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { declareJobs, Handles } from '../platform/queue/jobs.js'
import type { JobHandler, Jobs } from '../platform/queue/jobs.js'
import { JobQueue } from '../platform/queue/job-queue.js'
import { WebhookHealth } from '../webhooks/webhook-health.js'
import { Dispatcher } from './dispatcher.js'
import { DuePoller } from './due-poller.js'
import { WorkersRepository } from './heartbeat.js'
import { hintGatherMs, lanesInJob, receiversMayTakeMs } from './limits.js'

/** What the maker of a job knows of its receivers. */
interface Standing {
  /** The last attempt succeeded: they are not kept waiting behind those that have yet to show that they answer. */
  isProven?: boolean
}

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Something may be due for this webhook. */
    lane: { webhookId: string } & Standing
    /** The same for many at once: where an event goes to thousands, a job for each would cost more than the sending. */
    lanes: { webhookIds: string[] } & Standing
    /** What is done once in a while, by one of the workers. */
    maintenance: Record<string, never>
  }
}

const mostlyEveryMs = 60_000
const atMostEveryMs = 1_000

const isBehind = ({ isProven }: Standing): boolean => isProven === false

export const dispatchJobs = declareJobs({
  lane: { hintKey: ({ webhookId }) => webhookId, isBehind },
  lanes: { hintKey: ({ webhookIds }) => hash('sha256', webhookIds.join(), 'base64url'), isBehind },
  maintenance: {
    formerName: 'upkeep',
    // An operator who shortens the times after which webhooks are judged wants them judged more often.
    everyMs: ({ webhookFailingAfter, webhookDisableAfter }) => {
      const shortestMs = Math.min(webhookFailingAfter, webhookDisableAfter) * 1000
      return Math.min(mostlyEveryMs, Math.max(atMostEveryMs, Math.floor(shortestMs / 10)))
    },
  },
})

/** Hints at lanes, of this process or through the queue. */
@Injectable()
export class QueueWaker implements LaneWaker {
  /**
   * Wakes the lane of a proven receiver in this process, which saves the way through the queue; false where another
   * process, or none, holds it. A worker sets this.
   */
  wakeHere: (webhookId: string) => boolean = () => false
  private readonly unproven = new Set<string>()
  private gathering: NodeJS.Timeout | null = null

  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    if (isProven)
      return this.hint(
        webhookIds.filter((webhookId) => !this.wakeHere(webhookId)),
        true,
      )
    for (const webhookId of webhookIds) this.unproven.add(webhookId)
    if (!this.gathering) this.hintUnproven()
  }

  private hintUnproven(): void {
    this.gathering = null
    if (this.unproven.size === 0) return
    this.hint([...this.unproven], false)
    this.unproven.clear()
    this.gathering = setTimeout(() => this.hintUnproven(), hintGatherMs).unref()
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
    await this.dispatcher.stop(receiversMayTakeMs)
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

/** What one worker does for all once in a while. */
@Injectable()
@Handles('maintenance')
export class MaintenanceJob implements JobHandler<'maintenance'> {
  constructor(
    private readonly health: WebhookHealth,
    private readonly replays: ReplayRunner,
    private readonly retention: Retention,
    private readonly workers: WorkersRepository,
  ) {}

  async handle(): Promise<void> {
    await this.health.sweep()
    await this.replays.run()
    await this.retention.run()
    await this.workers.forgetDead()
  }
}
