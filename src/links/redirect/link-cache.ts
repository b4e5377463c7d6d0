/**
 * Caches links for redirects. An entry is valid for `maxAgeMs` while the change feed is fresh, and is refreshed in the
 * background after half that time. If the database is down or frozen, stale entries are served. A change announced by
 * the feed evicts the entry.
 */
import { LRUCache } from 'lru-cache'

import type { ChangeFeed } from '../../platform/database/change-feed.js'
import { currentMs } from '../../platform/util/clock.js'
import { withTimeout } from '../../platform/util/timers.js'
import type { CompiledLink } from './compiled-link.js'

export interface LinkCacheOptions {
  /** Reads a link from the database. Returns null if the slug was never used. Urgent if a visitor is waiting. */
  load(slug: string, isUrgent: boolean): Promise<CompiledLink | null>
  /** The feed is fresh while it cannot have missed a change. After a gap, it first calls `invalidateAll`. */
  feed: Pick<ChangeFeed, 'isFresh' | 'confirm'>
  now?: () => number
  onLoadError?: (error: Error) => void
  maxEntries?: number
  maxBytes?: number
  maxAgeMs?: number
  /** Limits for slugs that do not exist. New links are not announced, so they appear after `unknownAgeMs`. */
  maxUnknown?: number
  unknownAgeMs?: number
  loadTimeoutMs?: number
  /** How long a visitor waits for the lookup of a stale entry. */
  maxWaitMs?: number
  /** Maximum number of concurrent lookups of uncached slugs. Limits the memory that requests with random slugs take. */
  maxLoads?: number
  /** Maximum number of concurrent lookups of cached slugs. Limits the requests that a frozen database accumulates. */
  maxRefreshes?: number
}

interface Entry {
  link: CompiledLink
  loadedAt: number
  epoch: number
  /** When the entry was last marked as recently used. */
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

/** Memory that an entry takes in addition to its strings. */
const entryOverheadBytes = 400
/** Marking an entry as recently used costs more than reading it, so a busy entry is marked only this often. */
const touchIntervalMs = 1_000
/** How often to probe a database that is considered down. */
const probeIntervalMs = 1_000
/** Part of `maxWaitMs` in which the feed can confirm that it is fresh. The lookup gets the remaining time. */
const confirmTimeoutMs = 20
const timedOut = Symbol('timed out')

/** Lookups of uncached and of cached links are counted and limited separately. */
type Counter = 'loading' | 'refreshing'

export class LinkCache {
  private readonly options: Required<Omit<LinkCacheOptions, 'load' | 'feed'>> & LinkCacheOptions
  private readonly entries: LRUCache<string, Entry>
  /** Slugs that do not exist, with the time of their lookup. */
  private readonly unknown: LRUCache<string, number>
  private readonly lookups = new Map<string, Promise<CompiledLink | null>>()
  private epoch = 0
  private probeAt = 0
  /** Until this time the database is considered down after a failed load, and no visitor waits for a load. */
  private databaseIsDownUntil = -Infinity
  /** Until this time the database is considered slow after a late load. */
  private databaseIsSlowUntil = -Infinity
  private loading = 0
  private refreshing = 0
  private loads = 0
  private loadErrors = 0
  private servedStale = 0

  constructor(options: LinkCacheOptions) {
    this.options = {
      now: currentMs,
      onLoadError: () => undefined,
      maxEntries: 100_000,
      maxBytes: 128 * 1024 * 1024,
      maxAgeMs: 60_000,
      maxUnknown: 50_000,
      unknownAgeMs: 1_000,
      loadTimeoutMs: 3_000,
      maxLoads: 5_000,
      maxWaitMs: 50,
      maxRefreshes: 100,
      ...options,
    }
    this.entries = new LRUCache({
      max: this.options.maxEntries,
      maxSize: this.options.maxBytes,
      sizeCalculation: ({ link }) => entryOverheadBytes + 2 * link.slug.length + link.location.length,
    })
    this.unknown = new LRUCache({ max: this.options.maxUnknown })
  }

  /** Returns the cached link, null for a slug that does not exist, or undefined if a lookup is needed. */
  get(slug: string, now: number): CompiledLink | null | undefined {
    const entry = this.entries.peek(slug)
    if (entry !== undefined) {
      if (now - entry.touchedAt >= touchIntervalMs) this.touch(slug, entry, now)
      if (this.isValid(entry, now)) {
        if (now - entry.loadedAt >= this.options.maxAgeMs / 2) this.refresh(slug, now)
        return entry.link
      }
      const isUnavailable =
        now < this.databaseIsDownUntil || (now < this.databaseIsSlowUntil && this.canServeStale(entry))
      if (!isUnavailable) return undefined
      if (now >= this.probeAt) this.probeDatabase(slug, now)
      this.servedStale++
      return entry.link
    }
    const lookedUpAt = this.unknown.get(slug)
    if (lookedUpAt === undefined) return undefined
    const age = now - lookedUpAt
    return age >= 0 && age < this.options.unknownAgeMs ? null : undefined
  }

