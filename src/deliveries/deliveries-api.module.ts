import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { EventsModule } from '../events/events.module.js'
import { Webhook } from '../webhooks/webhook.entity.js'
import { QueueModule } from '../platform/queue/queue.module.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'
import { Attempt } from './attempt.entity.js'
import { DeliveriesUpkeepModule } from './deliveries-upkeep.module.js'
import { Delivery } from './delivery.entity.js'
import { ExplainController } from './explain/explain.controller.js'
import { ExplainService } from './explain/explain.service.js'
import { DeliveriesController } from './reading/deliveries.controller.js'
import { DeliveriesRepository } from './reading/deliveries.repository.js'
import { DeliveriesService } from './reading/deliveries.service.js'
import { RedeliveryService } from './reading/redelivery.service.js'
import { ReplaysController } from './replay/replays.controller.js'
import { ReplaysService } from './replay/replays.service.js'
import { StatsController } from './stats/stats.controller.js'
import { StatsRepository } from './stats/stats.repository.js'
import { StatsService } from './stats/stats.service.js'
import { TestSendsController } from './test-send/test-sends.controller.js'
import { TestSendsRepository } from './test-send/test-sends.repository.js'
import { TestSendsService } from './test-send/test-sends.service.js'
import { WebhookLookup } from './webhook-lookup.js'

/** The calls about deliveries: reading and explaining them, sending them again, and tests. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Attempt, Delivery, Webhook]),
    DeliveriesUpkeepModule,
    EventsModule,
    QueueModule,
    WebhooksModule,
  ],
  controllers: [
    DeliveriesController,
    ExplainController,
    ReplaysController,
    StatsController,
    TestSendsController,
  ],
  providers: [
    DeliveriesRepository,
    DeliveriesService,
    ExplainService,
    RedeliveryService,
    ReplaysService,
    StatsRepository,
    StatsService,
    TestSendsRepository,
    TestSendsService,
    WebhookLookup,
  ],
})
export class DeliveriesApiModule {}
