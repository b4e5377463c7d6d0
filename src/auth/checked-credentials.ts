/** Caches checked credentials (tokens and dashboard sessions), and records when they were last used. */
import { hash, randomBytes } from 'node:crypto'

import { type BeforeApplicationShutdown, Logger } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import type { ChangeFeed, Topic } from '../platform/database/change-feed.js'
import { currentTime } from '../platform/util/clock.js'
import { WriteBehind } from '../platform/util/write-behind.js'
import { lastWriteTimeoutMs, withTimeout } from '../platform/util/timers.js'

// Limits how long a missed invalidation can have an effect. Cache hits do not extend it.
const hardMaximumAgeMs = 60_000

const writeIntervalMs = 10_000

/**
 * The cache is used only while the change feed is fresh. Otherwise the database is queried, and if the query fails, the
 * request is rejected.
 */
export abstract class CheckedCredentials<T extends { id: string }> {
  private readonly rows: LRUCache<string, T>
  /** Maps the ID of a row to its key in `rows`, for rows that were found by their value. */
  private readonly keys = new Map<string, string>()
  /** Hashes the values of credentials, which are not kept in memory themselves. */
  private readonly processKey = randomBytes(32).toString('base64')
  /** Counts invalidations: a row that was read before an invalidation must not be cached after it. */
  private epoch = 0

  constructor(
    private readonly feed: ChangeFeed,
    topic: Topic,
    maxEntries: number,
  ) {
    this.rows = new LRUCache<string, T>({
      max: maxEntries,
      ttl: hardMaximumAgeMs,
      ttlResolution: 1_000,
      dispose: ({ id }, key) => {
        if (this.keys.get(id) === key) this.keys.delete(id)
      },
    })
    feed.subscribe(topic, { onChange: (id) => this.evict(id), onReset: () => this.clearRows() })
  }

  protected abstract isWellFormed(value: string): boolean
  protected abstract readByValue(value: string): Promise<T | null>

  /** Whether a cached row may still be used. If not, the row is read again. */
  protected isGood: (row: T) => boolean = () => true

  /** Returns the cached row, or undefined if the database must be queried. */
  getCached(value: string): T | undefined {
    return this.feed.isFresh() ? this.getCachedByKey(this.createKey(value)) : undefined
  }

  async findByValue(value: string): Promise<T | null> {
    return this.isWellFormed(value) ? this.lookUp(this.createKey(value), () => this.readByValue(value)) : null
  }

  /** Like `getCached`, but by ID instead of value. */
  getCachedById(id: string): T | undefined {
    return this.feed.isFresh() ? this.getCachedByKey(this.keys.get(id) ?? id) : undefined
  }

  evict(id: string): void {
    this.epoch += 1
    this.rows.delete(id)
    const key = this.keys.get(id)
    if (key !== undefined) this.rows.delete(key)
  }

  /** Reads a row through the cache. The key is the hash of the value, or the ID. */
  protected async lookUp(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const cached = (await this.feed.confirm()) ? this.getCachedByKey(this.keys.get(key) ?? key) : undefined
    if (cached) return cached
    const { epoch } = this
    const row = await read()
    if (row && epoch === this.epoch && this.feed.isFresh()) {
      this.rows.set(key, row)
      if (key !== row.id) this.keys.set(row.id, key)
    }
    return row
  }

  private getCachedByKey(key: string): T | undefined {
    const row = this.rows.get(key)
    return row && this.isGood(row) ? row : undefined
  }

  private clearRows(): void {
    this.epoch += 1
    this.rows.clear()
  }

  private createKey(value: string): string {
    return hash('sha256', this.processKey + value, 'base64')
  }
}

/** Records when each credential was last used. Times are set on cached rows and written every few seconds. */
export abstract class CredentialUse<
  T extends { id: string; lastUsedAt: Date | null },
> implements BeforeApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name)
  protected readonly unwritten: WriteBehind<T>

  constructor(write: (used: T[]) => Promise<void>) {
    this.unwritten = new WriteBehind(
      writeIntervalMs,
      write,
      (error) =>
        this.logger.warn(`Last-used times could not be written and will be retried: ${error.message}`),
      (older, newer) => {
        if (older !== newer) this.mergeUse(older, newer)
        return newer
      },
    )
  }

  /** Copies unwritten data from a row to the newer row that replaces it. */
  protected mergeUse: (from: T, to: T) => void = () => undefined

  recordUse(row: T): void {
    row.lastUsedAt = currentTime()
    this.unwritten.set(row.id, row)
  }

  async beforeApplicationShutdown(): Promise<void> {
    await withTimeout(this.unwritten.flush(), lastWriteTimeoutMs, undefined)
  }
}
