import { Module } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'

import { QueueModule } from '../../platform/queue/queue.module.js'
import { HealthController } from './health.controller.js'
import { HealthService } from './health.service.js'
import { Metrics } from './metrics.js'

/** In every role. What is measured beyond the process comes from the modules that the role has. */
@Module({})
export class HealthModule {
  static with(...measured: Type[]): DynamicModule {
    return {
      module: HealthModule,
      imports: [QueueModule, ...measured],
      controllers: [HealthController],
      providers: [HealthService, Metrics],
    }
  }
}
