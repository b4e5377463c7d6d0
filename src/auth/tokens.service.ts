import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { addDuration } from '../platform/config/duration.js'
import { SETTINGS } from '../settings.js'
import type { RunningSettings } from '../settings.js'
import { decodeId, newId, getIdTime } from '../platform/database/ids.js'
import { requireMatch } from '../platform/http/resource-headers.js'
import { Idempotency } from '../platform/http/idempotency.js'
import { currentTime } from '../platform/util/clock.js'
import { throwIfInvalid } from '../platform/http/input/input.pipe.js'
import { notFound } from '../platform/http/problems/problem.js'
import { requireRoom } from '../workspaces/quotas.js'
import { type Caller, createTokenProblem } from './caller.js'
import { TokenCache } from './token-cache.js'
import { sortScopes, isWorkspaceScope } from './scopes.js'
import { capExpiry, getExcess, requireNoEscalation, TokenMinter } from './token-minter.js'
import { completeRestrictions } from './restrictions.js'
import type { Restrictions } from './restrictions.js'
import { TokenRevocation } from './token-revocation.js'
import { NewTokenDto, TokenDto } from './token.dto.js'
import type { CreateToken, RevokeQuery, RotateToken } from './token.dto.js'
import { type Token, getTokenStatus } from './token.entity.js'
import { tokenQuota, TokensRepository } from './tokens.repository.js'

const defaultOverlap = '24h'

@Injectable()
export class TokensService {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly tokens: TokensRepository,
    private readonly minter: TokenMinter,
    private readonly revocation: TokenRevocation,
    private readonly cache: TokenCache,
    private readonly idempotency: Idempotency,
  ) {}

  create(caller: Caller, body: CreateToken): Promise<NewTokenDto> {
    return this.auditEscalation(caller, () =>
      this.idempotency.runOnce(caller.keyed, (tx) => this.mint(tx, caller, body)),
    )
  }

  /** Creates a successor with the expiry of the old token: a rotation does not extend the lifetime. */
  async rotate(caller: Caller, id: string, body: RotateToken): Promise<NewTokenDto> {
    const overlapEndsAt = addDuration(currentTime(), body.overlap ?? defaultOverlap)
    const oldId = decodeId('tok', id)
    if (oldId && !(await this.tokens.canAccess(caller, oldId))) throw notFound('token')
    const rotated = await this.auditEscalation(caller, () =>
      this.idempotency.runOnce(caller.keyed, async (tx) => {
        const locked = oldId ? await this.tokens.lockTokens(tx, oldId, caller.tokenId) : null
        const old = oldId && locked?.get(oldId)
        if (!old || old.workspaceId !== caller.workspaceId || getTokenStatus(old) !== 'active')
          throw notFound('token')
        requireNoEscalation(requireUnrevoked(locked?.get(caller.tokenId)), old)
        await requireRoom(tx, caller.workspaceId, tokenQuota, this.settings.workspaceTokens)
        const { token, value } = this.minter.mintToken({
          id: newId(),
          workspaceId: old.workspaceId,
          name: old.name,
          scopes: old.scopes,
          expiresAt: old.expiresAt,
          restrictions: old.restrictions,
          createdBy: caller.tokenId,
          rotatedFrom: old.id,
        })
        await this.tokens.replaceToken(tx, caller, old, token, overlapEndsAt)
        return NewTokenDto.withValue(token, value)
      }),
    )
    if (oldId) this.cache.evict(oldId)
    return rotated
  }

  async revoke(caller: Caller, id: string, query: RevokeQuery, ifMatch: string | undefined): Promise<void> {
    const tokenId = decodeId('tok', id)
    if (!tokenId || !(await this.tokens.canAccess(caller, tokenId))) throw notFound('token')
    return this.revocation.revoke(caller, tokenId, {
      descendants: query.descendants === 'true',
      inspect: (token) => requireMatch(ifMatch, TokenDto.fromToken(token)),
    })
  }

  revokeSelf(caller: Caller, ifMatch: string | undefined): Promise<void> {
    return this.revocation.revoke(caller, caller.tokenId, {
      inspect: (token) => requireMatch(ifMatch, TokenDto.fromToken(token)),
    })
  }

  /** Records the refusal in the audit log if the work throws `scope_escalation`, after its transaction has ended. */
  private async auditEscalation<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      const excess = getExcess(error)
      if (excess !== null) await this.tokens.recordEscalation(caller, excess)
      throw error
    }
  }

  /** Checks the row of the calling token, because a rotation may have shortened its lifetime since it was cached. */
  private async mint(tx: EntityManager, caller: Caller, body: CreateToken): Promise<NewTokenDto> {
    const minter = requireUnrevoked(await this.tokens.findForShare(tx, caller.tokenId))
    const scopes = body.scopes ? sortScopes(body.scopes) : minter.scopes.filter(isWorkspaceScope)
    const id = newId()
    const wantedEnd = body.expires_in ? addDuration(getIdTime(id), body.expires_in) : null
    const expiresAt = wantedEnd && capExpiry(minter, wantedEnd)
    const restrictions = completeRestrictions(body.restrictions, minter.restrictions)
    requireUsableTime(restrictions, expiresAt)
    requireNoEscalation(minter, { scopes, expiresAt, restrictions })
    // Creation and rotation both lock the quota after the token rows, so they cannot deadlock.
    await requireRoom(tx, caller.workspaceId, tokenQuota, this.settings.workspaceTokens)
    const { token, value } = this.minter.mintToken({
      id,
      workspaceId: caller.workspaceId,
      name: body.name,
      scopes,
      expiresAt,
      restrictions,
      createdBy: caller.tokenId,
      rotatedFrom: null,
    })
    await this.tokens.insertToken(tx, caller, token)
    return NewTokenDto.withValue(token, value)
  }
}

/** The times are compared here, because the expiry depends on when the token is created. */
function requireUsableTime(restrictions: Restrictions | null, expiresAt: Date | null): void {
  const notBefore = restrictions?.not_before ?? null
  if (notBefore === null || !expiresAt || Date.parse(notBefore) < expiresAt.getTime()) return
  const detail = `Must be before the expiry of the token, ${expiresAt.toISOString()}.`
  throwIfInvalid('validation_failed', [{ pointer: '/restrictions/not_before', code: 'after_expiry', detail }])
}

function requireUnrevoked(minter: Token | null | undefined): Token {
  if (!minter || minter.revokedAt) throw createTokenProblem('token_revoked')
  return minter
}
