import { BullModule } from '@nestjs/bullmq'
import { Module } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'

import { SETTINGS } from '../../settings.js'
import type { RunningSettings } from '../../settings.js'
import { toConnectionOptions, queueName, registerBackends } from './backend.js'
import { JobHandlers, JobRegistry } from './jobs.js'
import { JobQueue, RepeatedJobs } from './job-queue.js'
import { QueueProcessor } from './queue.processor.js'

/** Lets a process add jobs to the queue. QueueWorkModule lets it run them. */
@Module({
  imports: [
    DiscoveryModule,
    BullModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: RunningSettings) => {
        registerBackends()
        return {
          connection: toConnectionOptions(settings),
          // BullMQ keeps a log of events, which is not used here.
          streams: { events: { maxLen: 256 } },
        }
      },
    }),
    BullModule.registerQueue({ name: queueName }),
  ],
  providers: [JobQueue, JobRegistry],
  exports: [JobQueue, JobRegistry],
})
export class QueueModule {}

/** Makes a process a worker. A module that handles jobs imports it. */
@Module({
  imports: [QueueModule, DiscoveryModule],
  providers: [JobHandlers, QueueProcessor, RepeatedJobs],
  exports: [QueueProcessor],
})
export class QueueWorkModule {}
