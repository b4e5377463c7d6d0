import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { ChangeFeed } from '../../platform/database/change-feed.js'
import { JobQueue } from '../../platform/queue/job-queue.js'
import { withTimeout } from '../../platform/util/timers.js'

type ReadinessPart = 'database' | 'migrations' | 'change_feed' | 'queue'

export interface Readiness {
  status: 'ok' | 'unavailable'
  parts: Record<ReadinessPart, 'ok' | 'failing'>
}

const patienceMs = 2_000

@Injectable()
export class HealthService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly feed: ChangeFeed,
    private readonly queue: JobQueue,
  ) {}

  async check(): Promise<Readiness> {
    const [applied, hasFeed, hasQueue] = await Promise.all([
      withTimeout(
        this.countMigrations().catch(() => null),
        patienceMs,
        null,
      ),
      this.feed.confirm(),
      this.queue.isReachable(),
    ])
    const needed = {
      database: applied === null ? 'failing' : 'ok',
      migrations: applied !== null && applied >= this.dataSource.migrations.length ? 'ok' : 'failing',
      change_feed: hasFeed ? 'ok' : 'failing',
    } as const
    return {
      status: Object.values(needed).includes('failing') ? 'unavailable' : 'ok',
      // Without the queue, workers find what is due later: that is no reason to take a process out of service.
      parts: { ...needed, queue: hasQueue ? 'ok' : 'failing' },
    }
  }

  private async countMigrations(): Promise<number> {
    const [row]: { count: number }[] = await this.dataSource.query(
      'SELECT count(*)::int AS count FROM migrations',
    )
    return row?.count ?? 0
  }
}
