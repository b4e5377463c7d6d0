/**
 * When each token was last used, and which of its scopes: kept in memory, written in batches, so that a check never costs
 * a write.
 */
import { Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'

import { inOrder } from './scopes.js'
import type { Scope } from './scopes.js'
import type { Token } from './token.entity.js'
import { TokensRepository } from './tokens.repository.js'
import type { Use } from './tokens.repository.js'

const writeEveryMs = 10_000

@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUse.name)
  private unwritten = new Map<string, Use>()
  private timer: NodeJS.Timeout | null = null

  constructor(private readonly tokens: TokensRepository) {}

  note(token: Token): void {
    this.unwritten.set(token.id, { at: new Date(), token })
    this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
  }

  /** The later of what is stored and what this process has seen since. */
  lastUsedAt({ id, lastUsedAt: stored }: Token): Date | null {
    const seen = this.unwritten.get(id)?.at
    return seen && (!stored || seen > stored) ? seen : stored
  }

  /** Of its scopes, in their usual order. */
  unusedScopes({ id, scopes, usedScopes }: Token): Scope[] {
    const used = new Set([...usedScopes, ...(this.unwritten.get(id)?.token.usedScopes ?? [])])
    return inOrder(scopes.filter((scope) => !used.has(scope)))
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.write()
  }

  private async write(): Promise<void> {
    if (this.timer) clearTimeout(this.timer)
    this.timer = null
    const uses = this.unwritten
    if (uses.size === 0) return
    this.unwritten = new Map()
    try {
      await this.tokens.recordUse([...uses.values()])
    } catch (error) {
      this.logger.warn(`Times of use could not be written, and are kept: ${(error as Error).message}`)
      this.unwritten = new Map([...uses, ...this.unwritten])
      this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
    }
  }
}
