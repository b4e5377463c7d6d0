import { Injectable } from '@nestjs/common'

import { JobQueue } from '../queue/job-queue.js'
import type { LaneWaker } from './lane-waker.js'

/** Up to here each lane has a job of its own, which any worker may take. */
const fewLanes = 20
const lanesInJob = 50

@Injectable()
export class QueueWaker implements LaneWaker {
  constructor(private readonly queue: JobQueue) {}

  wake(webhookIds: readonly string[]): void {
    if (webhookIds.length > fewLanes) return this.wakeMany(webhookIds)
    this.queue.hint(
      'lane',
      webhookIds.map((webhookId) => ({ webhookId })),
    )
  }

  private wakeMany(webhookIds: readonly string[]): void {
    const jobs = Math.ceil(webhookIds.length / lanesInJob)
    this.queue.hint(
      'lanes',
      Array.from({ length: jobs }, (_, i) => ({
        webhookIds: webhookIds.slice(i * lanesInJob, (i + 1) * lanesInJob),
      })),
    )
  }
}
