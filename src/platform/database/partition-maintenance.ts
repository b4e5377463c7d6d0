/** Gives the declared tables the partitions of the coming weeks, and drops those that are past their retention. */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { FactoryProvider, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { currentMs, currentTime } from '../util/clock.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { every } from '../util/timers.js'
import { allowLongerStatements, backgroundMayTakeMs } from './pg-client.js'
import { dropPartitionsBefore, makeUpcomingPartitions } from './partitions.js'
import type { DropGuard, PartitionedTable } from './partitions.js'

const maintenanceEveryMs = 6 * 3_600_000
const afterFailureMs = 10 * 60_000

class DeclaredTables {
  constructor(readonly tables: readonly PartitionedTable[]) {}
}

/** Declares partitioned tables, in the `providers` of the module that writes them. */
export function declarePartitions(...tables: PartitionedTable[]): FactoryProvider {
  return { provide: Symbol('partitioned tables'), useFactory: () => new DeclaredTables(tables) }
}

/**
 * Each process does this for itself, under a lock, and not as a job. Without the partitions of next week nothing can be
 * written, so they must not depend on a queue that may be out of reach.
 */
@Injectable()
export class PartitionMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PartitionMaintenance.name)
  private readonly guards = new Map<string, DropGuard>()
  private stop: () => void = () => undefined

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Drops old partitions of the table only if `mayDrop` agrees. Call it while the application is put together. */
  guard(table: PartitionedTable, mayDrop: DropGuard): void {
    this.guards.set(table.name, mayDrop)
  }

  async onApplicationBootstrap(): Promise<void> {
    // A start needs the partitions of today and tomorrow. The others can wait until nobody reads the table.
    await this.makeUpcoming(1)
    let firstWaitMs = maintenanceEveryMs
    await this.run().catch((error: Error) => {
      this.failed(error)
      firstWaitMs = afterFailureMs
    })
    this.stop = every({
      firstWaitMs,
      waitMs: maintenanceEveryMs,
      afterFailureMs,
      work: () => this.run(),
      onFailure: (error) => this.failed(error),
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  private failed(error: Error): void {
    this.logger.error(`Partitions could not be made or dropped: ${error.message}`)
  }

  private get tables(): PartitionedTable[] {
    return this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof DeclaredTables ? instance.tables : []))
  }

  private async run(): Promise<void> {
    await this.makeUpcoming()
    await this.dropOld()
  }

  private makeUpcoming(days?: number): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundMayTakeMs)
      await makeUpcomingPartitions(tx, this.tables, currentTime(), days)
    })
  }

  /** A table whose old rows cannot be dropped now does not keep the others from it. */
  private async dropOld(): Promise<void> {
    const failures: unknown[] = []
    for (const table of this.tables)
      await this.dropOldOf(table).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  private async dropOldOf(table: PartitionedTable): Promise<void> {
    if (!table.keep) return
    const oldest = new Date(currentMs() - table.keep(this.settings) * 1000)
    await this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundMayTakeMs)
      await dropPartitionsBefore(tx, table, oldest, this.guards.get(table.name))
    })
  }
}