  /**
   * Looks up a slug, with one query for all concurrent visitors. If the database is late or fails, a stale entry is
   * served and the lookup continues in the background. Rejects only if the slug is not cached.
   */
  async lookUp(slug: string): Promise<CompiledLink | null> {
    const lookup = this.confirmOrLoad(slug)
    try {
      for (;;) {
        const found = await withTimeout(lookup, this.options.maxWaitMs, timedOut)
        if (found !== timedOut) return found
        const entry = this.entries.get(slug)
        if (!entry || !this.canServeStale(entry)) continue
        lookup.catch(() => undefined)
        this.databaseIsSlowUntil = this.delayProbe()
        this.servedStale++
        return entry.link
      }
    } catch (error) {
      const entry = this.entries.get(slug)
      if (entry === undefined) throw error
      this.servedStale++
      return entry.link
    }
  }

  /** Evicts a slug. A running load may have read the old row, so its result is not cached. */
  invalidate(slug: string): void {
    this.lookups.delete(slug)
    this.entries.delete(slug)
    this.unknown.delete(slug)
  }

  /** Marks all entries as stale. */
  invalidateAll(): void {
    this.epoch++
    this.lookups.clear()
    this.unknown.clear()
    // If the feed is back, so is the database, which has the changes that the feed missed.
    this.markDatabaseUp()
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

  private isValid(entry: Entry, now: number): boolean {
    const age = now - entry.loadedAt
    return (
      entry.epoch === this.epoch && age >= 0 && age < this.options.maxAgeMs && this.options.feed.isFresh()
    )
  }

  /**
   * Reports whether a stale entry can be served while its lookup is late. If the feed was interrupted and is back, the
   * database is reachable and may have a change that the feed missed, so visitors wait.
   */
  private canServeStale(entry: Entry): boolean {
    return entry.epoch === this.epoch || !this.options.feed.isFresh()
  }

  private async confirmOrLoad(slug: string): Promise<CompiledLink | null> {
    if (await withTimeout(this.options.feed.confirm(), confirmTimeoutMs, false)) {
      const cached = this.get(slug, this.options.now())
      if (cached !== undefined) return cached
    }
    const running = this.lookups.get(slug)
    if (running) return running
    const entry = this.entries.get(slug)
    if (!entry || !this.canServeStale(entry)) {
      if (this.loading >= this.options.maxLoads)
        throw this.countError(new Error('Too many links are being looked up'))
      return this.startLookup(slug, 'loading')
    }
    if (this.refreshing < this.options.maxRefreshes) return this.startLookup(slug, 'refreshing')
    this.servedStale++
    return entry.link
  }

  private refresh(slug: string, now: number): void {
    if (now < Math.max(this.databaseIsDownUntil, this.databaseIsSlowUntil) || this.lookups.has(slug)) return
    if (this.refreshing >= this.options.maxRefreshes) return
    this.startLookup(slug, 'refreshing', false).catch(() => undefined)
  }

  private startLookup(slug: string, counter: Counter, isUrgent = true): Promise<CompiledLink | null> {
    const loadedAt = this.options.now()
    const lookup = this.load(slug, counter, isUrgent).then(
      (link) => {
        // A lookup that is no longer in the map started before an announced change, so its result is not cached.
        if (this.lookups.get(slug) === lookup) {
          this.lookups.delete(slug)
          this.store(slug, link, loadedAt)
        }
        return link
      },
      (error: unknown) => {
        // A lookup that started before the feed came back does not show that the database is down.
        if (this.lookups.get(slug) === lookup) {
          this.lookups.delete(slug)
          this.databaseIsDownUntil = this.delayProbe()
        }
        throw this.countError(error as Error)
      },
    )
    this.lookups.set(slug, lookup)
    return lookup
  }

  /** Delays the next probe. Returns until when the database is considered unavailable. */
  private delayProbe(): number {
    this.probeAt = this.options.now() + probeIntervalMs
    return this.probeAt + this.options.loadTimeoutMs + probeIntervalMs
  }

  private markDatabaseUp(): void {
    this.databaseIsDownUntil = -Infinity
    this.databaseIsSlowUntil = -Infinity
  }

  private countError(error: Error): Error {
    this.loadErrors++
    this.options.onLoadError(error)
    return error
  }

  private probeDatabase(slug: string, now: number): void {
    this.probeAt = now + probeIntervalMs
    if (this.lookups.has(slug) || this.refreshing >= this.options.maxRefreshes) return
    this.startLookup(slug, 'refreshing').catch(() => undefined)
  }

  private async load(slug: string, counter: Counter, isUrgent: boolean): Promise<CompiledLink | null> {
    this.loads++
    this[counter]++
    const loading = this.options
      .load(slug, isUrgent)
      .then((link) => {
        // A response shows that the database is back, even after the load timed out.
        this.markDatabaseUp()
        return link
      })
      // A load that timed out counts until the database responds.
      .finally(() => this[counter]--)
    const link = await withTimeout(loading, this.options.loadTimeoutMs, timedOut)
    if (link === timedOut) throw new Error('Looking up a link took too long')
    return link
  }

  private store(slug: string, link: CompiledLink | null, loadedAt: number): void {
    if (link) {
      this.entries.set(slug, { link, loadedAt, epoch: this.epoch, touchedAt: loadedAt })
      this.unknown.delete(slug)
    } else {
      this.unknown.set(slug, loadedAt)
      this.entries.delete(slug)
    }
  }
}
