import { Injectable, Logger } from '@nestjs/common'
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'
import type { EntityManager } from 'typeorm'

import { allowLongerStatements, backgroundMayTakeMs } from '../database/pg-client.js'
import { every } from '../util/timers.js'

const waitMs = 600_000

interface MaintenanceWork {
  failed: string
  run: (tx: EntityManager) => Promise<void>
}

/**
 * Deletes old rows from the database every ten minutes, such as stored answers and request counts. Each process does so
 * for itself, and not as a job: a second deletion finds nothing, and none waits for a queue that is out of reach.
 */
@Injectable()
export class Maintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(Maintenance.name)
  private readonly works: MaintenanceWork[] = []
  private readonly stops: (() => void)[] = []

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Call this while the application is put together. `failed` begins the log line when the work fails. */
  add(failed: string, run: (tx: EntityManager) => Promise<void>): void {
    this.works.push({ failed, run })
  }

  onApplicationBootstrap(): void {
    for (const { failed, run } of this.works)
      this.stops.push(
        every({
          waitMs,
          work: () => this.work(run),
          onFailure: (error) => this.logger.warn(`${failed}: ${error.message}`),
        }),
      )
  }

  onApplicationShutdown(): void {
    for (const stop of this.stops) stop()
  }

  private work(run: MaintenanceWork['run']): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundMayTakeMs)
      await run(tx)
    })
  }
}
