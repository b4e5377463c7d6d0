/**
 * What a process remembers of the credentials that it has checked, and when they were last used. Credentials are tokens
 * and sessions of the dashboard.
 */
import { hash, randomBytes } from 'node:crypto'

import { type BeforeApplicationShutdown, Logger } from '@nestjs/common'
import { LRUCache } from 'lru-cache'

import type { ChangeFeed, Topic } from '../platform/database/change-feed.js'
import { currentTime } from '../platform/util/clock.js'
import { WriteBehind } from '../platform/util/batching.js'
import { lastWriteMayTakeMs, withTimeout } from '../platform/util/timers.js'

// Limits how long a missed invalidation could last. A hit does not extend it.
const hardMaximumAgeMs = 60_000

const writeUsesEveryMs = 10_000

/**
 * The memory is trusted only while the change feed is. In doubt the database is asked, and if that fails too, nobody is
 * let in.
 */
export abstract class CheckedCredentials<T extends { id: string }> {
  private readonly rows: LRUCache<string, T>
  /** Maps the id of a row to its key in `rows`, for rows that were found by their value. */
  private readonly keys = new Map<string, string>()
  /** Values are hashed with this key for look-ups. That is quick, and no value stays in memory. */
  private readonly processKey = randomBytes(32).toString('base64')
  /** Grows with each invalidation, because a row that was read before one must not be remembered after it. */
  private epoch = 0

  constructor(
    private readonly feed: ChangeFeed,
    topic: Topic,
    most: number,
  ) {
    this.rows = new LRUCache<string, T>({
      max: most,
      ttl: hardMaximumAgeMs,
      ttlResolution: 1_000,
      dispose: ({ id }, key) => {
        if (this.keys.get(id) === key) this.keys.delete(id)
      },
    })
    feed.subscribe(topic, { changed: (id) => this.forget(id), reset: () => this.forgetAll() })
  }

  protected abstract hasForm(value: string): boolean
  protected abstract read(value: string): Promise<T | null>

  /** Whether a remembered row may still be used. If not, it is read again. */
  protected isGood: (row: T) => boolean = () => true

  /** The row from memory, without waiting. Undefined when the database has to be asked. */
  known(value: string): T | undefined {
    return this.feed.isFresh() ? this.at(this.keyOf(value)) : undefined
  }

  async find(value: string): Promise<T | null> {
    return this.hasForm(value) ? this.lookUp(this.keyOf(value), () => this.read(value)) : null
  }

  /** Like `known`, for callers that have the id instead of the value. */
  knownById(id: string): T | undefined {
    return this.feed.isFresh() ? this.at(this.keys.get(id) ?? id) : undefined
  }

  forget(id: string): void {
    this.epoch += 1
    this.rows.delete(id)
    const key = this.keys.get(id)
    if (key !== undefined) this.rows.delete(key)
  }

  /** A credential is cached under the key by which it was found: its value or its id. */
  protected async lookUp(key: string, read: () => Promise<T | null>): Promise<T | null> {
    const cached = (await this.feed.confirm()) ? this.at(this.keys.get(key) ?? key) : undefined
    if (cached) return cached
    const { epoch } = this
    const row = await read()
    if (row && epoch === this.epoch && this.feed.isFresh()) {
      this.rows.set(key, row)
      if (key !== row.id) this.keys.set(row.id, key)
    }
    return row
  }

  private at(key: string): T | undefined {
    const row = this.rows.get(key)
    return row && this.isGood(row) ? row : undefined
  }

  private forgetAll(): void {
    this.epoch += 1
    this.rows.clear()
  }

  private keyOf(value: string): string {
    return hash('sha256', this.processKey + value, 'base64')
  }
}

/** When each credential was last used. Uses are noted on rows in memory, and written every few seconds. */
export abstract class CredentialUse<
  T extends { id: string; lastUsedAt: Date | null },
> implements BeforeApplicationShutdown {
  private readonly logger = new Logger(this.constructor.name)
  protected readonly unwritten: WriteBehind<T>

  constructor(write: (used: T[]) => Promise<void>) {
    this.unwritten = new WriteBehind(
      writeUsesEveryMs,
      write,
      (error) => this.logger.warn(`Times of use could not be written, and are kept: ${error.message}`),
      (older, newer) => {
        if (older !== newer) this.takeOver(older, newer)
        return newer
      },
    )
  }

  /** Copies what the replaced record knows to the record that takes its place among the unwritten uses. */
  protected takeOver: (from: T, to: T) => void = () => undefined

  note(row: T): void {
    row.lastUsedAt = currentTime()
    this.unwritten.set(row.id, row)
  }

  async beforeApplicationShutdown(): Promise<void> {
    await withTimeout(this.unwritten.flush(), lastWriteMayTakeMs, undefined)
  }
}
