import { compileLink } from '../../src/links/redirect/compiled-link.js'
import type { CompiledLink } from '../../src/links/redirect/compiled-link.js'
import { LinkCache } from '../../src/links/redirect/link-cache.js'
import type { LinkCacheOptions } from '../../src/links/redirect/link-cache.js'
import { storedLink } from './factories/stored-link.js'

export const linkTo = (slug: string, url?: string): CompiledLink =>
  compileLink(storedLink({ slug, ...(url && { url }) }))

/** A link cache in front of a fake database, whose responses the test sends one by one. */
export function linkCacheWorld(options: Partial<LinkCacheOptions> = {}) {
  const state = { now: 1_000_000, fresh: true, lookups: [] as string[] }
  const pending: { respond: (link: CompiledLink | null) => void; fail: () => void }[] = []
  const cache = new LinkCache({
    load: (slug) => {
      state.lookups.push(slug)
      return new Promise((resolve, reject) => {
        pending.push({ respond: resolve, fail: () => reject(new Error('database down')) })
      })
    },
    feed: { isFresh: () => state.fresh, confirm: () => Promise.resolve(state.fresh) },
    now: () => state.now,
    ...options,
  })
  const next = async () => {
    for (let i = 0; i < 10 && pending.length === 0; i++) await Promise.resolve()
    return pending.shift()!
  }
  return {
    cache,
    state,
    next,
    get: (slug: string) => cache.get(slug, state.now),
    fill: async (slug: string, found: CompiledLink | null = linkTo(slug)) => {
      const lookup = cache.lookUp(slug)
      ;(await next()).respond(found)
      await lookup
    },
  }
}
