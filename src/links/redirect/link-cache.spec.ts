import { storedLink } from '../../../test/support/factories/stored-link.js'
import { compileLink } from './compiled-link.js'
import type { CompiledLink } from './compiled-link.js'
import { LinkCache } from './link-cache.js'
import type { LinkCacheOptions } from './link-cache.js'

const link = (slug: string, url?: string): CompiledLink =>
  compileLink(storedLink({ slug, ...(url && { url }) }))

/** A cache in front of a database whose answers the test gives one by one. */
function make(options: Partial<LinkCacheOptions> = {}) {
  const state = { now: 1_000_000, fresh: true, asked: [] as string[] }
  const pending: { answer: (link: CompiledLink | null) => void; fail: () => void }[] = []
  const cache = new LinkCache({
    load: (slug) => {
      state.asked.push(slug)
      return new Promise((resolve, reject) => {
        pending.push({ answer: resolve, fail: () => reject(new Error('database down')) })
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
    fill: async (slug: string, found: CompiledLink | null = link(slug)) => {
      const wanted = cache.lookUp(slug)
      ;(await next()).answer(found)
      await wanted
    },
  }
}

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

  it.each([
    ['the feed is silent', (state: { fresh: boolean }) => (state.fresh = false)],
    ['the entry is too old', (state: { now: number }) => (state.now += 61_000)],
  ])('serves a link from memory when %s and its lookup is late', async (_, makeStale) => {
    const { cache, state, get, next, fill } = make({ patienceMs: 20 })
    await fill('a')
    makeStale(state)
    expect((await cache.lookUp('a'))?.location).toBe('https://example.com/a')
    // The next visitors do not wait at all, and start no lookup of their own.
    expect(get('a')?.slug).toBe('a')
    expect(state.asked).toEqual(['a', 'a'])
    ;(await next()).answer(link('a', 'https://new.example/'))
    await new Promise(setImmediate)
    state.fresh = true
    expect(get('a')?.location).toBe('https://new.example/')
  })

  it('waits for a late lookup when the feed was down and is back', async () => {
    const { cache, state, next, fill } = make({ patienceMs: 10 })
    await fill('a')
    cache.invalidateAll()
    const wanted = cache.lookUp('a')
    const lookup = await next()
    await new Promise((resolve) => setTimeout(resolve, 50))
    lookup.answer(link('a', 'https://new.example/'))
    expect((await wanted)?.location).toBe('https://new.example/')
    expect(cache.stats().servedStale).toBe(0)
    cache.invalidateAll()
    const frozen = cache.lookUp('a')
    state.fresh = false
    expect((await frozen)?.location).toBe('https://new.example/')
  })

  it('does not serve a link from memory that was announced as changed during its lookup', async () => {
    const { cache, state, next, fill } = make({ patienceMs: 10 })
    await fill('a')
    state.fresh = false
    const wanted = cache.lookUp('a')
    const lookup = await next()
    cache.invalidate('a')
    await new Promise((resolve) => setTimeout(resolve, 50))
    lookup.answer(link('a', 'https://new.example/'))
    expect((await wanted)?.location).toBe('https://new.example/')
  })

  it('asks a frozen database for no more links in memory than it may, also when the loads time out', async () => {
    const { cache, state, fill } = make({ patienceMs: 10, loadTimeoutMs: 20, maxRefreshes: 2 })
    const slugs = ['a', 'b', 'c', 'd']
    for (const slug of slugs) await fill(slug)
    state.fresh = false
    state.asked.length = 0
    for (let round = 0; round < 5; round++) {
      const served = await Promise.all(slugs.map((slug) => cache.lookUp(slug)))
      expect(served.map((found) => found?.slug)).toEqual(slugs)
      state.now += 10_000
    }
    expect(state.asked).toEqual(['a', 'b'])
  })

  it('trusts the database when the feed is back, whatever happened to earlier lookups', async () => {
    const { cache, state, get, next, fill } = make()
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
