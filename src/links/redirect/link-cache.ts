/**
 * The links that redirects are answered from. An entry is trusted while the change feed is fresh, and for `maxAgeMs`
 * at most. After half of that time, the next request for it starts a load in the background, so that nobody waits. An
 * entry that is no longer trusted is kept, because it is better than no answer when the database is down. A link that
 * was announced as changed is not kept.
 */
import { LRUCache } from 'lru-cache'

import type { ChangeFeed } from '../../platform/database/change-feed.js'
import { withTimeout } from '../../platform/util/timers.js'
import type { CompiledLink } from './compiled-link.js'

export interface LinkCacheOptions {
  /** Reads a link from the database; null when nobody ever had this slug. A load is urgent when a visitor waits. */
  load(slug: string, isUrgent: boolean): Promise<CompiledLink | null>
  /** The feed is fresh while no change can have been missed. After a gap `invalidateAll` is called first. */
  feed: Pick<ChangeFeed, 'isFresh' | 'confirm'>
  now?: () => number
  onLoadError?: (error: Error) => void
  maxEntries?: number
  maxBytes?: number
  maxAgeMs?: number
  /** The limits for slugs that do not exist. New links are not announced, so they show after `unknownAgeMs`. */
  maxUnknown?: number
  unknownAgeMs?: number
  loadTimeoutMs?: number
  /** How many slugs visitors may look up at once, so that somebody who tries out slugs cannot fill the memory. */
  maxLoads?: number
  /** How many entries may be read again at once. Others are read again when they are next asked for. */
  maxRefreshes?: number
}

interface Entry {
  link: CompiledLink
  loadedAt: number
  epoch: number
  /** When it was last moved to the young end of the cache. */
  touchedAt: number
}

export interface LinkCacheStats {
  entries: number
  bytes: number
  unknown: number
  loads: number
  loadErrors: number
  servedStale: number
}

/** What an entry takes beside its strings: the objects, and their places in the maps. */
const entryOverheadBytes = 400
/** Moving an entry costs more than finding it; a busy one is moved once in this time. */
const touchEveryMs = 1_000
/** While loads fail, old entries are served at once, and the database is asked this often whether it is back. */
const askAgainAfterMs = 1_000
const tooLate = Symbol('too late')

export class LinkCache {
  private readonly options: Required<Omit<LinkCacheOptions, 'load' | 'feed'>> & LinkCacheOptions
  private readonly entries: LRUCache<string, Entry>
  /** Slugs that the database does not know, with the time at which it was asked. */
  private readonly unknown: LRUCache<string, number>
  private readonly flights = new Map<string, Promise<CompiledLink | null>>()
  private epoch = 0
  private askAgainAt = 0
  /** Until this time the database counts as down, because a load has failed. */
  private databaseIsDownUntil = -Infinity
  private loading = 0
  private refreshing = 0
  private loads = 0
  private loadErrors = 0
  private servedStale = 0

  constructor(options: LinkCacheOptions) {
    this.options = {
      now: Date.now,
      onLoadError: () => undefined,
      maxEntries: 100_000,
      maxBytes: 128 * 1024 * 1024,
      maxAgeMs: 60_000,
      maxUnknown: 50_000,
      unknownAgeMs: 1_000,
      loadTimeoutMs: 3_000,
      maxLoads: 5_000,
      maxRefreshes: 1_000,
      ...options,
    }
    this.entries = new LRUCache({
      max: this.options.maxEntries,
      maxSize: this.options.maxBytes,
      sizeCalculation: ({ link }) => entryOverheadBytes + 2 * link.slug.length + link.location.length,
    })
    this.unknown = new LRUCache({ max: this.options.maxUnknown })
  }

  /** The answer from memory: a link, null for a slug known to be unknown, undefined when it must be looked up. */
  get(slug: string, now: number): CompiledLink | null | undefined {
    const entry = this.entries.peek(slug)
    if (entry !== undefined) {
      if (now - entry.touchedAt >= touchEveryMs) this.touch(slug, entry, now)
      if (this.isTrusted(entry, now)) {
        if (now - entry.loadedAt >= this.options.maxAgeMs / 2) this.refresh(slug, now)
        return entry.link
      }
      if (now >= this.databaseIsDownUntil) return undefined
      if (now >= this.askAgainAt) this.askAgain(slug, now)
      this.servedStale++
      return entry.link
    }
    const askedAt = this.unknown.get(slug)
    if (askedAt === undefined) return undefined
    const age = now - askedAt
    return age >= 0 && age < this.options.unknownAgeMs ? null : undefined
  }

