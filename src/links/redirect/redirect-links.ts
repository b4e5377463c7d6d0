/** The links that redirects are answered from, kept current by the change feed. */
import { Injectable, Logger } from '@nestjs/common'

import { ChangeFeed } from '../../platform/database/change-feed.js'
import { BatchedCalls } from '../../platform/util/batching.js'
import type { BatchLimits } from '../../platform/util/batching.js'
import { ThrottledWarning } from '../../platform/util/throttled-warning.js'
import { LinksRepository } from '../links.repository.js'
import { compileLink } from './compiled-link.js'
import type { CompiledLink, StoredLink } from './compiled-link.js'
import { LinkCache } from './link-cache.js'

@Injectable()
export class RedirectLinks {
  readonly cache: LinkCache
  private readonly trouble = new ThrottledWarning(new Logger(RedirectLinks.name))

  constructor(feed: ChangeFeed, links: LinksRepository) {
    const loader = new LinkLoader((slugs) => links.findBySlugs(slugs))
    this.cache = new LinkCache({
      load: (slug, isUrgent) => loader.load(slug, isUrgent),
      feed,
      onLoadError: (error) => this.trouble.warn(`A link cannot be looked up: ${error.message}`),
    })
    feed.subscribe('link', {
      changed: (slug) => this.cache.invalidate(slug),
      reset: () => this.cache.invalidateAll(),
    })
  }
}

/** A visitor waits, so the first lookups run at once. Lookups that come meanwhile share the next statement. */
const forVisitors: BatchLimits<string> = { most: 200, atOnce: 4 }
/** Nobody waits, so lookups are gathered into few statements. */
const inBackground: BatchLimits<string> = { most: 500, atOnce: 1, gatherMs: () => 20 }

/**
 * Reads links for the cache. Links that are wanted at the same time share a statement, because there may be thousands,
 * for example after a pause of the change feed.
 */
export class LinkLoader {
  private readonly urgent: BatchedCalls<string, CompiledLink | null>
  private readonly background: BatchedCalls<string, CompiledLink | null>

  /** `find` returns the links of those slugs that exist. */
  constructor(private readonly find: (slugs: string[]) => Promise<StoredLink[]>) {
    const read = (slugs: string[]) => this.read(slugs)
    this.urgent = new BatchedCalls(forVisitors, read)
    this.background = new BatchedCalls(inBackground, read)
  }

  /** Null when nobody ever had this slug. */
  load(slug: string, isUrgent: boolean): Promise<CompiledLink | null> {
    return (isUrgent ? this.urgent : this.background).ask(slug)
  }

  private async read(slugs: string[]): Promise<(slug: string) => CompiledLink | null> {
    const stored = await this.find(slugs)
    const bySlug = new Map(stored.map((link) => [link.slug, link]))
    return (slug) => {
      const link = bySlug.get(slug)
      return link ? compileLink(link) : null
    }
  }
}
