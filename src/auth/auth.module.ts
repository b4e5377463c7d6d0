import { Module } from '@nestjs/common'
import { TypeOrmModule } from '@nestjs/typeorm'

import { AuditModule } from '../audit/audit.module.js'
import { WorkspacesModule } from '../workspaces/workspaces.module.js'
import { AuthGuard } from './auth.guard.js'
import { FirstToken } from './first-token.js'
import { LastUse } from './last-use.js'
import { TokenCache } from './token-cache.js'
import { TokenCommands } from './token-commands.js'
import { Token } from './token.entity.js'
import { TokenMinter } from './token-minter.js'
import { TokenRevocation } from './token-revocation.js'
import { TokensController } from './tokens.controller.js'
import { TokensRepository } from './tokens.repository.js'
import { TokensService } from './tokens.service.js'

@Module({
  imports: [TypeOrmModule.forFeature([Token]), AuditModule, WorkspacesModule],
  controllers: [TokensController],
  providers: [
    AuthGuard,
    FirstToken,
    LastUse,
    TokenCache,
    TokenCommands,
    TokenMinter,
    TokenRevocation,
    TokensRepository,
    TokensService,
  ],
  exports: [AuthGuard, FirstToken, TokenCommands],
})
export class AuthModule {}
