import { Module } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'

import { JobHandlers } from './job-handlers.js'
import { QueueProcessor } from './queue.processor.js'
import { QueueModule } from './queue.module.js'
import { RepeatedJobs } from './repeated-jobs.js'

/** What makes a process a worker. A module that handles jobs imports it. */
@Module({
  imports: [QueueModule, DiscoveryModule],
  providers: [JobHandlers, QueueProcessor, RepeatedJobs],
})
export class QueueWorkModule {}
