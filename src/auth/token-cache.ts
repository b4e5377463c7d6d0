/**
 * What a process knows of tokens: those that it checked lately, and when each was last used. Ended tokens are kept too,
 * so that their callers are told why they are refused.
 */
import { Inject, Injectable } from '@nestjs/common'

import { type RunningSettings, SETTINGS } from '../settings.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { hashTokenValue, isTokenValue, useScope } from './caller.js'
import { CheckedCredentials, CredentialUse } from './checked-credentials.js'
import { type Scope, inOrder } from './scopes.js'
import type { Token } from './token.entity.js'
import { TokensRepository } from './tokens.repository.js'

const mostTokens = 50_000

@Injectable()
export class TokenCache extends CheckedCredentials<Token> {
  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    feed: ChangeFeed,
    private readonly repository: TokensRepository,
  ) {
    super(feed, 'token', mostTokens)
  }

  findById(id: string): Promise<Token | null> {
    return this.lookUp(id, () => this.repository.findAnywhere(id))
  }

  protected hasForm(value: string): boolean {
    return isTokenValue(value)
  }

  protected read(value: string): Promise<Token | null> {
    return this.repository.findByHash(hashTokenValue(this.settings.tokenPepper, value))
  }
}

/** When each token was last used, and which of its scopes. */
@Injectable()
export class TokenUse extends CredentialUse<Token> {
  constructor(tokens: TokensRepository) {
    super((used) => tokens.recordUse(used))
  }

  protected override takeOver = ({ usedScopes }: Token, to: Token): void => {
    for (const scope of usedScopes) useScope(to, scope)
  }

  /** The last use: the later of the stored one and one that this process has seen since. */
  lastUsedAt({ id, lastUsedAt: stored }: Token): Date | null {
    const seen = this.unwritten.get(id)?.lastUsedAt
    return seen && (!stored || seen > stored) ? seen : stored
  }

  /** The scopes that the token never used, in their usual order. */
  unusedScopes({ id, scopes, usedScopes }: Token): Scope[] {
    const used = new Set([...usedScopes, ...(this.unwritten.get(id)?.usedScopes ?? [])])
    return inOrder(scopes.filter((scope) => !used.has(scope)))
  }
}
