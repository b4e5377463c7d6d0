import { Module } from '@nestjs/common'
import type { DynamicModule } from '@nestjs/common'

import { AuditModule } from '../audit/audit.module.js'
import { AuthModule } from '../auth/auth.module.js'
import { VisitorErasure } from '../clicks/visitor-erasure.js'
import { ConfigModule } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { history } from '../migrations/history.js'
import { DatabaseModule } from '../platform/database/database.module.js'
import { HttpModule } from '../platform/http/http.module.js'
import { SessionsModule } from '../sessions/sessions.module.js'
import { WorkspacesModule } from '../workspaces/workspaces.module.js'

/** What a single command needs: the services, and none of the work that a running service does beside them. */
@Module({})
export class OperatorModule {
  static with(settings: RunningSettings): DynamicModule {
    return {
      module: OperatorModule,
      imports: [
        ConfigModule.with(settings),
        DatabaseModule.with(history),
        HttpModule,
        AuditModule,
        AuthModule,
        WorkspacesModule,
        SessionsModule,
      ],
      providers: [VisitorErasure],
    }
  }
}
