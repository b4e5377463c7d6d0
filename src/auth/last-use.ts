/** When each token was last used: kept in memory, written in batches, so that a check never costs a write. */
import { Injectable, Logger } from '@nestjs/common'
import type { BeforeApplicationShutdown } from '@nestjs/common'

import { TokensRepository } from './tokens.repository.js'

const writeEveryMs = 10_000

@Injectable()
export class LastUse implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUse.name)
  private unwritten = new Map<string, Date>()
  private timer: NodeJS.Timeout | null = null

  constructor(private readonly tokens: TokensRepository) {}

  note(tokenId: string): void {
    this.unwritten.set(tokenId, new Date())
    this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
  }

  /** The later of what is stored and what this process has seen since. */
  of(tokenId: string, stored: Date | null): Date | null {
    const seen = this.unwritten.get(tokenId)
    return seen && (!stored || seen > stored) ? seen : stored
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
      await this.tokens.recordUse(uses)
    } catch (error) {
      this.logger.warn(`Times of use could not be written, and are kept: ${(error as Error).message}`)
      this.unwritten = new Map([...uses, ...this.unwritten])
      this.timer ??= setTimeout(() => void this.write(), writeEveryMs).unref()
    }
  }
}
