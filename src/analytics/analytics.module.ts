import { Module } from '@nestjs/common'

import { QueueModule, QueueWorkModule } from '../platform/queue/queue.module.js'
import { AnalyticsController } from './analytics.controller.js'
import { CompareJob, Comparison } from './comparison.js'
import { AnalyticsLag, CheckpointsRepository } from './rolling/checkpoints.repository.js'
import { analyticsJobs } from './analytics-jobs.js'
import { AnalyticsRepository } from './query/analytics.repository.js'
import { AnalyticsService } from './query/analytics.service.js'
import { KeptClicks } from './rolling/kept-clicks.js'
import { RollJob } from './rolling/roll.job.js'
import { Roller } from './rolling/roller.js'

/** For every role: keeps clicks that are not counted yet, and measures how long they wait. */
@Module({
  imports: [QueueModule],
  providers: [analyticsJobs, AnalyticsLag, KeptClicks],
  exports: [AnalyticsLag],
})
export class AnalyticsModule {}

@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsRepository, AnalyticsService],
})
export class AnalyticsApiModule {}

/** Counts clicks in the background. */
@Module({
  imports: [QueueWorkModule],
  providers: [CheckpointsRepository, CompareJob, Comparison, RollJob, Roller],
})
export class AnalyticsWorkerModule {}
