import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { DeliveriesMaintenanceModule } from '../deliveries/deliveries.module.js'
import { DeliveryPauses } from '../deliveries/delivery-pause.js'
import { LaneWaker } from '../deliveries/pending-deliveries.js'
import { EventSink } from '../events/ports.js'
import { QueueModule, QueueWorkModule } from '../platform/queue/queue.module.js'
import { WebhookHealthModule, WebhooksModule } from '../webhooks/webhooks.module.js'
import { AttemptOutcomes } from './attempt-outcomes.js'
import { BatchClaims } from './batch-claims.js'
import { BatchesRepository } from './batches.repository.js'
import { DeliveryFiguresRepository } from './delivery-figures.repository.js'
import { Dispatcher } from './dispatcher.js'
import { DuePoller } from './due-poller.js'
import { FanOut } from './fan-out.js'
import { Heartbeat } from './heartbeat.js'
import { LaneClaims } from './lane-claims.js'
import { LaneReleases } from './lane-releases.js'
import { LaneServer } from './lane-server.js'
import { LeasesRepository } from './leases.repository.js'
import { OrderedClaims } from './ordered-claims.js'
import { ProxyLine } from './proxy-line.js'
import { QueueWaker } from './queue-waker.js'
import { ResultsWriter } from './results-writer.js'
import { SendPermits } from './send-permits.js'
import { Sender } from './sender.js'
import { dispatchJobs, LaneJob, MaintenanceJob, ManyLanesJob } from './worker-jobs.js'
import { Worker, WorkersRepository } from './workers.repository.js'

/** Imported by the global module, because events and deliveries need these ports and dispatch imports both. */
@Module({
  imports: [TypeOrmModule.forFeature([Worker]), QueueModule],
  providers: [
    dispatchJobs,
    { provide: EventSink, useClass: FanOut },
    QueueWaker,
    { provide: LaneWaker, useExisting: QueueWaker },
  ],
  exports: [EventSink, LaneWaker, QueueWaker],
})
export class DispatchModule {}

/** Reads the state of deliveries for the metrics, in every role. */
@Module({
  providers: [DeliveryFiguresRepository, DeliveryPauses, LeasesRepository, WorkersRepository],
  exports: [DeliveryFiguresRepository, DeliveryPauses, LeasesRepository, WorkersRepository],
})
export class DispatchFiguresModule {}

/** Sends deliveries in a worker. */
@Module({
  imports: [
    DeliveriesMaintenanceModule,
    DispatchFiguresModule,
    QueueWorkModule,
    WebhookHealthModule,
    WebhooksModule,
  ],
  providers: [
    AttemptOutcomes,
    BatchClaims,
    BatchesRepository,
    Dispatcher,
    DuePoller,
    Heartbeat,
    LaneClaims,
    LaneJob,
    LaneReleases,
    LaneServer,
    MaintenanceJob,
    ManyLanesJob,
    OrderedClaims,
    ProxyLine,
    ResultsWriter,
    Sender,
    SendPermits,
  ],
  exports: [Dispatcher],
})
export class DispatchWorkerModule {}