  /** Asks the database, once for all who want the slug now. Rejects only when there is no old entry either. */
  async lookUp(slug: string): Promise<CompiledLink | null> {
    if (await this.options.feed.confirm()) {
      const known = this.get(slug, this.options.now())
      if (known !== undefined) return known
    }
    try {
      return await (this.flights.get(slug) ?? this.takeForVisitor(slug))
    } catch (error) {
      const entry = this.entries.get(slug)
      if (entry === undefined) throw error
      this.servedStale++
      return entry.link
    }
  }

  /** The link was created, changed or deleted. A load that is under way may have read the old state and is not kept. */
  invalidate(slug: string): void {
    this.flights.delete(slug)
    this.entries.delete(slug)
    this.unknown.delete(slug)
  }

  /** Any link may have changed, so no entry is trusted until it is read again. */
  invalidateAll(): void {
    this.epoch++
    this.flights.clear()
    this.unknown.clear()
  }

  stats(): LinkCacheStats {
    const { loads, loadErrors, servedStale } = this
    const { size: entries, calculatedSize: bytes } = this.entries
    return { entries, bytes, unknown: this.unknown.size, loads, loadErrors, servedStale }
  }

  private touch(slug: string, entry: Entry, now: number): void {
    entry.touchedAt = now
    this.entries.get(slug)
  }

  private isTrusted(entry: Entry, now: number): boolean {
    const age = now - entry.loadedAt
    return (
      entry.epoch === this.epoch && age >= 0 && age < this.options.maxAgeMs && this.options.feed.isFresh()
    )
  }

  private refresh(slug: string, now: number): void {
    if (now < this.databaseIsDownUntil || this.flights.has(slug)) return
    if (this.refreshing >= this.options.maxRefreshes) return
    this.refreshing++
    this.take(slug, false)
      .catch(() => undefined)
      .finally(() => this.refreshing--)
  }

  private async takeForVisitor(slug: string): Promise<CompiledLink | null> {
    if (this.loading >= this.options.maxLoads)
      throw this.failed(new Error('Too many links are being looked up'))
    return this.take(slug)
  }

  private take(slug: string, isUrgent = true): Promise<CompiledLink | null> {
    const loadedAt = this.options.now()
    const flight = this.load(slug, isUrgent).then(
      (link) => {
        this.databaseIsDownUntil = -Infinity
        // A flight that is no longer in the map began before an announced change, so its answer is not kept.
        if (this.flights.get(slug) === flight) {
          this.flights.delete(slug)
          this.keep(slug, link, loadedAt)
        }
        return link
      },
      (error: unknown) => {
        if (this.flights.get(slug) === flight) this.flights.delete(slug)
        this.askAgainAt = this.options.now() + askAgainAfterMs
        this.databaseIsDownUntil = this.askAgainAt + this.options.loadTimeoutMs + askAgainAfterMs
        throw this.failed(error as Error)
      },
    )
    this.flights.set(slug, flight)
    return flight
  }

  private failed(error: Error): Error {
    this.loadErrors++
    this.options.onLoadError(error)
    return error
  }

  /** Nobody waits for the answer, because a silent database would delay visitors whom memory can answer. */
  private askAgain(slug: string, now: number): void {
    this.askAgainAt = now + askAgainAfterMs
    if (!this.flights.has(slug)) this.take(slug).catch(() => undefined)
  }

  private async load(slug: string, isUrgent: boolean): Promise<CompiledLink | null> {
    this.loads++
    if (isUrgent) this.loading++
    // A load that timed out still counts, because it still waits for the database.
    const asked = this.options.load(slug, isUrgent).finally(() => {
      if (isUrgent) this.loading--
    })
    const link = await withTimeout(asked, this.options.loadTimeoutMs, tooLate)
    if (link === tooLate) throw new Error('Looking up a link took too long')
    return link
  }

  private keep(slug: string, link: CompiledLink | null, loadedAt: number): void {
    if (link) {
      this.entries.set(slug, { link, loadedAt, epoch: this.epoch, touchedAt: loadedAt })
      this.unknown.delete(slug)
    } else {
      this.unknown.set(slug, loadedAt)
      this.entries.delete(slug)
    }
  }
}
