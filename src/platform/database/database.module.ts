import { Global, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { AfterCommit } from './after-commit.js'
import { ChangeFeed } from './change-feed.js'
import { dataSourceOptions } from './data-source.js'
import { PartitionMaintenance } from './partition-maintenance.js'

@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: RunningSettings) => ({
        ...dataSourceOptions(settings.databaseUrl),
        autoLoadEntities: true,
        retryAttempts: 0,
        // Describing the API needs the modules, but no database.
        manualInitialization: settings.databaseUrl === '',
      }),
    }),
  ],
  providers: [AfterCommit, ChangeFeed, PartitionMaintenance],
  exports: [ChangeFeed, PartitionMaintenance],
})
export class DatabaseModule {}
