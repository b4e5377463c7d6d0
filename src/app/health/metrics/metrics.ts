/** The metrics of the service, and those of Node.js and the process. */
import { Injectable, Optional } from '@nestjs/common'
import { collectDefaultMetrics, Registry } from 'prom-client'

import { BackupSchedule } from '../../../tools/backup/backup-schedule.js'
import { unconventionalDefaults } from './metric-declarations.js'
import { DatabaseMetrics } from './database-metrics.js'
import { formatMetrics } from './metric-text.js'
import { ProcessMetrics } from './process-metrics.js'
import { QueueMetrics } from './queue-metrics.js'

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
