import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { declarePartitions } from '../platform/database/partition-maintenance.js'
import { EventRecorder } from './event-recorder.js'
import { eventPartitions, EventRow } from './event.entity.js'
import { EventsController } from './events.controller.js'
import { EventsRepository } from './events.repository.js'
import { EventsService } from './events.service.js'

/** Records events. The provider of `EventSink` creates their deliveries. */
@Module({
  imports: [TypeOrmModule.forFeature([EventRow])],
  providers: [EventRecorder, EventsRepository, declarePartitions(eventPartitions)],
  exports: [EventRecorder, EventsRepository],
})
export class EventsModule {}

/** The event routes, which only the API role serves. */
@Module({
  imports: [EventsModule],
  controllers: [EventsController],
  providers: [EventsService],
})
export class EventsApiModule {}
