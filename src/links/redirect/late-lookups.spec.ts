import { linkCacheWorld as createCache, linkTo as link } from '../../../test/support/link-cache.js'

describe('a lookup that takes too long', () => {
  it.each([
    ['the feed is silent', (state: { fresh: boolean }) => (state.fresh = false)],
    ['the entry is too old', (state: { now: number }) => (state.now += 61_000)],
  ])('serves a stale link when %s', async (_, makeStale) => {
    const { cache, state, get, next, fill } = createCache({ maxWaitMs: 20 })
    await fill('a')
    makeStale(state)
    expect((await cache.lookUp('a'))?.location).toBe('https://example.com/a')
    // Later visitors do not wait and start no further lookup.
    expect(get('a')?.slug).toBe('a')
    expect(state.lookups).toEqual(['a', 'a'])
    ;(await next()).respond(link('a', 'https://new.example/'))
    await new Promise(setImmediate)
    state.fresh = true
    expect(get('a')?.location).toBe('https://new.example/')
  })

  it('waits for the lookup if the feed has reconnected after an interruption', async () => {
    const { cache, state, next, fill } = createCache({ maxWaitMs: 10 })
    await fill('a')
    cache.invalidateAll()
    const visit = cache.lookUp('a')
    const lookup = await next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    lookup.respond(link('a', 'https://new.example/'))
    expect((await visit)?.location).toBe('https://new.example/')
    expect(cache.stats().servedStale).toBe(0)
    cache.invalidateAll()
    const frozen = cache.lookUp('a')
    state.fresh = false
    expect((await frozen)?.location).toBe('https://new.example/')
  })

  it('does not serve other links whose changes the feed may have missed', async () => {
    const { cache, state, get, fill } = createCache({ maxWaitMs: 10 })
    await fill('a')
    await fill('b')
    cache.invalidateAll()
    await fill('a')
    state.now += 61_000
    expect((await cache.lookUp('a'))?.slug).toBe('a')
    expect(get('a')?.slug).toBe('a')
    expect(get('b')).toBeUndefined()
  })

  it('does not serve a stale link that changed during the lookup', async () => {
    const { cache, state, next, fill } = createCache({ maxWaitMs: 10 })
    await fill('a')
    state.fresh = false
    const visit = cache.lookUp('a')
    const lookup = await next()
    cache.invalidate('a')
    await new Promise((resolve) => setTimeout(resolve, 50))
    lookup.respond(link('a', 'https://new.example/'))
    expect((await visit)?.location).toBe('https://new.example/')
  })

  it('limits lookups of cached links while the database is frozen, even if the loads time out', async () => {
    const { cache, state, fill } = createCache({ maxWaitMs: 10, loadTimeoutMs: 20, maxRefreshes: 2 })
    const slugs = ['a', 'b', 'c', 'd']
    for (const slug of slugs) await fill(slug)
    state.fresh = false
    state.lookups.length = 0
    for (let round = 0; round < 5; round++) {
      const served = await Promise.all(slugs.map((slug) => cache.lookUp(slug)))
      expect(served.map((found) => found?.slug)).toEqual(slugs)
      state.now += 10_000
    }
    expect(state.lookups).toEqual(['a', 'b'])
  })

  it('queries the database once the feed is back, even if an earlier lookup failed', async () => {
    const { cache, state, get, next, fill } = createCache()
    await fill('a')
    await fill('b')
    state.fresh = false
    const before = cache.lookUp('a')
    const lookup = await next()
    cache.invalidateAll()
    state.fresh = true
    lookup.fail()
    expect((await before)?.slug).toBe('a')
    expect(get('b')).toBeUndefined()
  })
})
