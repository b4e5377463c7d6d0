/** The links that redirects are answered from, kept right by the change feed. */
import { Injectable, Logger } from '@nestjs/common'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { ThrottledWarning } from '../platform/util/throttled-warning.js'
import { LinksRepository } from './links.repository.js'
import { LinkCache } from './redirect/link-cache.js'
import { LinkLoader } from './redirect/link-loader.js'

@Injectable()
export class RedirectLinks {
  readonly cache: LinkCache
  private readonly trouble = new ThrottledWarning(new Logger(RedirectLinks.name))

  constructor(feed: ChangeFeed, links: LinksRepository) {
    const loader = new LinkLoader((slugs) => links.findBySlugs(slugs))
    this.cache = new LinkCache({
      load: (slug, isUrgent) => loader.load(slug, isUrgent),
      feedIsFresh: () => feed.isFresh(),
      confirmFeed: () => feed.confirm(),
      onLoadError: (error) => this.trouble.warn(`A link cannot be looked up: ${error.message}`),
    })
    feed.subscribe('link', {
      changed: (slug) => this.forget(slug),
      reset: () => this.cache.invalidateAll(),
    })
  }

  forget(slug: string): void {
    this.cache.invalidate(slug)
  }
}
