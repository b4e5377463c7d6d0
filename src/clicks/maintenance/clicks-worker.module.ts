import { Module } from '@nestjs/common'

import { declareJobs } from '../../platform/queue/jobs.js'
import { QueueWorkModule } from '../../platform/queue/queue.module.js'
import { ClosedWeeks, ClosedWeeksJob } from './closed-weeks.js'

/** Each run rebuilds one index, which uses one processor for several seconds. */
const rebuildEveryMs = 300_000

/** The worker's jobs for clicks. */
@Module({
  imports: [QueueWorkModule],
  providers: [
    ClosedWeeks,
    ClosedWeeksJob,
    declareJobs({ 'rebuild-click-indexes': { everyMs: () => rebuildEveryMs } }),
  ],
})
export class ClicksWorkerModule {}
