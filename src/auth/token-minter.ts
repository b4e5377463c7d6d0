import { Inject, Injectable } from '@nestjs/common'
import type { EntityManager } from 'typeorm'

import { SETTINGS } from '../platform/config/settings.js'
import type { RunningSettings } from '../platform/config/settings.js'
import { timeOf } from '../platform/database/ids.js'
import { Problem } from '../platform/http/problem.js'
import type { Caller } from './caller.js'
import { refusal } from './bearer.js'
import { missingFrom } from './scopes.js'
import type { Scope } from './scopes.js'
import { Token } from './token.entity.js'
import { hashTokenValue, shownPartsOf, makeTokenValue } from './token-value.js'
import { TokensRepository } from './tokens.repository.js'

interface Mint {
  id: string
  workspaceId: string
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  createdBy: string | null
  rotatedFrom: string | null
}

const toleratedExcessMs = 60_000

@Injectable()
export class TokenMinter {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly tokens: TokensRepository,
  ) {}

  /** The only moment at which the value exists beside its record. */
  async mint(tx: EntityManager, { scopes, ...mint }: Mint): Promise<{ token: Token; value: string }> {
    const value = makeTokenValue(this.settings.keyEnvironment)
    const token = Object.assign(new Token(), mint, shownPartsOf(value), {
      scopes: [...scopes],
      hash: hashTokenValue(this.settings.tokenPepper, value),
      createdAt: timeOf(mint.id),
      revokedAt: null,
      lastUsedAt: null,
      usedScopes: [],
      scopesWatchedSince: timeOf(mint.id),
    })
    await this.tokens.insert(tx, token)
    return { token, value }
  }

  /**
   * The calling token, held until the mint commits: a revocation of it with its descendants either comes first and is
   * seen here, or comes after and finds the new token.
   */
  async hold(tx: EntityManager, caller: Caller): Promise<Token> {
    const minter = await this.tokens.findForShare(tx, caller.tokenId)
    if (!minter || minter.revokedAt) throw refusal('token_revoked')
    return minter
  }
}

/**
 * The end of a life that was asked for as a duration. A token of one hour may mint one of "1h": what passes between
 * the two calls must not make that an escalation, so what misses the minter's end by little is the minter's end.
 */
export function endWithin({ expiresAt: latest }: Token, wanted: Date): Date {
  const excessMs = latest ? wanted.getTime() - latest.getTime() : 0
  return latest && excessMs > 0 && excessMs < toleratedExcessMs ? latest : wanted
}

/** A token gives no more than it has. */
export function requireWithin(minter: Token, scopes: readonly Scope[], expiresAt: Date | null): void {
  const excessScopes = missingFrom(minter.scopes, scopes)
  if (excessScopes.length > 0)
    throw new Problem('scope_escalation', {
      detail: `The calling token does not have ${excessScopes.join(', ')}, so it cannot give them.`,
      more: { excess: { scopes: excessScopes } },
    })
  if (minter.expiresAt && (!expiresAt || expiresAt > minter.expiresAt)) {
    const limit = minter.expiresAt.toISOString()
    throw new Problem('scope_escalation', {
      detail: `The calling token expires at ${limit}. Give an expires_in that ends no later.`,
      more: { excess: { expires_at: expiresAt?.toISOString() ?? null, latest: limit } },
    })
  }
}
