/**
 * Takes jobs from the queue and hands them to their handlers. It exists only in workers. All kinds of jobs share one
 * queue, because on PostgreSQL every queue of BullMQ opens two connections in each process, and five in a worker.
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

// A stop may take ten seconds in all. Jobs that run longer than this part of it are given up.
const jobsMayTakeMs = 2_000

@Processor(queueName, {
  autorun: false,
  // Jobs mostly wait for the database.
  concurrency: 64,
  // The lock is renewed while the job runs. A job that loses it may run twice, so every handler allows for that.
  lockDuration: 15_000,
  stalledInterval: 15_000,
  runRetryDelay: 1_000,
  // An idle worker looks for jobs after this many seconds; a new job wakes it sooner.
  drainDelay: 10,
  // A lost or failed hint is harmless: workers also look for due work by themselves.
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
    const work = this.handle(job)
    this.running.add(work)
    await work.finally(() => this.running.delete(work))
  }

  private async handle({ name, data }: Job<Jobs[JobName]>): Promise<void> {
    const handler = this.handlers.of(name)
    const what = describe(name, data)
    // A newer version gave this job, while replicas are replaced one after the other.
    if (!handler) return this.logger.warn(`${what} is not known here.`)
    try {
      await handler.handle(data)
      this.logger.debug(`${what} was done.`)
    } catch (error) {
      this.logger.error(`${what} failed: ${String(error)}`, (error as Error).stack)
      throw error
    }
  }

  @OnWorkerEvent('error')
  onError(error: Error): void {
    if (!this.isStopping) this.trouble.warn(`The queue has trouble: ${error.message || String(error)}`)
  }

  /** This runs before anything else stops, because ending jobs still need the database. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true
    await this.worker.pause(true)
    const settled = Promise.allSettled(this.running).then(() => true)
    const [isSettled, isReachable] = await Promise.all([
      withTimeout(settled, jobsMayTakeMs, false),
      this.queue.isReachable(),
    ])
    // An orderly close waits for the queue's answer, so it makes sense only while the queue is reachable.
    await this.worker.close(!isSettled || !isReachable)
  }
}

function describe(name: string, data: object): string {
  const ids = Object.entries(data).map(([key, id]) => ` ${key}=${String(id)}`)
  return `The job ${name}${ids.join('')}`
}
