import { Module } from '@nestjs/common'

import { QueueModule, QueueWorkModule } from '../platform/queue/queue.module.js'
import { AnalyticsController } from './analytics.controller.js'
import { CompareJob, Comparison } from './comparison.js'
import { AnalyticsProgress, RollingPlacesRepository } from './rolling/rolling-places.repository.js'
import { analyticsJobs } from './analytics-jobs.js'
import { AnalyticsRepository } from './query/analytics.repository.js'
import { AnalyticsService } from './query/analytics.service.js'
import { KeptClicks } from './rolling/kept-clicks.js'
import { Months } from './rolling/months.js'
import { RollJob } from './rolling/roll.job.js'
import { Roller } from './rolling/roller.js'
import { RunningSums } from './rolling/running-sums.js'

/** For every role: guards the clicks that figures still need, and says how far the figures have come. */
@Module({
  imports: [QueueModule],
  providers: [analyticsJobs, AnalyticsProgress, KeptClicks],
  exports: [AnalyticsProgress],
})
export class AnalyticsModule {}

@Module({
  controllers: [AnalyticsController],
  providers: [AnalyticsRepository, AnalyticsService],
})
export class AnalyticsApiModule {}

/** What a worker does for the figures. */
@Module({
  imports: [QueueWorkModule],
  providers: [CompareJob, Comparison, Months, RollingPlacesRepository, RollJob, Roller, RunningSums],
})
export class AnalyticsWorkerModule {}
