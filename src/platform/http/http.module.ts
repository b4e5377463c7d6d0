import { Module } from '@nestjs/common'
import { APP_PIPE } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'

import { Maintenance } from '../database/maintenance.js'
import { Sealing } from '../database/sealing.js'
import { ExportSlots } from './export-slots.js'
import { Idempotency, IdempotentResponse } from './idempotency.js'
import { InputPipe } from './input/input.pipe.js'
import { Cursors } from './input/page.js'
import { RequestDurations } from './request-durations.js'
import { RouteTable } from './route-table.js'

@Module({
  imports: [TypeOrmModule.forFeature([IdempotentResponse])],
  providers: [
    Cursors,
    ExportSlots,
    Idempotency,
    Maintenance,
    RequestDurations,
    RouteTable,
    Sealing,
    { provide: APP_PIPE, useClass: InputPipe },
  ],
  exports: [Cursors, ExportSlots, Idempotency, Maintenance, RequestDurations, RouteTable, Sealing],
})
export class HttpModule {}
