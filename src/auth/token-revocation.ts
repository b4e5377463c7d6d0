import { Injectable } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import type { Actor } from '../audit/audit.service.js'
import { currentTime } from '../platform/util/clock.js'
import { notFound } from '../platform/http/problems/problem.js'
import { TokenCache } from './token-cache.js'
import type { Token } from './token.entity.js'
import { isTokenValue } from './token-value.js'
import { TokensRepository } from './tokens.repository.js'

interface RevocationOptions {
  descendants?: boolean
  /** Called with the token before it is revoked. Throws to prevent the revocation. */
  inspect?: (token: Token) => void
}

@Injectable()
export class TokenRevocation {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly tokens: TokensRepository,
    private readonly cache: TokenCache,
  ) {}

  /** Revokes a token: immediately in this process, and within a second in all others. Safe to repeat. */
  async revoke(
    actor: Actor,
    id: string,
    { descendants = false, inspect }: RevocationOptions = {},
  ): Promise<void> {
    const revoked = await this.dataSource.transaction(async (tx) => {
      const token = await this.tokens.findForUpdate(tx, actor.workspaceId, id)
      if (!token) throw notFound('token')
      inspect?.(token)
      const now = currentTime()
      return descendants
        ? this.tokens.revokeFamily(tx, actor, token.id, now)
        : this.tokens.revokeToken(tx, actor, token.id, now)
    })
    for (const tokenId of revoked) this.cache.evict(tokenId)
  }

  /** Revokes a leaked token by its value. The result does not reveal whether the token existed. */
  async revokeByValue(value: string, address: string, requestId: string): Promise<void> {
    if (!isTokenValue(value)) return
    const token = await this.tokens.findByValue(value)
    if (token)
      await this.revoke({ tokenId: token.id, workspaceId: token.workspaceId, address, requestId }, token.id)
  }
}
