import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { DeliveriesOfEvent } from '../events/ports.js'
import { EventsModule } from '../events/events.module.js'
import { declarePartitions } from '../platform/database/partition-maintenance.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { NameLookup } from '../platform/outbound/name-lookup.js'
import { OUTBOUND_RULES, OutboundClient } from '../platform/outbound/outbound-client.js'
import type { OutboundRules } from '../platform/outbound/outbound-client.js'
import { declareJobs } from '../platform/queue/jobs.js'
import { QueueModule, QueueWorkModule } from '../platform/queue/queue.module.js'
import { readAuthorities } from '../webhooks/authorities.js'
import { WebhookLanes } from '../webhooks/webhook-lanes.js'
import { WebhookRequests } from '../webhooks/webhook-requests.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'
import { Attempt, attemptPartitions } from './attempt.entity.js'
import { CountDeliveries, countEveryMs } from './count-deliveries.js'
import { DeliveriesRepository, StoredDeliveriesOfEvent } from './reading/deliveries.repository.js'
import {
  DeliveriesController,
  ExplainController,
  ReplaysController,
  StatsController,
  TestSendsController,
} from './deliveries.controller.js'
import { DeliveryPause } from './delivery-pause.js'
import { Delivery, deliveryPartitions } from './delivery.entity.js'
import { ExplainRepository } from './explain/explain.repository.js'
import { ExplainService } from './explain/explain.service.js'
import { LanesRepository } from './lanes.repository.js'
import { Lane, LaneHour } from './lane.entity.js'
import { LedgerRepository } from './ledger.repository.js'
import { RedeliveryService } from './redelivery.service.js'
import { DeliveriesService } from './reading/deliveries.service.js'
import { ReplayJob, replayJobs, ReplayRunner } from './replay/replay-runner.js'
import { Replay } from './replay/replay.entity.js'
import { ReplaysRepository } from './replay/replays.repository.js'
import { ReplaysService } from './replay/replays.service.js'
import { PendingDeliveriesGuard, Retention } from './retention.js'
import { SkipService } from './skip.service.js'
import { StatsRepository } from './stats/stats.repository.js'
import { StatsService } from './stats/stats.service.js'
import { TestSendsService } from './test-send/test-sends.service.js'

/** Imported by the global module, because events and webhooks need these ports and deliveries import both. */
@Module({
  imports: [TypeOrmModule.forFeature([Attempt, Delivery, DeliveryPause, Lane, LaneHour])],
  providers: [
    OutboundClient,
    WebhookRequests,
    { provide: OUTBOUND_RULES, inject: [SETTINGS], useFactory: outboundRules },
    declarePartitions(attemptPartitions, deliveryPartitions),
    replayJobs,
    PendingDeliveriesGuard,
    { provide: DeliveriesOfEvent, useClass: StoredDeliveriesOfEvent },
    { provide: WebhookLanes, useClass: LanesRepository },
  ],
  exports: [DeliveriesOfEvent, OutboundClient, WebhookLanes, WebhookRequests],
})
export class DeliveriesModule {}

/** Background work on many deliveries. */
@Module({
  imports: [TypeOrmModule.forFeature([Replay])],
  providers: [LedgerRepository, ReplayRunner, ReplaysRepository, Retention],
  exports: [LedgerRepository, ReplayRunner, ReplaysRepository, Retention],
})
export class DeliveriesMaintenanceModule {}

function outboundRules(settings: RunningSettings): OutboundRules {
  const { dnsServers, webhookAllowHttp, webhookAllowedCidrs, webhookCaFile, webhookTimeout } = settings
  const { webhookProxy, webhookSourceAddress } = settings
  const names = new NameLookup({ servers: dnsServers })
  return {
    allowHttp: webhookAllowHttp,
    allowedNetworks: webhookAllowedCidrs ?? [],
    authorities: webhookCaFile === null ? [] : readAuthorities(webhookCaFile),
    timeoutMs: webhookTimeout * 1000,
    lookUp: (hostname) => names.findAddresses(hostname),
    proxy: webhookProxy,
    source: webhookSourceAddress,
  }
}

const maintenanceEveryMs = 60_000

/** The jobs of a worker for deliveries, except sending. */
@Module({
  imports: [QueueWorkModule, DeliveriesMaintenanceModule],
  providers: [
    CountDeliveries,
    ReplayJob,
    declareJobs({
      'count-deliveries': { everyMs: () => countEveryMs },
      'retain-deliveries': { everyMs: () => maintenanceEveryMs },
      'unfinished-replays': { everyMs: () => maintenanceEveryMs },
    }),
  ],
})
export class DeliveriesWorkerModule {}

/** The routes for deliveries. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Attempt, Delivery]),
    AuditModule,
    DeliveriesMaintenanceModule,
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
    ExplainRepository,
    ExplainService,
    RedeliveryService,
    ReplaysService,
    SkipService,
    StatsRepository,
    StatsService,
    TestSendsService,
  ],
})
export class DeliveriesApiModule {}
