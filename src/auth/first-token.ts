import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { lockFor } from '../platform/database/locks.js'
import { defaultWorkspace } from '../workspaces/workspaces.service.js'
import { scopes } from './scopes.js'
import { TokenCommands } from './token-commands.js'
import type { NewTokenDto } from './token.dto.js'
import { TokensRepository } from './tokens.repository.js'

@Injectable()
export class FirstToken {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: TokensRepository,
    private readonly commands: TokenCommands,
  ) {}

  /** A token for everything, when there has never been one; of several processes that start at once, one makes it. */
  async make(): Promise<NewTokenDto | null> {
    return this.dataSource.transaction(async (tx) => {
      await tx.query('SELECT pg_advisory_xact_lock($1)', [lockFor.firstStart])
      if (await this.tokens.exist()) return null
      return this.commands.create(defaultWorkspace, 'first token', scopes.join(), undefined)
    })
  }
}
