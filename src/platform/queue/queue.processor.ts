/**
 * Takes jobs from the queue and passes them to their handlers, in workers only. All kinds of jobs share one queue,
 * because on PostgreSQL every queue of BullMQ opens two connections in each process, and five in a worker.
 */
import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq'
import { Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common'
import type { Job } from 'bullmq'

import { ThrottledWarning } from '../util/throttled-warning.js'
import { withTimeout } from '../util/timers.js'
import { queueName } from './backend.js'
import { JobHandlers } from './jobs.js'
import { JobQueue } from './job-queue.js'
import type { JobName, Jobs } from './jobs.js'

// Jobs get this much of the ten seconds for a shutdown. Longer jobs are abandoned.
const jobsTimeoutMs = 2_000

@Processor(queueName, {
  autorun: false,
  // Jobs spend most of their time waiting for the database.
  concurrency: 64,
  // The lock is renewed while the job runs. A job that loses its lock may run twice, which every handler tolerates.
  lockDuration: 15_000,
  stalledInterval: 15_000,
  runRetryDelay: 1_000,
  // An idle worker checks for jobs after this many seconds. A new job wakes it earlier.
  drainDelay: 10,
  // A lost or failed hint is harmless, because workers also check for due work periodically.
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
})
export class QueueProcessor extends WorkerHost implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(QueueProcessor.name)
  private readonly trouble = new ThrottledWarning(this.logger)
  private readonly running = new Set<Promise<void>>()
  private isStopping = false

  constructor(
    private readonly handlers: JobHandlers,
    private readonly queue: JobQueue,
  ) {
    super()
  }

  onApplicationBootstrap(): void {
    this.worker.run().catch((error: unknown) => this.logger.error(`The worker ended: ${String(error)}`))
  }

  override async process(job: Job<Jobs[JobName]>): Promise<void> {
    const work = this.handleJob(job)
    this.running.add(work)
    await work.finally(() => this.running.delete(work))
  }

  private async handleJob({ name, data }: Job<Jobs[JobName]>): Promise<void> {
    const handler = this.handlers.getHandler(name)
    const label = describeJob(name, data)
    // During a rolling update, a newer version may have added this job.
    if (!handler) return this.logger.warn(`${label} is unknown to this version.`)
    try {
      await handler.handle(data)
      this.logger.debug(`${label} is done.`)
    } catch (error) {
      this.logger.error(`${label} failed: ${String(error)}`, (error as Error).stack)
      throw error
    }
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    if (!this.isStopping) this.trouble.warn(`The queue reported an error: ${error.message || String(error)}`)
  }

  /** Takes no more jobs. Running jobs continue. */
  async stopTaking(): Promise<void> {
    await this.worker.pause(true)
  }

  /** Runs before other parts stop, because jobs that are finishing still need the database. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true
    await this.stopTaking()
    const settled = Promise.allSettled(this.running).then(() => true)
    const [isSettled, isReachable] = await Promise.all([
      withTimeout(settled, jobsTimeoutMs, false),
      this.queue.isReachable(),
    ])
    // An orderly close waits for the queue, so it is possible only while the queue is reachable.
    await this.worker.close(!isSettled || !isReachable)
  }
}

function describeJob(name: string, data: object): string {
  const ids = Object.entries(data).map(([key, id]) => ` ${key}=${String(id)}`)
  return `The job ${name}${ids.join('')}`
}
