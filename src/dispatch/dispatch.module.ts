import { Global, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { LaneWaker } from '../deliveries/lane-waker.js'
import { EventSink } from '../events/event-sink.js'
import { QueueModule } from '../platform/queue/queue.module.js'
import { FanOut } from './fan-out.js'
import { QueueWaker } from './queue-waker.js'
import { Worker } from './worker.entity.js'

/** Global, for events and deliveries to find here what they need of the sending without knowing it. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([Worker]), QueueModule],
  providers: [
    { provide: EventSink, useClass: FanOut },
    { provide: LaneWaker, useClass: QueueWaker },
  ],
  exports: [EventSink, LaneWaker],
})
export class DispatchModule {}
