import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { AfterCommit } from './after-commit.js'
import { ChangeFeed } from './change-feed.js'
import { type Migrations, dataSourceOptions, newDataSource } from './data-source.js'
import { DatabaseClock } from './database-clock.js'
import { FeedWatch } from './feed-watch.js'
import { Maintenance } from './maintenance.js'
import { PartitionMaintenance } from './partition-maintenance.js'
import { statementTimeoutMs } from './pg-client.js'
import { isPooled } from './pooler.js'
import { PROCESS_ID, processId } from './process-id.js'
import { Sealing } from './sealing.js'

@Module({
  imports: [DiscoveryModule],
  providers: [
    AfterCommit,
    ChangeFeed,
    DatabaseClock,
    FeedWatch,
    Maintenance,
    PartitionMaintenance,
    Sealing,
    processId,
  ],
  exports: [ChangeFeed, FeedWatch, Maintenance, PartitionMaintenance, PROCESS_ID, Sealing],
})
export class DatabaseModule {
  /** The readiness check compares these migrations with the applied ones. */
  static forRoot(migrations: Migrations): DynamicModule {
    const typeOrm = TypeOrmModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: RunningSettings) => ({
        ...dataSourceOptions(
          settings.databaseUrl,
          settings.databasePoolSize,
          statementTimeoutMs,
          isPooled(settings),
        ),
        migrations,
        autoLoadEntities: true,
        retryAttempts: 0,
        // The API document is generated from the modules, without a database.
        manualInitialization: settings.databaseUrl === '',
      }),
      // Nest initializes the data source that this returns.
      dataSourceFactory: (options) => Promise.resolve(newDataSource(options!)),
    })
    return { module: DatabaseModule, imports: [typeOrm] }
  }
}
