import { Global, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { DeliveriesOfEvent } from '../events/deliveries-of-event.js'
import { EventSink } from '../events/event-sink.js'
import { QueueModule } from '../queue/queue.module.js'
import { WebhookLanes } from '../webhooks/webhook-lanes.js'
import { WebhookUrlRules } from '../webhooks/webhook-url-rules.js'
import { Attempt } from './attempt.entity.js'
import { StoredDeliveriesOfEvent } from './deliveries-of-event.provider.js'
import { Delivery } from './delivery.entity.js'
import { FanOut } from './fan-out.js'
import { LaneHour } from './lane-hour.entity.js'
import { Lane } from './lane.entity.js'
import { LaneLedger } from './lane-ledger.js'
import { LaneWaker } from './lane-waker.js'
import { OutboundClient } from './outbound/outbound-client.js'
import { QueueWaker } from './queue-waker.js'
import { SubscriptionsRepository } from './subscriptions.repository.js'
import { ReachableUrls } from './webhook-url-rules.provider.js'
import { Worker } from './worker.entity.js'

/** Global, for events and webhooks to find here what they need of the sending without knowing it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Attempt, Delivery, Lane, LaneHour, Worker]), QueueModule],
  providers: [
    SubscriptionsRepository,
    OutboundClient,
    { provide: EventSink, useClass: FanOut },
    { provide: LaneWaker, useClass: QueueWaker },
    { provide: DeliveriesOfEvent, useClass: StoredDeliveriesOfEvent },
    { provide: WebhookLanes, useClass: LaneLedger },
    { provide: WebhookUrlRules, useClass: ReachableUrls },
  ],
  exports: [DeliveriesOfEvent, EventSink, LaneWaker, OutboundClient, WebhookLanes, WebhookUrlRules],
})
export class DeliveriesModule {}
