/** Sees to it that repeated jobs are known to the queue, again and again: a Redis that was emptied has forgotten them. */
import { Injectable } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'

import { every } from '../util/every.js'
import { JobQueue } from './job-queue.js'
import { JobRegistry } from './jobs.js'

const declareAgainMs = 5 * 60_000
const afterFailureMs = 10_000

@Injectable()
export class RepeatedJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: () => void = () => undefined

  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: JobRegistry,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = every({
      firstWaitMs: 0,
      waitMs: declareAgainMs,
      afterFailureMs,
      work: () => this.declare(),
      // JobQueue already logs that the queue is unreachable.
      onFailure: () => undefined,
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  private async declare(): Promise<void> {
    await Promise.all(this.jobs.names.map((name) => this.queue.repeat(name)))
  }
}
