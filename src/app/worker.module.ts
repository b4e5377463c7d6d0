import { Injectable, Module } from '@nestjs/common'
import type { CanActivate, DynamicModule, ExecutionContext } from '@nestjs/common'
import { APP_FILTER, APP_GUARD, DiscoveryModule, Reflector } from '@nestjs/core'

import { AnalyticsModule, AnalyticsWorkerModule } from '../analytics/analytics.module.js'
import { access } from '../auth/access.js'
import type { Access } from '../auth/access.js'
import { ConfigModule } from '../platform/config/config.module.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { DatabaseModule } from '../platform/database/database.module.js'
import { DeliveriesModule } from '../deliveries/deliveries.module.js'
import { DispatchModule, DispatchWorkerModule } from '../dispatch/dispatch.module.js'
import { EventsModule } from '../events/events.module.js'
import { HealthModule } from './health/health.module.js'
import { HttpModule } from '../platform/http/http.module.js'
import { Problem } from '../platform/http/problem.js'
import { ProblemFilter } from '../platform/http/problem.filter.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'

/** Nobody can be asked for a token here, so what is not for everybody is for nobody. */
@Injectable()
class PublicOnly implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    if (this.reflector.get<Access | undefined>(access, context.getHandler())?.kind === 'public') return true
    throw new Problem('not_found')
  }
}

/** The worker role: the work behind the API, and of HTTP only what says how it is. */
@Module({})
export class WorkerModule {
  static with(settings: RunningSettings): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule,
        HttpModule,
        DiscoveryModule,
        HealthModule.with(AnalyticsModule, DispatchWorkerModule),
        EventsModule,
        WebhooksModule,
        DeliveriesModule,
        DispatchModule,
        DispatchWorkerModule,
        AnalyticsModule,
        AnalyticsWorkerModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useClass: PublicOnly },
      ],
    }
  }
}
