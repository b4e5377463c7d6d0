/** When each token was last used, and which of its scopes. */
import { Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'

import { WriteBehind } from '../platform/util/write-behind.js'
import { inOrder } from './scopes.js'
import type { Scope } from './scopes.js'
import type { Token } from './token.entity.js'
import { TokensRepository } from './tokens.repository.js'
import type { Use } from './tokens.repository.js'

const writeEveryMs = 10_000

@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUse.name)
  private readonly uses: WriteBehind<Use>

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
