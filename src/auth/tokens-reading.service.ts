/** Reads tokens, with their last use and their unused scopes. */
import { Injectable } from '@nestjs/common'

import { decodeId } from '../platform/database/ids.js'
import { Cursors } from '../platform/http/input/page.js'
import type { Page, PageQuery } from '../platform/http/input/page.js'
import { notFound } from '../platform/http/problems/problem.js'
import type { Caller } from './caller.js'
import { TokenUse } from './token-cache.js'
import { TokenDto, TokenWithUseDto } from './token.dto.js'
import type { CountedToken, Token } from './token.entity.js'
import { TokensRepository } from './tokens.repository.js'

@Injectable()
export class TokensReadingService {
  constructor(
    private readonly tokens: TokensRepository,
    private readonly use: TokenUse,
    private readonly cursors: Cursors,
  ) {}

  list(caller: Caller, query: PageQuery): Promise<Page<TokenWithUseDto>> {
    return this.cursors.readPage(query, `tokens of ${caller.workspaceId}`, {
      read: (before, limit) => this.tokens.listActive(caller, before, limit),
      position: ({ id }) => id,
      show: (token) => this.toDtoWithUse(token),
    })
  }

  async get(caller: Caller, id: string): Promise<TokenWithUseDto> {
    const tokenId = decodeId('tok', id)
    const token = tokenId && (await this.tokens.findToken(caller, tokenId))
    if (!token) throw notFound('token')
    return this.toDtoWithUse(token)
  }

  /** Returns the calling token, which the guard has read already. */
  self(token: Token): TokenDto {
    return TokenDto.fromToken(token, this.use.lastUsedAt(token))
  }

  private toDtoWithUse(token: CountedToken): TokenWithUseDto {
    return TokenWithUseDto.withUse(token, this.use.lastUsedAt(token), this.use.unusedScopes(token))
  }
}
