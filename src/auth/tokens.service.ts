import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { endOf } from '../platform/config/duration.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { decodeId, newId, timeOf } from '../platform/database/ids.js'
import { requireMatch } from '../platform/http/resource-headers.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { Cursors } from '../platform/http/input/page.js'
import type { Page, PageQuery } from '../platform/http/input/page.js'
import { currentTime } from '../platform/util/clock.js'
import { notFound } from '../platform/http/problems/problem.js'
import { quotaExceeded, requireRoom } from '../workspaces/quotas.js'
import { type Caller, refusal, statusOf } from './caller.js'
import { TokenUse, TokenCache } from './token-cache.js'
import { inOrder, isWorkspaceScope } from './scopes.js'
import { endWithin, requireWithin, TokenMinter } from './token-minter.js'
import type { Reach } from './token-minter.js'
import { TokenRevocation } from './token-revocation.js'
import { NewTokenDto, TokenDto, TokenWithUseDto } from './token.dto.js'
import type { CreateToken, RevokeQuery, RotateToken } from './token.dto.js'
import type { Token } from './token.entity.js'
import { tokenQuota, TokensRepository } from './tokens.repository.js'
import type { CountedToken } from './tokens.repository.js'

const defaultOverlap = '24h'
const mostTries = 3

@Injectable()
export class TokensService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly tokens: TokensRepository,
    private readonly minter: TokenMinter,
    private readonly revocation: TokenRevocation,
    private readonly cache: TokenCache,
    private readonly use: TokenUse,
    private readonly idempotency: Idempotency,
    private readonly cursors: Cursors,
  ) {}

  create(caller: Caller, body: CreateToken): Promise<NewTokenDto> {
    const mint = (tx?: EntityManager) => this.mint(caller, body, tx)
    return caller.keyed ? this.idempotency.once(caller.keyed, mint) : mint()
  }

  /** The new token ends when the old one would have, because a rotation replaces a value and prolongs nothing. */
  async rotate(caller: Caller, id: string, body: RotateToken): Promise<NewTokenDto> {
    const overlapEndsAt = endOf(currentTime(), body.overlap ?? defaultOverlap)
    const rotated = await this.idempotency.once(caller.keyed, async (tx) => {
      await requireRoom(tx, caller.workspaceId, tokenQuota, this.settings.workspaceTokens)
      const oldId = decodeId('tok', id)
      const locked = oldId ? await this.tokens.lock(tx, oldId, caller.tokenId) : null
      const old = oldId && locked?.get(oldId)
      if (!old || old.workspaceId !== caller.workspaceId || statusOf(old) !== 'active')
        throw notFound('token')
      requireWithin(unrevoked(locked?.get(caller.tokenId)), old.scopes, old.expiresAt)
      const { token, value } = this.minter.make({
        id: newId(),
        workspaceId: old.workspaceId,
        name: old.name,
        scopes: old.scopes,
        expiresAt: old.expiresAt,
        createdBy: caller.tokenId,
        rotatedFrom: old.id,
      })
      await this.tokens.replace(tx, caller, token, overlapEndsAt)
      return NewTokenDto.of(token, value)
    })
    const oldId = decodeId('tok', id)
    if (oldId) this.cache.forget(oldId)
    return rotated
  }

  list({ workspaceId }: Caller, query: PageQuery): Promise<Page<TokenWithUseDto>> {
    return this.cursors.page(query, `tokens of ${workspaceId}`, {
      read: (before, limit) => this.tokens.listActive(workspaceId, before, limit),
      position: ({ id }) => id,
      show: (token) => this.showWithUse(token),
    })
  }

  async get(caller: Caller, id: string): Promise<TokenWithUseDto> {
    const tokenId = decodeId('tok', id)
    const token = tokenId && (await this.tokens.find(caller.workspaceId, tokenId))
    if (!token) throw notFound('token')
    return this.showWithUse(token)
  }

  /** Shows the calling token without a query, because the guard has it at hand. */
  self(token: Token): TokenDto {
    return TokenDto.from(token, this.use.lastUsedAt(token))
  }

  async revoke(caller: Caller, id: string, query: RevokeQuery, ifMatch: string | undefined): Promise<void> {
    const tokenId = decodeId('tok', id)
    if (!tokenId) throw notFound('token')
    return this.revocation.revoke(caller, tokenId, {
      descendants: query.descendants === 'true',
      inspect: (token) => requireMatch(ifMatch, TokenDto.from(token)),
    })
  }

  revokeSelf(caller: Caller, ifMatch: string | undefined): Promise<void> {
    return this.revocation.revoke(caller, caller.tokenId, {
      inspect: (token) => requireMatch(ifMatch, TokenDto.from(token)),
    })
  }

  /** Mints within the reach of the remembered calling token. If its row has changed, tries again with the row. */
  private async mint(caller: Caller, body: CreateToken, tx?: EntityManager): Promise<NewTokenDto> {
    const scopes = body.scopes ? inOrder(body.scopes) : caller.scopes.filter(isWorkspaceScope)
    const id = newId()
    const wantedEnd = body.expires_in ? endOf(timeOf(id), body.expires_in) : null
    let minter: Reach = caller
    for (let tries = 0; tries < mostTries; tries++) {
      const expiresAt = wantedEnd && endWithin(minter, wantedEnd)
      requireWithin(minter, scopes, expiresAt)
      const { token, value } = this.minter.make({
        id,
        workspaceId: caller.workspaceId,
        name: body.name,
        scopes,
        expiresAt,
        createdBy: caller.tokenId,
        rotatedFrom: null,
      })
      const most = this.settings.workspaceTokens
      const result = await this.tokens.insert(caller, token, minter, most, tx)
      if (result === 'inserted') return NewTokenDto.of(token, value)
      if (result === 'full') throw quotaExceeded(tokenQuota, most!)
      minter = unrevoked(await this.tokens.findAnywhere(caller.tokenId, tx))
    }
    throw new Error('the calling token is never what its row says')
  }

  private showWithUse(token: CountedToken): TokenWithUseDto {
    return TokenWithUseDto.of(token, this.use.lastUsedAt(token), this.use.unusedScopes(token))
  }
}

function unrevoked(minter: Token | null | undefined): Token {
  if (!minter || minter.revokedAt) throw refusal('token_revoked')
  return minter
}
