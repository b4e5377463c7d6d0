/** Looks up links for redirects, in a cache that the change feed keeps current. */
import { Injectable, Logger } from '@nestjs/common'
import { InjectDataSource } from '@nestjs/typeorm'
import { DataSource } from 'typeorm'

import { ChangeFeed } from '../../platform/database/change-feed.js'
import { runStatement } from '../../platform/database/statements.js'
import { BatchedCalls } from '../../platform/util/batched-calls.js'
import type { BatchLimits } from '../../platform/util/batcher.js'
import { ThrottledWarning } from '../../platform/util/throttled-warning.js'
import { compileLink } from './compiled-link.js'
import type { CompiledLink, StoredLink } from './compiled-link.js'
import { LinkCache } from './link-cache.js'
import { createRedirectDurations } from './redirect-observer.js'

/** Includes deleted links, whose short URLs respond with 410. */
const findBySlugs = {
  name: 'find-slugs',
  text: `
    SELECT id, workspace_id, slug, url, redirect_status, forward_query, enabled, expires_at, deleted_at
    FROM links WHERE slug = ANY($1)`,
}

@Injectable()
export class RedirectLinks {
  readonly cache: LinkCache
  readonly durations = createRedirectDurations()
  private readonly lookupWarning = new ThrottledWarning(new Logger(RedirectLinks.name))

  constructor(feed: ChangeFeed, @InjectDataSource() { manager }: DataSource) {
    const loader = new LinkLoader((slugs) => runStatement<StoredLink & object>(manager, findBySlugs, [slugs]))
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
