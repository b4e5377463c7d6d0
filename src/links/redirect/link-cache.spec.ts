import type { LinkCache } from './link-cache.js'
import { linkCacheWorld as make, linkTo as link } from '../../../test/support/link-cache.js'

describe('the link cache', () => {
  it('asks once for a hundred who want the same slug', async () => {
    const { cache, state, next } = make()
    const all = Promise.all(Array.from({ length: 100 }, () => cache.lookUp('a')))
    ;(await next()).answer(link('a'))
    expect(new Set((await all).map((found) => found?.slug))).toEqual(new Set(['a']))
    expect(state.asked).toEqual(['a'])
  })

  it('remembers for a while that a slug is unknown, and forgets it when it appears', async () => {
    const { cache, state, get, fill } = make({ unknownAgeMs: 5_000 })
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

  it('keeps no more unknown slugs than it may', async () => {
    const { cache, fill } = make({ maxUnknown: 10 })
    for (let i = 0; i < 50; i++) await fill(`u${i}`, null)
    expect(cache.stats().unknown).toBe(10)
  })

  it('asks again after the maximum age, however often the entry was used', async () => {
    const { state, get, fill } = make({ maxAgeMs: 60_000 })
    await fill('a')
    for (let i = 0; i < 599; i++) {
      state.now += 100
      expect(get('a')?.slug).toBe('a')
    }
    state.now += 100
    expect(get('a')).toBeUndefined()
  })

  it('reads an entry again behind whoever asks for it, half its time after it was read', async () => {
    const { state, get, next, fill } = make({ maxAgeMs: 60_000 })
    await fill('a')
    state.now += 29_999
    get('a')
    expect(state.asked).toEqual(['a'])
    state.now += 1
    for (let i = 0; i < 3; i++) expect(get('a')?.location).toBe('https://example.com/a')
    expect(state.asked).toEqual(['a', 'a'])
    ;(await next()).answer(link('a', 'https://new.example/'))
    await new Promise(setImmediate)
    state.now += 59_999
    expect(get('a')?.location).toBe('https://new.example/')
  })

  it('keeps an entry that cannot be read again until it is too old, and tries every five seconds', async () => {
    const { state, get, next, fill } = make({ maxAgeMs: 60_000 })
    await fill('a')
    state.now += 30_000
    for (let asked = 2; asked < 7; asked++) {
      get('a')
      ;(await next()).fail()
      await new Promise(setImmediate)
      state.now += 4_999
      expect(get('a')?.slug).toBe('a')
      expect(state.asked).toHaveLength(asked)
      state.now += 1
    }
  })

  it('does not keep what was being read again when its link changed', async () => {
    const { cache, state, get, next, fill } = make({ maxAgeMs: 60_000 })
    await fill('a')
    state.now += 30_000
    get('a')
    const refresh = await next()
    cache.invalidate('a')
    refresh.answer(link('a'))
    await new Promise(setImmediate)
    expect(get('a')).toBeUndefined()
  })

  it('reads no more entries again at once than it may, and none in the place of a visitor', async () => {
    const { cache, state, get, next, fill } = make({ maxRefreshes: 2, maxLoads: 1 })
    for (const slug of ['a', 'b', 'c']) await fill(slug)
    state.now += 30_000
    for (const slug of ['a', 'b', 'c']) expect(get(slug)?.slug).toBe(slug)
    expect(state.asked).toEqual(['a', 'b', 'c', 'a', 'b'])
    const visitor = cache.lookUp('d')
    ;(await next()).answer(link('a'))
    await new Promise(setImmediate)
    get('c')
    expect(state.asked.slice(5)).toEqual(['d', 'c'])
    ;(await next()).answer(link('b'))
    ;(await next()).answer(link('d'))
    expect((await visitor)?.slug).toBe('d')
  })

  it('does not trust an entry from the future: the clock was set back', async () => {
    const { state, get, fill } = make()
    await fill('a')
    state.now -= 3_600_000
    expect(get('a')).toBeUndefined()
  })

  it('does not keep what was loading when its link changed, and asks anew for who comes after', async () => {
    const { cache, state, get, next } = make()
    const before = cache.lookUp('a')
    const first = await next()
    cache.invalidate('a')
    const after = cache.lookUp('a')
    const second = await next()
    second.answer(link('a', 'https://new.example/'))
    expect((await after)?.location).toBe('https://new.example/')
    first.answer(link('a', 'https://old.example/'))
    await before
    expect(get('a')?.location).toBe('https://new.example/')
    expect(state.asked).toHaveLength(2)
  })

  it('does not keep what was loading when everything may have changed', async () => {
    const { cache, get, next } = make()
    const before = cache.lookUp('a')
    const first = await next()
    cache.invalidateAll()
    first.answer(link('a'))
    await before
    expect(get('a')).toBeUndefined()
  })

  it('does not remember an absence that was being looked up when the slug was taken', async () => {
    const { cache, get, next } = make()
    const before = cache.lookUp('a')
    const first = await next()
    cache.invalidate('a')
    first.answer(null)
    expect(await before).toBeNull()
    expect(get('a')).toBeUndefined()
  })

  it('asks the database while the feed is silent, and an unknown slug once a second', async () => {
    const { state, get, fill } = make()
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

  it('trusts its memory again without a load when the feed proves itself', async () => {
    const { cache, state, fill } = make({
      feed: { isFresh: () => state.fresh, confirm: () => Promise.resolve((state.fresh = true)) },
    })
    await fill('a')
    state.asked.length = 0
    state.fresh = false
    expect((await cache.lookUp('a'))?.slug).toBe('a')
    expect(state.asked).toEqual([])
  })

  it.each([
    ['the feed is silent', (state: { fresh: boolean }) => (state.fresh = false)],
    ['the entry is too old', (state: { now: number }) => (state.now += 61_000)],
    ['anything may have changed', (_: unknown, cache: LinkCache) => cache.invalidateAll()],
  ])('serves the old entry when %s and the database is down', async (_, makeStale) => {
    const { cache, state, get, next, fill } = make()
    await fill('a')
    makeStale(state, cache)
    expect(get('a')).toBeUndefined()
    const wanted = cache.lookUp('a')
    ;(await next()).fail()
    expect((await wanted)?.slug).toBe('a')
    expect(cache.stats()).toMatchObject({ servedStale: 1, loadErrors: 1 })
    // Nobody waits for a database that is down. Once a second it is asked in the background.
    const askedBefore = state.asked.length
    expect(get('a')?.slug).toBe('a')
    expect(state.asked).toHaveLength(askedBefore)
    state.now += 1_000
    expect(get('a')?.slug).toBe('a')
    const back = await next()
    expect(get('a')?.slug).toBe('a')
    expect(state.asked).toHaveLength(askedBefore + 1)
    back.answer(link('a', 'https://new.example/'))
    await new Promise(setImmediate)
    expect(cache.stats().loadErrors).toBe(1)
    if (state.fresh) expect(get('a')?.location).toBe('https://new.example/')
    else expect(get('a')).toBeUndefined()
  })

  it('waits for the database again when its last fault is long ago', async () => {
    const { cache, state, get, next, fill } = make({ maxAgeMs: 1_000 })
    await fill('a')
    state.now += 1_000
    const wanted = cache.lookUp('a')
    ;(await next()).fail()
    await wanted
    expect(get('a')?.slug).toBe('a')
    state.now += 5_000
    expect(get('a')).toBeUndefined()
  })

  it('has nothing to serve for a link that was announced as changed while the database is down', async () => {
    const { cache, get, next, fill } = make()
    await fill('a')
    cache.invalidate('a')
    expect(get('a')).toBeUndefined()
    const wanted = cache.lookUp('a')
    ;(await next()).fail()
    await expect(wanted).rejects.toThrow('database down')
  })

  it('gives up on a database that does not answer, and sends no more after it than it may', async () => {
    const { cache, next } = make({ loadTimeoutMs: 20, maxLoads: 1 })
    await expect(cache.lookUp('a')).rejects.toThrow('too long')
    await expect(cache.lookUp('b')).rejects.toThrow('Too many')
    ;(await next()).answer(null)
    await new Promise(setImmediate)
    await expect(cache.lookUp('b')).rejects.toThrow('too long')
  })

  it('looks up no more slugs at once than it may, and does not take that for a database that is down', async () => {
    const { cache, state, get, next, fill } = make({ maxLoads: 2 })
    await fill('old')
    state.now += 3_600_000
    const both = Promise.all([cache.lookUp('a'), cache.lookUp('b')])
    await expect(cache.lookUp('c')).rejects.toThrow('Too many')
    expect(get('old')).toBeUndefined()
    for (let i = 0; i < 2; i++) (await next()).answer(null)
    await both
    const third = cache.lookUp('c')
    ;(await next()).answer(link('c'))
    expect((await third)?.slug).toBe('c')
  })

  it('gives up the link that was not asked for longest', async () => {
    const { cache, state, get, fill } = make({ maxEntries: 3 })
    for (const slug of ['a', 'b', 'c']) await fill(slug)
    state.now += 2_000
    get('a')
    await fill('d')
    expect(['a', 'b', 'c', 'd'].map((slug) => get(slug)?.slug)).toEqual(['a', undefined, 'c', 'd'])
    expect(cache.stats().entries).toBe(3)
  })

  it('is bounded by the number of entries and by their bytes', async () => {
    const few = make({ maxEntries: 10 })
    for (let i = 0; i < 30; i++) await few.fill(`s${i}`)
    expect(few.cache.stats().entries).toBe(10)
    const small = make({ maxBytes: 100_000 })
    for (let i = 0; i < 30; i++)
      await small.fill(`s${i}`, link(`s${i}`, `https://example.com/${'x'.repeat(8_000)}`))
    expect(small.cache.stats().entries).toBeLessThanOrEqual(12)
    expect(small.cache.stats().bytes).toBeLessThanOrEqual(100_000)
  })
})
