/**
 * Caches recently checked tokens and records their use. Expired and revoked tokens are cached too, so that their
 * callers get a specific error.
 */
import { Injectable } from '@nestjs/common'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { useScope } from './caller.js'
import { CheckedCredentials, CredentialUse } from './checked-credentials.js'
import { type Scope, sortScopes } from './scopes.js'
import type { Token } from './token.entity.js'
import { isTokenValue } from './token-value.js'
import { TokensRepository } from './tokens.repository.js'

const maxCachedTokens = 50_000

@Injectable()
export class TokenCache extends CheckedCredentials<Token> {
  constructor(
    feed: ChangeFeed,
    private readonly repository: TokensRepository,
  ) {
    super(feed, 'token', maxCachedTokens)
  }

  findById(id: string): Promise<Token | null> {
    return this.lookUp(id, () => this.repository.findById(id))
  }

  protected isWellFormed(value: string): boolean {
    return isTokenValue(value)
  }

  protected readByValue(value: string): Promise<Token | null> {
    return this.repository.findByValue(value)
  }
}

/** Records when each token was last used, and which of its scopes have been used. */
@Injectable()
export class TokenUse extends CredentialUse<Token> {
  constructor(tokens: TokensRepository) {
    super((used) => tokens.recordUse(used))
  }

  protected override mergeUse = ({ usedScopes }: Token, to: Token): void => {
    for (const scope of usedScopes) useScope(to, scope)
  }

  /** Returns the later of the stored time and the last use in this process. */
  lastUsedAt({ id, lastUsedAt: stored }: Token): Date | null {
    const unwritten = this.unwritten.get(id)?.lastUsedAt
    return unwritten && (!stored || unwritten > stored) ? unwritten : stored
  }

  /** Returns the scopes that the token has never used. */
  unusedScopes({ id, scopes, usedScopes }: Token): Scope[] {
    const used = new Set([...usedScopes, ...(this.unwritten.get(id)?.usedScopes ?? [])])
    return sortScopes(scopes.filter((scope) => !used.has(scope)))
  }
}
