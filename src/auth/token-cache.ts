/**
 * Tokens that were checked lately, by their hash. Trusted only while the change feed is; whatever is not certain is
 * asked of the database, and when that cannot be asked either, nobody is let in.
 */
import { Injectable } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import { ChangeFeed } from '../database/change-feed.js'
import type { Token } from './token.entity.js'
import { TokensRepository } from './tokens.repository.js'

const mostTokens = 50_000
// A bound on any mistake in the invalidation; a hit does not extend it.
const hardMaximumAgeMs = 60_000

@Injectable()
export class TokenCache {
  private readonly byHash = new LRUCache<string, Token>({
    max: mostTokens,
    ttl: hardMaximumAgeMs,
    dispose: (token) => this.hashes.delete(token.id),
  })
  private readonly hashes = new Map<string, string>()
  /** Grows with each invalidation: a row read before one must not be remembered after it. */
  private epoch = 0

  constructor(
    private readonly feed: ChangeFeed,
    private readonly tokens: TokensRepository,
  ) {
    feed.subscribe('token', { changed: (id) => this.forget(id), reset: () => this.forgetAll() })
  }

  async find(hash: Buffer): Promise<Token | null> {
    const key = hash.toString('latin1')
    if (this.feed.isFresh() || (await this.feed.confirm())) {
      const cached = this.byHash.get(key)
      if (cached) return cached
    }
    const { epoch } = this
    const token = await this.tokens.findByHash(hash)
    if (token && epoch === this.epoch && this.feed.isFresh()) this.remember(key, token)
    return token
  }

  forget(id: string): void {
    this.epoch += 1
    const key = this.hashes.get(id)
    if (key !== undefined) this.byHash.delete(key)
  }

  private forgetAll(): void {
    this.epoch += 1
    this.byHash.clear()
  }

  private remember(key: string, token: Token): void {
    this.byHash.set(key, token)
    this.hashes.set(token.id, key)
  }
}
