import { Global, Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { Sealing } from '../database/sealing.js'
import { HttpMaintenance } from './maintenance.js'
import { Idempotency } from './idempotency.js'
import { IdempotentAnswer } from './idempotent-answer.entity.js'
import { Cursors } from './page.js'
import { RateLimit } from './rate-limit.js'
import { RouteTable } from './route-table.js'

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotentAnswer])],
  providers: [Cursors, HttpMaintenance, Idempotency, RateLimit, RouteTable, Sealing],
  exports: [Cursors, Idempotency, RateLimit, RouteTable, Sealing],
})
export class HttpModule {}
