import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'
import { APP_FILTER, APP_GUARD, DiscoveryModule } from '@nestjs/core'

import { AnalyticsApiModule, AnalyticsModule } from '../analytics/analytics.module.js'
import { AuditApiModule } from '../audit/audit.module.js'
import { AuthGuard } from '../auth/auth.guard.js'
import { AuthModule } from '../auth/auth.module.js'
import { ClicksModule } from '../clicks/clicks.module.js'
import { GlobalModule } from '../platform/config/global.module.js'
import type { RunningSettings } from '../settings.js'
import { history } from '../migrations/history.js'
import { DatabaseModule } from '../platform/database/database.module.js'
import { DeliveriesApiModule, DeliveriesModule } from '../deliveries/deliveries.module.js'
import { DispatchFiguresModule, DispatchModule } from '../dispatch/dispatch.module.js'
import { EventsApiModule } from '../events/events.module.js'
import { HealthModule } from './health/health.module.js'
import { ErrorsController } from './docs/errors.controller.js'
import { ExportsModule } from '../links/export/exports.module.js'
import { ProcessesModule } from './processes/processes.module.js'
import { InstanceModule } from './instance/instance.module.js'
import { ImportsApiModule } from '../links/import/imports.module.js'
import { HttpModule } from '../platform/http/http.module.js'
import { ProblemFilter } from '../platform/http/problems/problem.filter.js'
import { QueryGuard } from '../platform/http/input/input.pipe.js'
import { LinksApiModule, LinksModule } from '../links/links.module.js'
import { NoticeOutboxModule, NoticesApiModule } from '../notices/notices.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { WebhooksApiModule } from '../webhooks/webhooks.module.js'
import { WorkspacesModule } from '../workspaces/workspaces.module.js'
import { BackupModule } from '../tools/backup/backup.module.js'
import { workModules } from './worker.module.js'

/** The role `api`. Guards run in the order in which they are provided. */
@Module({})
export class ApiModule {
  static with(settings: RunningSettings): DynamicModule {
    const work = settings.role === 'all' ? workModules : []
    const backups = settings.backupDir === null ? [] : [BackupModule]
    const sessions = settings.dashboard === 'on' ? [SessionsModule] : []
    return {
      module: ApiModule,
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
        AuditApiModule,
        AuthModule,
        HealthModule.with(
          AnalyticsModule,
          DispatchFiguresModule,
          LinksModule,
          ClicksModule,
          ...backups,
          ...sessions,
          ...work,
        ),
        LinksApiModule,
        ImportsApiModule,
        ExportsModule,
        ClicksModule,
        EventsApiModule,
        WebhooksApiModule,
        DeliveriesApiModule,
        NoticesApiModule,
        WorkspacesModule,
        InstanceModule,
        ProcessesModule.with(ClicksModule),
        AnalyticsModule,
        AnalyticsApiModule,
        ...backups,
        ...sessions,
        ...work,
      ],
      controllers: [ErrorsController],
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_GUARD, useExisting: AuthGuard },
        { provide: APP_GUARD, useClass: QueryGuard },
      ],
    }
  }
}
