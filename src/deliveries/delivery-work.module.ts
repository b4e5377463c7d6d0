import { Module } from '@nestjs/common'

import { AuditModule } from '../audit/audit.module.js'
import { EventsModule } from '../events/events.module.js'
import { QueueWorkModule } from '../queue/queue-work.module.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'
import { DeliveriesUpkeepModule } from './deliveries-upkeep.module.js'
import { Disabling } from './disabling.js'
import { DueWatch } from './lanes/due-watch.js'
import { Heartbeat } from './lanes/heartbeat.js'
import { LaneStore } from './lanes/lane-store.js'
import { LaneWork } from './lanes/lane-work.js'
import { Lanes } from './lanes/lanes.js'
import { ManyLanesWork } from './lanes/many-lanes-work.js'
import { ResultsWriter } from './lanes/results-writer.js'
import { Sender } from './lanes/sender.js'
import { ReplayJob } from './replay/replay-job.js'
import { Upkeep } from './upkeep.js'

/** What a worker does for the deliveries. */
@Module({
  imports: [QueueWorkModule, AuditModule, DeliveriesUpkeepModule, EventsModule, WebhooksModule],
  providers: [
    Disabling,
    DueWatch,
    Heartbeat,
    LaneStore,
    LaneWork,
    Lanes,
    ManyLanesWork,
    ReplayJob,
    ResultsWriter,
    Sender,
    Upkeep,
  ],
  exports: [Lanes],
})
export class DeliveryWorkModule {}
