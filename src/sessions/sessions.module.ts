import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { AuthModule } from '../auth/auth.module.js'
import { WebhooksModule } from '../webhooks/webhooks.module.js'
import { PortalController, PortalSessionController } from './portal.controller.js'
import { PortalLinksService } from './portal-links.service.js'
import { PortalSessionsService } from './portal-sessions.service.js'
import { SecretHashes } from './secrets.js'
import { SessionCache, SessionUse } from './session-cache.js'
import { SessionGuard } from './session-guard.js'
import { Session, SignInCode } from './session.entity.js'
import { SessionsController } from './sessions.controller.js'
import { SessionsRepository } from './sessions.repository.js'
import { SessionsService } from './sessions.service.js'
import { SignInLimit } from './sign-in-limit.js'
import { SignInTokens } from './sign-in-tokens.js'

@Module({
  imports: [TypeOrmModule.forFeature([Session, SignInCode]), AuditModule, AuthModule, WebhooksModule],
  controllers: [SessionsController, PortalController, PortalSessionController],
  providers: [
    PortalLinksService,
    PortalSessionsService,
    SecretHashes,
    SessionCache,
    SessionGuard,
    SessionsRepository,
    SessionsService,
    SessionUse,
    SignInLimit,
    SignInTokens,
  ],
  exports: [SessionGuard, SessionsRepository, SignInTokens],
})
export class SessionsModule {}
