/** The links that redirects are answered from, kept right by the change feed. */
import { Injectable, Logger } from '@nestjs/common'

import { ChangeFeed } from '../../platform/database/change-feed.js'
import { Batcher } from '../../platform/util/batching.js'
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

/** A visitor waits: the first ones go at once, and who comes meanwhile shares the next statement. */
const forVisitors: BatchLimits<WantedSlug> = { most: 200, atOnce: 4 }
/** Nobody waits. */
const inBackground: BatchLimits<WantedSlug> = { most: 500, atOnce: 1, gatherMs: () => 20 }

interface WantedSlug {
  slug: string
  found: (link: CompiledLink | null) => void
  failed: (error: unknown) => void
}

/**
 * Reads links for the cache. Those that are wanted at the same time share a statement, for after a pause of the change
 * feed, or an hour after a campaign began, thousands may be.
 */
export class LinkLoader {
  private readonly urgent: Batcher<WantedSlug>
  private readonly background: Batcher<WantedSlug>

  /** `find` gives those of the slugs that there are. */
  constructor(private readonly find: (slugs: string[]) => Promise<StoredLink[]>) {
    const read = (batch: WantedSlug[]) => this.read(batch)
    this.urgent = new Batcher(forVisitors, read, neverFails)
    this.background = new Batcher(inBackground, read, neverFails)
  }

  /** Null when nobody ever had this slug. */
  load(slug: string, isUrgent: boolean): Promise<CompiledLink | null> {
    return new Promise((found, failed) =>
      (isUrgent ? this.urgent : this.background).add({ slug, found, failed }),
    )
  }

  private async read(batch: readonly WantedSlug[]): Promise<void> {
    try {
      const stored = await this.find(batch.map(({ slug }) => slug))
      const bySlug = new Map(stored.map((link) => [link.slug, link]))
      for (const wanted of batch) answer(wanted, bySlug.get(wanted.slug))
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }
}

/** A link that cannot be used fails alone. */
function answer({ found, failed }: WantedSlug, stored: StoredLink | undefined): void {
  try {
    found(stored ? compileLink(stored) : null)
  } catch (error) {
    failed(error)
  }
}

function neverFails(error: Error): never {
  throw error
}
