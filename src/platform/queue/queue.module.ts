import { BullModule } from '@nestjs/bullmq'
import { Module } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'

import { SETTINGS } from '../config/settings.js'
import type { RunningSettings } from '../config/settings.js'
import { connectionTo, queueName, useOurBackends } from './backend.js'
import { JobQueue } from './job-queue.js'
import { JobRegistry } from './jobs.js'

/** Giving work to the workers; doing it is QueueWorkModule's. */
@Module({
  imports: [
    DiscoveryModule,
    BullModule.forRootAsync({
      inject: [SETTINGS],
      useFactory: (settings: RunningSettings) => {
        useOurBackends()
        return {
          connection: connectionTo(settings),
          // BullMQ's own log of events, which nobody reads here.
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
