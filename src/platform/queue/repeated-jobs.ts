/** Sees to it that repeated jobs are known to the queue, again and again: a Redis that was emptied has forgotten them. */
import { Injectable } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'

import { JobQueue } from './job-queue.js'
import { JobRegistry } from './jobs.js'

const everyMs = 5 * 60_000
const afterFailureMs = 10_000

@Injectable()
export class RepeatedJobs implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | null = null
  private isStopped = false

  constructor(
    private readonly queue: JobQueue,
    private readonly jobs: JobRegistry,
  ) {}

  onApplicationBootstrap(): void {
    void this.declare()
  }

  onApplicationShutdown(): void {
    this.isStopped = true
    if (this.timer) clearTimeout(this.timer)
  }

  private async declare(): Promise<void> {
    // JobQueue already logs that the queue is unreachable.
    const done = await Promise.all(this.jobs.names.map((name) => this.queue.repeat(name))).then(
      () => true,
      () => false,
    )
    if (this.isStopped) return
    this.timer = setTimeout(() => void this.declare(), done ? everyMs : afterFailureMs).unref()
  }
}
