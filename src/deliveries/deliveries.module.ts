import { Global, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { DeliveriesOfEvent } from '../events/deliveries-of-event.js'
import { OutboundClient } from '../platform/outbound/outbound-client.js'
import { WebhookLanes } from '../webhooks/webhook-lanes.js'
import { WebhookUrlRules } from '../webhooks/webhook-url-rules.js'
import { Attempt } from './attempt.entity.js'
import { StoredDeliveriesOfEvent } from './deliveries-of-event.provider.js'
import { Delivery } from './delivery.entity.js'
import { LaneHour } from './lane-hour.entity.js'
import { Lane } from './lane.entity.js'
import { LaneLedger } from './lane-ledger.js'
import { replayJobs } from './replay/jobs.js'
import { ReachableUrls } from './webhook-url-rules.provider.js'

/** Global, for events and webhooks to find here what they need of deliveries without knowing them. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Attempt, Delivery, Lane, LaneHour])],
  providers: [
    OutboundClient,
    replayJobs,
    { provide: DeliveriesOfEvent, useClass: StoredDeliveriesOfEvent },
    { provide: WebhookLanes, useClass: LaneLedger },
    { provide: WebhookUrlRules, useClass: ReachableUrls },
  ],
  exports: [DeliveriesOfEvent, OutboundClient, WebhookLanes, WebhookUrlRules],
})
export class DeliveriesModule {}
