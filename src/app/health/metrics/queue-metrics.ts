/** Metrics of the job queue. */
import { Injectable } from '@nestjs/common'

import { JobQueue } from '../../../platform/queue/job-queue.js'
import { CachedReading } from './cached-reading.js'
import type { Readings } from './metric-text.js'

@Injectable()
export class QueueMetrics {
  private readonly reading = new CachedReading<{ jobs: Record<string, number> }>(async (figures) => {
    figures.jobs = await this.queue.countJobs()
  })

  constructor(private readonly queue: JobQueue) {}

  async read(): Promise<Readings> {
    const { jobs } = await this.reading.get()
    return {
      queue_up: jobs ? 1 : 0,
      queue_jobs: jobs ? Object.entries(jobs).map(([state, value]) => ({ labels: { state }, value })) : null,
      queue_dropped_hints_total: this.queue.droppedHints,
    }
  }
}
