/** Adds jobs to the queue: hints about possible work, and repeated jobs. */
import { setTimeout as pause } from 'node:timers/promises'

import { InjectQueue } from '@nestjs/bullmq'
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { Queue } from 'bullmq'
import type { BulkJobOptions } from 'bullmq'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { Batcher, rethrowFailure } from '../util/batcher.js'
import { currentMs } from '../util/clock.js'
import { runPeriodically, withTimeout } from '../util/timers.js'
import { ThrottledWarning } from '../util/throttled-warning.js'
import { queueName } from './backend.js'
import { JobRegistry } from './jobs.js'
import type { JobName, Jobs } from './jobs.js'

/** Jobs with a low priority are in the state `prioritized`, and repeated jobs in `delayed`. */
const jobStates = ['waiting', 'prioritized', 'active', 'delayed'] as const
type JobState = (typeof jobStates)[number]

interface HintedJob {
  name: JobName
  data: Jobs[JobName]
  opts: BulkJobOptions
}

/** BullMQ runs jobs without a priority before all others. */
const lowPriority = 1
const pingTimeoutMs = 1_000

const maxBatchSize = 200
const maxWaiting = 10_000
const betweenBatchesMs = 10
const afterFailedBatchMs = 1_000

const declareAgainMs = 60_000
const toleratedAheadMs = 10_000
const afterFailedDeclarationMs = 10_000

@Injectable()
export class JobQueue implements OnApplicationShutdown {
  private readonly logger = new Logger(JobQueue.name)
  private readonly trouble = new ThrottledWarning(this.logger)
  private readonly drops = new ThrottledWarning(this.logger)
  private readonly hints: Hints
  private dropped = 0
  private isStopping = false

  constructor(
    @InjectQueue(queueName) private readonly queue: Queue,
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly jobs: JobRegistry,
  ) {
    queue.on('error', (error) => {
      // The embedded database ends the connections that are still open at a shutdown.
      if (!this.isStopping)
        this.trouble.warn(`The queue reported an error: ${error.message || String(error)}`)
    })
    this.hints = new Hints({
      send: async (jobs) => {
        await queue.addBulk(jobs)
      },
      onDropped: (count, reason) => {
        this.dropped += count
        this.drops.warn(`Hints were dropped, so workers find their work later: ${reason}`, count)
      },
    })
  }

  /**
   * Adds hints that there may be work. Returns immediately, even if the queue is unreachable, but hints may be lost.
   * Hints with the same key share one waiting job. A hint during the job makes the job run once more.
   */
  addHints<Name extends JobName>(name: Name, payloads: readonly Jobs[Name][]): void {
    const job = this.jobs.getDeclaration(name)
    if (!job.hintKey) throw new Error(`The job ${name} does not accept hints.`)
    for (const data of payloads) {
      const isLowPriority = job.isLowPriority?.(data) ?? false
      // Low-priority hints have their own keys, so that a new hint need not wait behind an older one with low priority.
      const key = `${name}-${isLowPriority ? 'low-' : ''}${job.hintKey(data)}`
      const opts: BulkJobOptions = { deduplication: { id: key, keepLastIfActive: true } }
      if (isLowPriority) opts.priority = lowPriority
      this.hints.addHint(key, { name, data, opts })
    }
  }

  /**
   * Makes the queue repeat a job, once across all replicas. Safe to repeat. If several processes make the first call at
   * the same time, the job may run once for each of them.
   */
  async scheduleRepeats(name: JobName): Promise<void> {
    const { everyMs } = this.jobs.getDeclaration(name)
    const every = everyMs?.(this.settings)
    if (every === undefined) return
    const scheduler = await this.queue.getJobScheduler(name)
    const awayMs = (scheduler?.next ?? 0) - currentMs()
    // A job that stopped repeating keeps its scheduler, but its next time has passed.
    if (scheduler?.every === every && awayMs > -every && awayMs < every + toleratedAheadMs) return
    // A process whose clock was ahead has set a time too far in the future, which BullMQ would keep.
    if (awayMs > 0) await this.queue.removeJobScheduler(name)
    await this.queue.upsertJobScheduler(name, { every }, { name, data: {} })
  }

  /** The number of hints that were dropped since the start. */
  get droppedHints(): number {
    return this.dropped
  }

  /** Returns the number of jobs by state. Rejects if the queue is unreachable, or waits. */
  countJobs(): Promise<Record<JobState, number>> {
    return this.queue.getJobCounts(...jobStates) as Promise<Record<JobState, number>>
  }

  isReachable(): Promise<boolean> {
    const response = this.queue.isPaused().then(
      () => true,
      () => false,
    )
    return withTimeout(response, pingTimeoutMs, false)
  }

  onApplicationShutdown(): void {
    this.isStopping = true
    this.hints.stop()
  }
}

interface HintsOptions {
  send: (jobs: HintedJob[]) => Promise<void>
  onDropped: (count: number, reason: string) => void
}

/**
 * Sends hints to the queue in batches. Hints that cannot be sent are dropped, because workers find their work without
 * hints too. Adding a hint therefore costs nothing and cannot fail.
 */
class Hints {
  private readonly waiting = new Map<string, HintedJob>()
  private readonly batches: Batcher<string>
  private isStopped = false

  constructor(private readonly options: HintsOptions) {
    // The pause merges hints with the same key before they are written to the queue.
    const limits = { maxItems: maxBatchSize, concurrency: 1, restMs: betweenBatchesMs }
    this.batches = new Batcher(limits, (keys) => this.send(keys), rethrowFailure)
  }

  addHint(key: string, job: HintedJob): void {
    if (this.isStopped) return
    if (this.waiting.size >= maxWaiting && !this.waiting.has(key))
      return this.options.onDropped(1, 'the queue is too slow')
    this.waiting.set(key, job)
    this.batches.addItem(key)
  }

  stop(): void {
    this.isStopped = true
    this.batches.stop()
    this.waiting.clear()
  }

  private async send(keys: readonly string[]): Promise<void> {
    const jobs = keys.map((key) => this.waiting.get(key)!)
    for (const key of keys) this.waiting.delete(key)
    try {
      await this.options.send(jobs)
    } catch (error) {
      if (this.isStopped) return
      this.options.onDropped(keys.length, (error as Error).message)
      await pause(afterFailedBatchMs)
    }
  }
}

/** Registers the repeated jobs periodically, because a Redis that was emptied has lost them. */
@Injectable()
export class RepeatedJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: () => void = () => undefined

  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: JobRegistry,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = runPeriodically({
      firstWaitMs: 0,
      waitMs: declareAgainMs,
      afterFailureMs: afterFailedDeclarationMs,
      work: () => this.scheduleAll(),
      // JobQueue already logs that the queue is unreachable.
      onFailure: () => undefined,
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  private async scheduleAll(): Promise<void> {
    await Promise.all(this.jobs.names.map((name) => this.queue.scheduleRepeats(name)))
  }
}
