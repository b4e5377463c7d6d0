import { Injectable } from '@nestjs/common'

import { JobQueue } from '../queue/job-queue.js'
import type { LaneWaker } from './lane-waker.js'

/** Into so many jobs what becomes due together is divided at least, so that as many workers can share it. */
const shares = 4
const mostLanesInJob = 50

@Injectable()
export class QueueWaker implements LaneWaker {
  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[], isProven = false): void {
    const lanesInJob = Math.min(Math.ceil(webhookIds.length / shares), mostLanesInJob)
    if (lanesInJob > 1) return this.wakeMany(webhookIds, lanesInJob, isProven)
    this.queue.hint(
      'lane',
      webhookIds.map((webhookId) => ({ webhookId, isProven })),
    )
  }

  private wakeMany(webhookIds: readonly string[], lanesInJob: number, isProven: boolean): void {
    const jobs = Math.ceil(webhookIds.length / lanesInJob)
    this.queue.hint(
      'lanes',
      Array.from({ length: jobs }, (_, i) => ({
        webhookIds: webhookIds.slice(i * lanesInJob, (i + 1) * lanesInJob),
        isProven,
      })),
    )
  }
}
