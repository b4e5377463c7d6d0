/** The metrics of the service, and those of Node.js and the process. */
import { Injectable, Optional } from '@nestjs/common'
import { collectDefaultMetrics, Registry } from 'prom-client'

import { JobQueue } from '../../../platform/queue/job-queue.js'
import { BackupSchedule } from '../../../tools/backup/backup-schedule.js'
import { CachedReading } from './cached-reading.js'
import { DatabaseMetrics } from './database-metrics.js'
import { unconventionalDefaults } from './metric-declarations.js'
import { formatMetrics } from './metric-text.js'
import type { Readings } from './metric-text.js'
import { ProcessMetrics } from './process-metrics.js'

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

@Injectable()
export class Metrics {
  private readonly defaults = new Registry()

  constructor(
    private readonly process: ProcessMetrics,
    private readonly database: DatabaseMetrics,
    private readonly queue: QueueMetrics,
    @Optional() private readonly backups?: BackupSchedule,
  ) {
    collectDefaultMetrics({ register: this.defaults })
    for (const name of unconventionalDefaults) this.defaults.removeSingleMetric(name)
  }

  get contentType(): string {
    return this.defaults.contentType
  }

  async read(): Promise<string> {
    const [database, queue, defaults] = await Promise.all([
      this.database.read(),
      this.queue.read(),
      this.defaults.metrics(),
    ])
    const backups = this.backups ? { backup_overdue_seconds: this.backups.overdueMs / 1000 } : {}
    return formatMetrics({ ...this.process.read(), ...backups, ...database, ...queue }) + defaults
  }
}
