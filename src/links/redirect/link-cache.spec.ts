import type { LinkCache } from './link-cache.js'
import { linkCacheWorld as createCache, linkTo as link } from '../../../test/support/link-cache.js'

describe('the link cache', () => {
  it('runs one query for 100 concurrent lookups of a slug', async () => {
    const { cache, state, next } = createCache()
    const all = Promise.all(Array.from({ length: 100 }, () => cache.lookUp('a')))
    ;(await next()).respond(link('a'))
    expect(new Set((await all).map((found) => found?.slug))).toEqual(new Set(['a']))
    expect(state.lookups).toEqual(['a'])
  })

  it('caches an unknown slug until its maximum age or until it is announced', async () => {
    const { cache, state, get, fill } = createCache({ unknownAgeMs: 5_000 })
    await fill('a', null)
    expect(get('a')).toBeNull()
    state.now += 4_999
    expect(get('a')).toBeNull()
    state.now += 1
    expect(get('a')).toBeUndefined()
    await fill('a', null)
    cache.invalidate('a')
    expect(get('a')).toBeUndefined()
  })

  it('limits the number of cached unknown slugs', async () => {
    const { cache, fill } = createCache({ maxUnknown: 10 })
    for (let i = 0; i < 50; i++) await fill(`u${i}`, null)
    expect(cache.stats().unknown).toBe(10)
  })

  it('expires an entry after its maximum age, even if it is used often', async () => {
    const { state, get, fill } = createCache({ maxAgeMs: 60_000 })
    await fill('a')
    for (let i = 0; i < 599; i++) {
      state.now += 100
      expect(get('a')?.slug).toBe('a')
    }
    state.now += 100
    expect(get('a')).toBeUndefined()
  })

  it('refreshes an entry in the background after half its maximum age', async () => {
    const { state, get, next, fill } = createCache({ maxAgeMs: 60_000 })
    await fill('a')
    state.now += 29_999
    get('a')
    expect(state.lookups).toEqual(['a'])
    state.now += 1
    for (let i = 0; i < 3; i++) expect(get('a')?.location).toBe('https://example.com/a')
    expect(state.lookups).toEqual(['a', 'a'])
    ;(await next()).respond(link('a', 'https://new.example/'))
    await new Promise(setImmediate)
    state.now += 59_999
    expect(get('a')?.location).toBe('https://new.example/')
  })

  it('retries a failed refresh every five seconds and serves the entry until it expires', async () => {
    const { state, get, next, fill } = createCache({ maxAgeMs: 60_000 })
    await fill('a')
    state.now += 30_000
    for (let queries = 2; queries < 7; queries++) {
      get('a')
      ;(await next()).fail()
      await new Promise(setImmediate)
      state.now += 4_999
      expect(get('a')?.slug).toBe('a')
      expect(state.lookups).toHaveLength(queries)
      state.now += 1
    }
  })

  it('discards a refresh if the link changes during it', async () => {
    const { cache, state, get, next, fill } = createCache({ maxAgeMs: 60_000 })
    await fill('a')
    state.now += 30_000
    get('a')
    const refresh = await next()
    cache.invalidate('a')
    refresh.respond(link('a'))
    await new Promise(setImmediate)
    expect(get('a')).toBeUndefined()
  })

  it('limits concurrent refreshes separately from lookups of visitors', async () => {
    const { cache, state, get, next, fill } = createCache({ maxRefreshes: 2, maxLoads: 1 })
    for (const slug of ['a', 'b', 'c']) await fill(slug)
    state.now += 30_000
    for (const slug of ['a', 'b', 'c']) expect(get(slug)?.slug).toBe(slug)
    expect(state.lookups).toEqual(['a', 'b', 'c', 'a', 'b'])
    const visitor = cache.lookUp('d')
    ;(await next()).respond(link('a'))
    await new Promise(setImmediate)
    get('c')
    expect(state.lookups.slice(5)).toEqual(['d', 'c'])
    ;(await next()).respond(link('b'))
    ;(await next()).respond(link('d'))
    expect((await visitor)?.slug).toBe('d')
  })

  it('does not serve an entry whose time is in the future after the clock was set back', async () => {
    const { state, get, fill } = createCache()
    await fill('a')
    state.now -= 3_600_000
    expect(get('a')).toBeUndefined()
  })

  it('discards a load if the link changes during it, and loads again for later visitors', async () => {
    const { cache, state, get, next } = createCache()
    const before = cache.lookUp('a')
    const first = await next()
    cache.invalidate('a')
    const after = cache.lookUp('a')
    const second = await next()
    second.respond(link('a', 'https://new.example/'))
    expect((await after)?.location).toBe('https://new.example/')
    first.respond(link('a', 'https://old.example/'))
    await before
    expect(get('a')?.location).toBe('https://new.example/')
    expect(state.lookups).toHaveLength(2)
  })

  it('discards a load if all entries are invalidated during it', async () => {
    const { cache, get, next } = createCache()
    const before = cache.lookUp('a')
    const first = await next()
    cache.invalidateAll()
    first.respond(link('a'))
    await before
    expect(get('a')).toBeUndefined()
  })

  it('does not cache a missing slug if the slug is taken during the lookup', async () => {
    const { cache, get, next } = createCache()
    const before = cache.lookUp('a')
    const first = await next()
    cache.invalidate('a')
    first.respond(null)
    expect(await before).toBeNull()
    expect(get('a')).toBeUndefined()
  })

  it('queries the database while the feed is silent, and unknown slugs once a second', async () => {
    const { state, get, fill } = createCache()
    await fill('a')
    await fill('b', null)
    state.fresh = false
    expect(get('a')).toBeUndefined()
    expect(get('b')).toBeNull()
    state.now += 1_000
    expect(get('b')).toBeUndefined()
    state.fresh = true
    expect(get('a')?.slug).toBe('a')
  })

  it('serves cached links without a query once the feed confirms that it is fresh', async () => {
    const { cache, state, fill } = createCache({
      feed: { isFresh: () => state.fresh, confirm: () => Promise.resolve((state.fresh = true)) },
    })
    await fill('a')
    state.lookups.length = 0
    state.fresh = false
    expect((await cache.lookUp('a'))?.slug).toBe('a')
    expect(state.lookups).toEqual([])
  })

  it.each([
    ['the feed is silent', (state: { fresh: boolean }) => (state.fresh = false)],
    ['the entry is too old', (state: { now: number }) => (state.now += 61_000)],
    ['all entries are invalidated', (_: unknown, cache: LinkCache) => cache.invalidateAll()],
  ])('serves a stale entry when %s and the database is down', async (_, makeStale) => {
    const { cache, state, get, next, fill } = createCache()
    await fill('a')
    makeStale(state, cache)
    expect(get('a')).toBeUndefined()
    const visit = cache.lookUp('a')
    ;(await next()).fail()
    expect((await visit)?.slug).toBe('a')
    expect(cache.stats()).toMatchObject({ servedStale: 1, loadErrors: 1 })
    // Visitors do not wait for a database that is down. It is probed once a second in the background.
    const queriesBefore = state.lookups.length
    expect(get('a')?.slug).toBe('a')
    expect(state.lookups).toHaveLength(queriesBefore)
    state.now += 1_000
    expect(get('a')?.slug).toBe('a')
    const back = await next()
    expect(get('a')?.slug).toBe('a')
    expect(state.lookups).toHaveLength(queriesBefore + 1)
    back.respond(link('a', 'https://new.example/'))
    await new Promise(setImmediate)
    expect(cache.stats().loadErrors).toBe(1)
    if (state.fresh) expect(get('a')?.location).toBe('https://new.example/')
    else expect(get('a')).toBeUndefined()
  })

  it('waits for the database again some time after its last failure', async () => {
    const { cache, state, get, next, fill } = createCache({ maxAgeMs: 1_000 })
    await fill('a')
    state.now += 1_000
    const visit = cache.lookUp('a')
    ;(await next()).fail()
    await visit
    expect(get('a')?.slug).toBe('a')
    state.now += 5_000
    expect(get('a')).toBeUndefined()
  })

  it('fails for a link that changed while the database is down', async () => {
    const { cache, get, next, fill } = createCache()
    await fill('a')
    cache.invalidate('a')
    expect(get('a')).toBeUndefined()
    const visit = cache.lookUp('a')
    ;(await next()).fail()
    await expect(visit).rejects.toThrow('database down')
  })

  it('times out if the database does not respond, and limits concurrent lookups', async () => {
    const { cache, next } = createCache({ loadTimeoutMs: 20, maxLoads: 1 })
    await expect(cache.lookUp('a')).rejects.toThrow('too long')
    await expect(cache.lookUp('b')).rejects.toThrow('Too many')
    ;(await next()).respond(null)
    await new Promise(setImmediate)
    await expect(cache.lookUp('b')).rejects.toThrow('too long')
  })

  it('does not consider the database down when the limit of lookups is reached', async () => {
    const { cache, state, get, next, fill } = createCache({ maxLoads: 2 })
    await fill('old')
    state.now += 3_600_000
    const both = Promise.all([cache.lookUp('a'), cache.lookUp('b')])
    await expect(cache.lookUp('c')).rejects.toThrow('Too many')
    expect(get('old')).toBeUndefined()
    for (let i = 0; i < 2; i++) (await next()).respond(null)
    await both
    const third = cache.lookUp('c')
    ;(await next()).respond(link('c'))
    expect((await third)?.slug).toBe('c')
  })

  it('evicts the least recently used link', async () => {
    const { cache, state, get, fill } = createCache({ maxEntries: 3 })
    for (const slug of ['a', 'b', 'c']) await fill(slug)
    state.now += 2_000
    get('a')
    await fill('d')
    expect(['a', 'b', 'c', 'd'].map((slug) => get(slug)?.slug)).toEqual(['a', undefined, 'c', 'd'])
    expect(cache.stats().entries).toBe(3)
  })

  it('limits the number of entries and their memory', async () => {
    const few = createCache({ maxEntries: 10 })
    for (let i = 0; i < 30; i++) await few.fill(`s${i}`)
    expect(few.cache.stats().entries).toBe(10)
    const small = createCache({ maxBytes: 100_000 })
    for (let i = 0; i < 30; i++)
      await small.fill(`s${i}`, link(`s${i}`, `https://example.com/${'x'.repeat(8_000)}`))
    expect(small.cache.stats().entries).toBeLessThanOrEqual(12)
    expect(small.cache.stats().bytes).toBeLessThanOrEqual(100_000)
  })
})
