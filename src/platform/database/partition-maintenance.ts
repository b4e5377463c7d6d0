/** Creates the partitions of the coming weeks for the declared tables, and drops those past their retention. */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { FactoryProvider, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { currentMs, currentTime, dayMs } from '../util/clock.js'
import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { runPeriodically } from '../util/timers.js'
import { allowLongerStatements, backgroundTimeoutMs } from './pg-client.js'
import { dropPartitionsBefore, createUpcomingPartitions } from './partitions.js'
import type { DropGuard, PartitionedTable } from './partitions.js'

const maintenanceIntervalMs = 6 * 3_600_000
const afterFailureMs = 10 * 60_000
/** A start with a wrong clock drops nothing if the clock is corrected in this time. */
const firstDropMs = 10 * 60_000
/** How often to check for a new day, which needs no query. The day changes at midnight, and when the clock is stepped. */
const dayCheckMs = 10_000

class DeclaredTables {
  constructor(readonly tables: readonly PartitionedTable[]) {}
}

/** Declares partitioned tables. Add it to the `providers` of the module that writes the tables. */
export function declarePartitions(...tables: PartitionedTable[]): FactoryProvider {
  return { provide: Symbol('partitioned tables'), useFactory: () => new DeclaredTables(tables) }
}

/**
 * Runs in each process, under a lock, and not as a job: without partitions nothing can be written, so their creation
 * must not depend on a queue that may be unreachable.
 */
@Injectable()
export class PartitionMaintenance implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(PartitionMaintenance.name)
  private readonly guards = new Map<string, DropGuard>()
  /** The day for which partitions were last created, counted from the Unix epoch. */
  private coveredDay: number | null = null
  private isNewDayFailing = false
  private stop: () => void = () => undefined

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly discovery: DiscoveryService,
  ) {}

  /** Drops old partitions of the table only if `mayDrop` allows it. Call this before the application starts. */
  guard(table: PartitionedTable, mayDrop: DropGuard): void {
    this.guards.set(table.name, mayDrop)
  }

  async onApplicationBootstrap(): Promise<void> {
    // Only the partitions of today and tomorrow are required. Creating the others may fail on a lock, and is retried.
    await this.createForNewDay()
    await this.createUpcomingPartitions().catch((error: Error) => this.logFailure(error))
    const stops = [
      runPeriodically({
        waitMs: dayCheckMs,
        work: () => this.checkForNewDay(),
      }),
      runPeriodically({
        firstWaitMs: firstDropMs,
        waitMs: maintenanceIntervalMs,
        afterFailureMs,
        work: () => this.maintainPartitions(),
        onFailure: (error) => this.logFailure(error),
      }),
    ]
    this.stop = () => stops.forEach((stop) => stop())
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  async maintainPartitions(): Promise<void> {
    await this.createUpcomingPartitions()
    await this.dropOldPartitions()
  }

  /** Logs only the first failure in a row, because it runs every ten seconds. */
  async checkForNewDay(): Promise<void> {
    try {
      await this.createForNewDay()
      this.isNewDayFailing = false
    } catch (error) {
      if (!this.isNewDayFailing) this.logFailure(error as Error)
      this.isNewDayFailing = true
    }
  }

  private logFailure(error: Error): void {
    this.logger.error(`Partitions could not be created or dropped: ${error.message}`)
  }

  private get tables(): PartitionedTable[] {
    return this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof DeclaredTables ? instance.tables : []))
  }

  /** After a step of the clock, the partitions that exist may end before today. */
  private async createForNewDay(): Promise<void> {
    const today = Math.floor(currentMs() / dayMs)
    if (today === this.coveredDay) return
    await this.createUpcomingPartitions(1)
    this.coveredDay = today
  }

  private createUpcomingPartitions(days?: number): Promise<void> {
    return this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundTimeoutMs)
      await createUpcomingPartitions(tx, this.tables, currentTime(), days)
    })
  }

  /** Drops old partitions. A failure for one table does not affect the others. */
  private async dropOldPartitions(): Promise<void> {
    const failures: unknown[] = []
    for (const table of this.tables)
      await this.dropOldTablePartitions(table).catch((error: unknown) => failures.push(error))
    if (failures.length > 0) throw failures[0]
  }

  private async dropOldTablePartitions(table: PartitionedTable): Promise<void> {
    if (!table.keep) return
    const oldest = new Date(currentMs() - table.keep(this.settings) * 1000)
    await this.dataSource.transaction(async (tx) => {
      await allowLongerStatements(tx, backgroundTimeoutMs)
      await dropPartitionsBefore(tx, table, oldest, this.guards.get(table.name))
    })
  }
}
