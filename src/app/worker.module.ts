import { Injectable, Module } from '@nestjs/common'
import type { CanActivate, DynamicModule, ExecutionContext } from '@nestjs/common'
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core'
import type { FastifyRequest } from 'fastify'

import { AnalyticsModule, AnalyticsWorkerModule } from '../analytics/analytics.module.js'
import { TokensWorkerModule } from '../auth/auth.module.js'
import { ClicksWorkerModule } from '../clicks/maintenance/clicks-worker.module.js'
import { GlobalModule } from '../platform/config/global.module.js'
import type { RunningSettings } from '../settings.js'
import { history } from '../migrations/history.js'
import { DatabaseModule } from '../platform/database/database.module.js'
import { DeliveriesModule, DeliveriesWorkerModule } from '../deliveries/deliveries.module.js'
import { DispatchFiguresModule, DispatchModule, DispatchWorkerModule } from '../dispatch/dispatch.module.js'
import { EventsModule } from '../events/events.module.js'
import { ImportsWorkerModule } from '../links/import/imports.module.js'
import { HealthModule } from './health/health.module.js'
import { KeysWorkerModule } from './keys/reseal.job.js'
import { ProcessesModule } from './processes/processes.module.js'
import { HttpModule } from '../platform/http/http.module.js'
import { Problem } from '../platform/http/problems/problem.js'
import { ProblemFilter } from '../platform/http/problems/problem.filter.js'
import { NoticeOutboxModule, NoticesWorkerModule } from '../notices/notices.module.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'

/** Hides all routes that require a token, because a worker cannot check tokens. */
@Injectable()
class PublicOnly implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { routeOptions } = context.switchToHttp().getRequest<FastifyRequest>()
    if (routeOptions.config.access?.kind === 'public') return true
    throw new Problem('not_found')
  }
}

/** Modules for jobs and background work, in the roles `worker` and `all`. */
export const workModules = [
  AnalyticsWorkerModule,
  ClicksWorkerModule,
  DeliveriesWorkerModule,
  DispatchWorkerModule,
  ImportsWorkerModule,
  KeysWorkerModule,
  NoticesWorkerModule,
  TokensWorkerModule,
]

/** The role `worker`: jobs and background work, and the routes for health and metrics. */
@Module({})
export class WorkerModule {
  static with(settings: RunningSettings): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        GlobalModule.forRoot(
          settings,
          DatabaseModule.forRoot(history),
          HttpModule,
          DeliveriesModule,
          DispatchModule,
          NoticeOutboxModule,
        ),
        DiscoveryModule,
        HealthModule.with(AnalyticsModule, DispatchFiguresModule, ...workModules),
        ProcessesModule.with(),
        EventsModule,
        WebhooksModule,
        AnalyticsModule,
        ...workModules,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: PublicOnly },
      ],
    }
  }
}
