import { Module } from '@nestjs/common'

import { QueueWorkModule } from '../platform/queue/queue-work.module.js'
import { WebhookHealthModule, WebhooksModule } from '../webhooks/webhooks.module.js'
import { DeliveriesUpkeepModule } from '../deliveries/deliveries-upkeep.module.js'
import { DueWatch } from './due-watch.js'
import { Heartbeat } from './heartbeat.js'
import { LaneStore } from './lane-store.js'
import { LaneWork } from './lane-work.js'
import { Lanes } from './lanes.js'
import { ManyLanesWork } from './many-lanes-work.js'
import { ResultsWriter } from './results-writer.js'
import { Sender } from './sender.js'
import { ReplayJob } from '../deliveries/replay/replay-job.js'
import { Upkeep } from './upkeep.js'

/** What a worker does for the deliveries. */
@Module({
  imports: [QueueWorkModule, DeliveriesUpkeepModule, WebhooksModule, WebhookHealthModule],
  providers: [
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
