/** Looks up links for redirects, in a cache that the change feed keeps current. */
import { Injectable, Logger } from '@nestjs/common'

import { ChangeFeed } from '../../platform/database/change-feed.js'
import { BatchedCalls } from '../../platform/util/batched-calls.js'
import type { BatchLimits } from '../../platform/util/batcher.js'
import { ThrottledWarning } from '../../platform/util/throttled-warning.js'
import { LinksRepository } from '../links.repository.js'
import { compileLink } from './compiled-link.js'
import type { CompiledLink, StoredLink } from './compiled-link.js'
import { LinkCache } from './link-cache.js'
import { createRedirectDurations } from './redirect-observer.js'

@Injectable()
export class RedirectLinks {
  readonly cache: LinkCache
  readonly durations = createRedirectDurations()
  private readonly lookupWarning = new ThrottledWarning(new Logger(RedirectLinks.name))

  constructor(feed: ChangeFeed, links: LinksRepository) {
    const loader = new LinkLoader((slugs) => links.findBySlugs(slugs))
    this.cache = new LinkCache({
      load: (slug, isUrgent) => loader.load(slug, isUrgent),
      feed,
      onLoadError: (error) => this.lookupWarning.warn(`Cannot look up a link: ${error.message}`),
    })
    feed.subscribe('link', {
      onChange: (slug) => this.cache.invalidate(slug),
      onReset: () => this.cache.invalidateAll(),
    })
  }
}

/** The first lookups run immediately. Lookups that arrive while these run share the next statement. */
const urgentLimits: BatchLimits<string> = { maxItems: 200, concurrency: 4 }
/** No visitor waits for these lookups, so they are collected into few statements. */
const backgroundLimits: BatchLimits<string> = { maxItems: 500, concurrency: 1, gatherMs: () => 20 }

/**
 * Reads links for the cache. Concurrent lookups share a statement, because there can be thousands of lookups, for
 * example after an interruption of the change feed.
 */
export class LinkLoader {
  private readonly urgent: BatchedCalls<string, CompiledLink | null>
  private readonly background: BatchedCalls<string, CompiledLink | null>

  constructor(private readonly findBySlugs: (slugs: string[]) => Promise<StoredLink[]>) {
    const read = (slugs: string[]) => this.read(slugs)
    this.urgent = new BatchedCalls(urgentLimits, read)
    this.background = new BatchedCalls(backgroundLimits, read)
  }

  /** Returns null if the slug was never used. */
  load(slug: string, isUrgent: boolean): Promise<CompiledLink | null> {
    return (isUrgent ? this.urgent : this.background).call(slug)
  }

  private async read(slugs: string[]): Promise<(slug: string) => CompiledLink | null> {
    const stored = await this.findBySlugs(slugs)
    const bySlug = new Map(stored.map((link) => [link.slug, link]))
    return (slug) => {
      const link = bySlug.get(slug)
      return link ? compileLink(link) : null
    }
  }
}
