import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { allowLongerStatements, backgroundTimeoutMs } from './pg-client.js'
import { runPeriodically } from '../util/timers.js'

const waitMs = 600_000

interface MaintenanceWork {
  /** The start of the log line after a failure. */
  failure: string
  run: (tx: EntityManager) => Promise<void>
}

/**
 * Deletes old rows from the database every ten minutes, such as stored responses and request counts. Runs in each
 * process and not as a job: repeated deletions find nothing, and the queue may be unreachable.
 */
@Injectable()
export class Maintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Maintenance.name)
  private readonly works: MaintenanceWork[] = []
  private readonly stops: (() => void)[] = []

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Adds work. Call this before the application starts. */
  addWork(failure: string, run: (tx: EntityManager) => Promise<void>): void {
    this.works.push({ failure, run })
  }

  onApplicationBootstrap(): void {
    for (const { failure, run } of this.works)
      this.stops.push(
        runPeriodically({
          waitMs,
          work: () => this.runWork(run),
          onFailure: (error) => this.logger.warn(`${failure}: ${error.message}`),
        }),
      )
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop()
  }

  private runWork(run: MaintenanceWork['run']): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundTimeoutMs)
      await run(tx)
    })
  }
}
