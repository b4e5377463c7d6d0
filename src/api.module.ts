import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core'

import { AuditModule } from './audit/audit.module.js'
import { AuthGuard } from './auth/auth.guard.js'
import { AuthModule } from './auth/auth.module.js'
import { ClicksModule } from './clicks/clicks.module.js'
import { ConfigModule } from './config/config.module.js'
import type { RunningSettings } from './config/settings.js'
import { DatabaseModule } from './database/database.module.js'
import { HealthModule } from './health/health.module.js'
import { HttpModule } from './http/http.module.js'
import { ProblemFilter } from './http/problem.filter.js'
import { QueryGuard } from './http/query.guard.js'
import { LinksModule } from './links/links.module.js'
import { WorkspacesModule } from './workspaces/workspaces.module.js'

/** The HTTP role: the features, and what stands between a request and its handler, in that order. */
@Module({})
export class ApiModule {
  static with(settings: RunningSettings): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule,
        HttpModule,
        DiscoveryModule,
        AuditModule,
        AuthModule,
        HealthModule,
        LinksModule,
        ClicksModule,
        WorkspacesModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useExisting: AuthGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
      ],
    }
  }
}
