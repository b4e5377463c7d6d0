import { Module } from '@nestjs/common'
import type { DynamicModule, Type } from '@nestjs/common'

import { QueueModule } from '../../platform/queue/queue.module.js'
import { HealthController } from './health.controller.js'
import { HealthService } from './health.service.js'
import { DatabaseFigures, DatabaseMetrics } from './metrics/database-metrics.js'
import { Metrics, QueueMetrics } from './metrics/metrics.js'
import { ProcessMetrics } from './metrics/process-metrics.js'
import { MetricsPort } from './metrics-port.js'

/** Health checks and metrics, in every role. `measured` are the modules whose providers have metrics. */
@Module({})
export class HealthModule {
  static with(...measured: Type[]): DynamicModule {
    return {
      module: HealthModule,
      imports: [QueueModule, ...measured],
      controllers: [HealthController],
      providers: [
        DatabaseFigures,
        DatabaseMetrics,
        HealthService,
        Metrics,
        MetricsPort,
        ProcessMetrics,
        QueueMetrics,
      ],
    }
  }
}
