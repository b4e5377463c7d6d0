/** Gives the declared tables the partitions of the coming weeks, and drops those that are past their retention. */
import { Inject, Injectable, Logger } from '@nestjs/common'
import type { FactoryProvider, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import { DiscoveryService } from '@nestjs/core'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { every } from '../util/timers.js'
import { dropPartitionsBefore, makeUpcomingPartitions } from './partitions.js'
import type { DropGuard, PartitionedTable } from './partitions.js'

const maintenanceEveryMs = 6 * 3_600_000

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
    await this.run()
    this.stop = every({
      waitMs: maintenanceEveryMs,
      work: () => this.run(),
      onFailure: (error) => this.logger.error(`Partitions could not be made or dropped: ${String(error)}`),
    })
  }

  onApplicationShutdown(): void {
    this.stop()
  }

  private async run(): Promise<void> {
    const tables = this.discovery
      .getProviders()
      .flatMap(({ instance }) => (instance instanceof DeclaredTables ? instance.tables : []))
    await this.dataSource.transaction((tx) => makeUpcomingPartitions(tx, tables))
    for (const table of tables) if (table.keep) await this.dropOlderThan(table, table.keep(this.settings))
  }

  private async dropOlderThan(table: PartitionedTable, seconds: number): Promise<void> {
    const oldest = new Date(Date.now() - seconds * 1000)
    await this.dataSource.transaction((tx) =>
      dropPartitionsBefore(tx, table, oldest, this.guards.get(table.name)),
    )
  }
}
