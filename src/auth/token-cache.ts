/** What a process knows of tokens: those that it checked lately, and when each was last used. */
import { hash, randomBytes } from 'node:crypto'

import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import { type RunningSettings, SETTINGS } from '../platform/config/settings.js'
import { ChangeFeed } from '../platform/database/change-feed.js'
import { WriteBehind } from '../platform/util/batching.js'
import { hashTokenValue, isTokenValue } from './caller.js'
import { type Scope, inOrder } from './scopes.js'
import type { Token } from './token.entity.js'
import { TokensRepository, type TokenUse } from './tokens.repository.js'

const mostTokens = 50_000
// Limits how long a missed invalidation could last. A hit does not extend it.
const hardMaximumAgeMs = 60_000

/**
 * Trusted only while the change feed is. Whatever is not certain is asked of the database, and when that cannot be asked
 * either, nobody is let in.
 */
@Injectable()
export class TokenCache {
  private readonly tokens = new LRUCache<string, Token>({
    max: mostTokens,
    ttl: hardMaximumAgeMs,
    ttlResolution: 1_000,
    dispose: (token, key) => {
      if (this.keys.get(token.id) === key) this.keys.delete(token.id)
    },
  })
  private readonly keys = new Map<string, string>()
  /** Values are looked up by a hash that means nothing outside this process: quick, and no value stays in memory. */
  private readonly processKey = randomBytes(32).toString('base64')
  /** Grows with each invalidation: a row read before one must not be remembered after it. */
  private epoch = 0

  constructor(
    @Inject(SETTINGS) private readonly settings: RunningSettings,
    private readonly feed: ChangeFeed,
    private readonly repository: TokensRepository,
  ) {
    feed.subscribe('token', { changed: (id) => this.forget(id), reset: () => this.forgetAll() })
  }

  /** What memory knows for certain, without waiting; undefined when it has to be asked for. */
  known(value: string): Token | undefined {
    return this.feed.isFresh() ? this.tokens.get(this.keyOf(value)) : undefined
  }

  async find(value: string): Promise<Token | null> {
    if (!isTokenValue(value)) return null
    const key = this.keyOf(value)
    const cached = (await this.feed.confirm()) ? this.tokens.get(key) : undefined
    if (cached) return cached
    const { epoch } = this
    const token = await this.repository.findByHash(hashTokenValue(this.settings.tokenPepper, value))
    if (token && epoch === this.epoch && this.feed.isFresh()) {
      this.tokens.set(key, token)
      this.keys.set(token.id, key)
    }
    return token
  }

  /** The same for those who know a token by its id. */
  knownById(id: string): Token | undefined {
    return this.feed.isFresh() ? this.tokens.get(this.keys.get(id) ?? id) : undefined
  }

  async findById(id: string): Promise<Token | null> {
    const cached = (await this.feed.confirm()) ? this.tokens.get(this.keys.get(id) ?? id) : undefined
    if (cached) return cached
    const { epoch } = this
    const token = await this.repository.findAnywhere(id)
    if (token && epoch === this.epoch && this.feed.isFresh()) this.tokens.set(id, token)
    return token
  }

  forget(id: string): void {
    this.epoch += 1
    this.tokens.delete(id)
    const key = this.keys.get(id)
    if (key !== undefined) this.tokens.delete(key)
  }

  private forgetAll(): void {
    this.epoch += 1
    this.tokens.clear()
  }

  private keyOf(value: string): string {
    return hash('sha256', this.processKey + value, 'base64')
  }
}

const writeEveryMs = 10_000

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
