import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { DeliveriesMaintenanceModule } from '../deliveries/deliveries.module.js'
import { LaneWaker } from '../deliveries/lanes.repository.js'
import { EventSink } from '../events/ports.js'
import { QueueModule, QueueWorkModule } from '../platform/queue/queue.module.js'
import { WebhookHealthModule, WebhooksModule } from '../webhooks/webhooks.module.js'
import { Dispatcher } from './dispatcher.js'
import { DuePoller } from './due-poller.js'
import { FanOut } from './fan-out.js'
import { Heartbeat, Worker, WorkersRepository } from './heartbeat.js'
import { LaneServer } from './lane-server.js'
import { LeasesRepository } from './leases.repository.js'
import { dispatchJobs, LaneJob, MaintenanceJob, ManyLanesJob, QueueWaker } from './worker-jobs.js'
import { ResultsWriter } from './results-writer.js'
import { Sender } from './sender.js'

/** Shared by the global module, because events and deliveries, which dispatch imports, need its ports. */
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

/** What a worker does for the deliveries. */
@Module({
  imports: [QueueWorkModule, DeliveriesMaintenanceModule, WebhooksModule, WebhookHealthModule],
  providers: [
    Dispatcher,
    DuePoller,
    Heartbeat,
    LaneJob,
    LaneServer,
    LeasesRepository,
    MaintenanceJob,
    ManyLanesJob,
    ResultsWriter,
    Sender,
    WorkersRepository,
  ],
  exports: [Dispatcher],
})
export class DispatchWorkerModule {}
