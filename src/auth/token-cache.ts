/** What a process knows of tokens: those that it checked lately, and when each was last used. */
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common'

import { type RunningSettings, SETTINGS } from '../platform/config/settings.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { WriteBehind } from '../platform/util/batching.js'
import { hashTokenValue, isTokenValue } from './caller.js'
import { CheckedCredentials, writeEveryMs } from './checked-credentials.js'
import { type Scope, inOrder } from './scopes.js'
import type { Token } from './token.entity.js'
import { TokensRepository, type TokenUse } from './tokens.repository.js'

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

  /** A token that has ended is remembered too: who calls with it is told so. */
  protected isGood(): boolean {
    return true
  }
}

/** When each token was last used, and which of its scopes. */
@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUse.name)
  private readonly uses: WriteBehind<TokenUse>

  constructor(tokens: TokensRepository) {
    this.uses = new WriteBehind(
      writeEveryMs,
      (uses) => tokens.recordUse(uses),
      (error) => this.logger.warn(`Times of use could not be written, and are kept: ${error.message}`),
    )
  }

  note(token: Token): void {
    this.uses.set(token.id, { at: new Date(), token })
  }

  /** The later of what is stored and what this process has seen since. */
  lastUsedAt({ id, lastUsedAt: stored }: Token): Date | null {
    const seen = this.uses.get(id)?.at
    return seen && (!stored || seen > stored) ? seen : stored
  }

  /** Of its scopes, in their usual order. */
  unusedScopes({ id, scopes, usedScopes }: Token): Scope[] {
    const used = new Set([...usedScopes, ...(this.uses.get(id)?.token.usedScopes ?? [])])
    return inOrder(scopes.filter((scope) => !used.has(scope)))
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.uses.flush()
  }
}
