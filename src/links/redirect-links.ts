/** The links that redirects are answered from, kept right by the change feed. */
import { Injectable, Logger } from '@nestjs/common'

import { ChangeFeed } from '../platform/database/change-feed.js'
import { LinksRepository } from './links.repository.js'
import { compileLink } from './redirect/compiled-link.js'
import { LinkCache } from './redirect/link-cache.js'

@Injectable()
export class RedirectLinks {
  readonly cache: LinkCache
  private readonly logger = new Logger(RedirectLinks.name)

  constructor(feed: ChangeFeed, links: LinksRepository) {
    this.cache = new LinkCache({
      load: async (slug) => {
        const link = await links.findBySlug(slug)
        return link && compileLink(link)
      },
      feedIsFresh: () => feed.isFresh(),
      confirmFeed: () => feed.confirm(),
      onLoadError: (error) => this.logger.warn(`A link cannot be looked up: ${error.message}`),
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
