import { Module } from '@nestjs/common'

import { declareJobs } from '../platform/queue/jobs.js'
import { QueueModule, QueueWorkModule } from '../platform/queue/queue.module.js'
import { dayMs } from '../platform/util/clock.js'
import { AnalyticsController } from './analytics.controller.js'
import { CompareJob, Comparison } from './comparison.js'
import { checkEveryMs } from './limits.js'
import { AnalyticsLag, CheckpointsRepository } from './rolling/checkpoints.repository.js'
import { AnalyticsRepository } from './query/analytics.repository.js'
import { AnalyticsService } from './query/analytics.service.js'
import { KeptClicks } from './rolling/kept-clicks.js'
import { RollJob } from './rolling/roll.job.js'
import { Roller } from './rolling/roller.js'

declare module '../platform/queue/jobs.js' {
  interface Jobs {
    /** Counts pending clicks. */
    'roll-clicks': Record<string, never>
    /** Compares the analytics with the recorded clicks. */
    'compare-clicks': Record<string, never>
  }
}

const compareEveryMs = dayMs

const analyticsJobs = declareJobs({
  'roll-clicks': { everyMs: () => checkEveryMs },
  'compare-clicks': { everyMs: () => compareEveryMs },
})

/** Declares the jobs, protects uncounted clicks from retention, and measures the lag. Loaded by every role. */
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

/** Runs the jobs that count clicks. */
@Module({
  imports: [QueueWorkModule, AnalyticsModule],
  providers: [CheckpointsRepository, CompareJob, Comparison, RollJob, Roller],
})
export class AnalyticsWorkerModule {}
