/**
 * The links that redirects are answered from. An entry is trusted while the change feed is fresh, for at most
 * `maxAgeMs`, and is read again in the background after half that time. Any other entry is looked up first, but does not
 * wait for a database that is down or frozen. An announced change deletes the entry.
 */
import { LRUCache } from 'lru-cache'

import type { ChangeFeed } from '../../platform/database/change-feed.js'
import { currentMs } from '../../platform/util/clock.js'
import { withTimeout } from '../../platform/util/timers.js'
import type { CompiledLink } from './compiled-link.js'

export interface LinkCacheOptions {
  /** Reads a link from the database; null when the slug was never used. A load is urgent when a visitor waits. */
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
  /** How long a visitor waits for the lookup of a link that is in memory. */
  patienceMs?: number
  /** How many slugs visitors may look up at once, so that somebody who tries out slugs cannot fill the memory. */
  maxLoads?: number
  /** How many links that are in memory may be looked up at once, so that a frozen database does not collect more. */
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
/** How often a database that counts as down is asked whether it is back. */
const askAgainAfterMs = 1_000
/** The first part of `patienceMs`. A feed that does not confirm itself within it leaves the rest for the lookup. */
const confirmWithinMs = 20
const tooLate = Symbol('too late')

/** Links that visitors wait for, and links that memory can answer meanwhile, are counted and limited apart. */
type Counter = 'loading' | 'refreshing'

export class LinkCache {
  private readonly options: Required<Omit<LinkCacheOptions, 'load' | 'feed'>> & LinkCacheOptions
  private readonly entries: LRUCache<string, Entry>
  /** Slugs that the database does not know, with the time at which it was asked. */
  private readonly unknown: LRUCache<string, number>
  private readonly flights = new Map<string, Promise<CompiledLink | null>>()
  private epoch = 0
  private askAgainAt = 0
  /** Until this time the database counts as down, because a load failed or was late, and nobody waits for it. */
  private databaseIsDownUntil = -Infinity
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
      patienceMs: 50,
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

  /**
   * Asks the database, once for all who want the slug now. A link in memory is served when the answer is late, and the
   * lookup continues in the background. Rejects only when the link is not in memory.
   */
  async lookUp(slug: string): Promise<CompiledLink | null> {
    const lookup = this.confirmOrLoad(slug)
    try {
      for (;;) {
        const found = await withTimeout(lookup, this.options.patienceMs, tooLate)
        if (found !== tooLate) return found
        const entry = this.entries.get(slug)
        if (!entry || !this.mayServe(entry)) continue
        lookup.catch(() => undefined)
        this.countAsDown()
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
    // The feed may be back, and with it the database. Changes that were missed must show at once.
    this.databaseIsDownUntil = -Infinity
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

  /**
   * Whether a late lookup may be answered from memory. Not when the feed was down since the entry was read and is back:
   * then the database answers, and a change that was missed must show.
   */
  private mayServe(entry: Entry): boolean {
    return entry.epoch === this.epoch || !this.options.feed.isFresh()
  }

  private async confirmOrLoad(slug: string): Promise<CompiledLink | null> {
    if (await withTimeout(this.options.feed.confirm(), confirmWithinMs, false)) {
      const known = this.get(slug, this.options.now())
      if (known !== undefined) return known
    }
    const flight = this.flights.get(slug)
    if (flight) return flight
    const entry = this.entries.get(slug)
    if (!entry || !this.mayServe(entry)) {
      if (this.loading >= this.options.maxLoads)
        throw this.failed(new Error('Too many links are being looked up'))
      return this.take(slug, 'loading')
    }
    if (this.refreshing < this.options.maxRefreshes) return this.take(slug, 'refreshing')
    this.servedStale++
    return entry.link
  }

  private refresh(slug: string, now: number): void {
    if (now < this.databaseIsDownUntil || this.flights.has(slug)) return
    if (this.refreshing >= this.options.maxRefreshes) return
    this.take(slug, 'refreshing', false).catch(() => undefined)
  }

  private take(slug: string, counter: Counter, isUrgent = true): Promise<CompiledLink | null> {
    const loadedAt = this.options.now()
    const flight = this.load(slug, counter, isUrgent).then(
      (link) => {
        // A flight that is no longer in the map began before an announced change, so its answer is not kept.
        if (this.flights.get(slug) === flight) {
          this.flights.delete(slug)
          this.keep(slug, link, loadedAt)
        }
        return link
      },
      (error: unknown) => {
        // A flight that began before the feed came back says nothing about the database now.
        if (this.flights.get(slug) === flight) {
          this.flights.delete(slug)
          this.countAsDown()
        }
        throw this.failed(error as Error)
      },
    )
    this.flights.set(slug, flight)
    return flight
  }

  private countAsDown(): void {
    this.askAgainAt = this.options.now() + askAgainAfterMs
    this.databaseIsDownUntil = this.askAgainAt + this.options.loadTimeoutMs + askAgainAfterMs
  }

  private failed(error: Error): Error {
    this.loadErrors++
    this.options.onLoadError(error)
    return error
  }

  private askAgain(slug: string, now: number): void {
    this.askAgainAt = now + askAgainAfterMs
    if (this.flights.has(slug) || this.refreshing >= this.options.maxRefreshes) return
    this.take(slug, 'refreshing').catch(() => undefined)
  }

  private async load(slug: string, counter: Counter, isUrgent: boolean): Promise<CompiledLink | null> {
    this.loads++
    this[counter]++
    const asked = this.options
      .load(slug, isUrgent)
      .then((link) => {
        // An answer shows that the database is back, also when the load has timed out.
        this.databaseIsDownUntil = -Infinity
        return link
      })
      // A load that timed out still counts, because it still waits for the database.
      .finally(() => this[counter]--)
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
