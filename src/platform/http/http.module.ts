import { Module } from '@nestjs/common'
import { APP_PIPE } from '@nestjs/core'
import { TypeOrmModule } from '@nestjs/typeorm'

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
    RequestDurations,
    RouteTable,
    { provide: APP_PIPE, useClass: InputPipe },
  ],
  exports: [Cursors, ExportSlots, Idempotency, RequestDurations, RouteTable],
})
export class HttpModule {}
