import { Module } from '@nestjs/common'
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm'
import type { DataSource } from 'typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { EventsModule } from '../events/events.module.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { Maintenance } from '../platform/database/maintenance.js'
import { QueueWorkModule } from '../platform/queue/queue.module.js'
import { RateLimit } from '../platform/http/rate-limit.js'
import { WorkspacesModule } from '../workspaces/workspaces.module.js'
import { AuthGuard, ratePolicies } from './auth.guard.js'
import { RestrictedAttempts } from './restricted-attempts.js'
import { FirstToken, TokenCommands } from './token-commands.js'
import { TokenUse, TokenCache } from './token-cache.js'
import { TokenEvents } from './token-events.js'
import { TokenHashes } from './token-hashes.js'
import { TokenExpiry, tokenExpiryJobs } from './token-expiry.js'
import { Token } from './token.entity.js'
import { TokenMinter } from './token-minter.js'
import { TokenRevocation } from './token-revocation.js'
import { TokensController } from './tokens.controller.js'
import { TokensRepository } from './tokens.repository.js'
import { TokensReadingService } from './tokens-reading.service.js'
import { TokensService } from './tokens.service.js'

@Module({
  imports: [TypeOrmModule.forFeature([Token]), AuditModule, EventsModule, WorkspacesModule],
  controllers: [TokensController],
  providers: [
    AuthGuard,
    FirstToken,
    RestrictedAttempts,
    TokenUse,
    TokenCache,
    TokenCommands,
    TokenEvents,
    TokenHashes,
    TokenMinter,
    TokenRevocation,
    TokensRepository,
    TokensReadingService,
    TokensService,
    {
      provide: RateLimit,
      inject: [getDataSourceToken(), Maintenance, SETTINGS],
      useFactory: (dataSource: DataSource, maintenance: Maintenance, settings: RunningSettings) =>
        new RateLimit(dataSource, maintenance, ratePolicies(settings)),
    },
  ],
  exports: [AuthGuard, FirstToken, TokenCache, TokenCommands, TokensRepository],
})
export class AuthModule {}

/** Reports expiring tokens, in workers only. */
@Module({
  imports: [TypeOrmModule.forFeature([Token]), EventsModule, QueueWorkModule, WorkspacesModule],
  providers: [TokenEvents, TokenExpiry, tokenExpiryJobs],
})
export class TokensWorkerModule {}
