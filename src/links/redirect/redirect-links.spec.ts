import { storedLink } from '../../../test/support/factories/stored-link.js'
import { LinkLoader } from './redirect-links.js'
import type { StoredLink } from './compiled-link.js'

/** Creates a loader and a database whose responses the test sends. */
function createLoader() {
  const queries: string[][] = []
  const pending: { respond: (links: StoredLink[]) => void; fail: () => void }[] = []
  const loader = new LinkLoader((slugs) => {
    queries.push(slugs)
    return new Promise((resolve, reject) => {
      pending.push({ respond: resolve, fail: () => reject(new Error('database down')) })
    })
  })
  return { queries, pending, load: (slug: string, isUrgent = true) => loader.load(slug, isUrgent) }
}

const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

describe('the link loader', () => {
  it('loads concurrently requested links with one statement, and returns null for missing slugs', async () => {
    const { queries, pending, load } = createLoader()
    const lookups = ['a', 'b', 'c'].map((slug) => load(slug))
    await settle()
    expect(queries).toEqual([['a', 'b', 'c']])
    pending[0]!.respond([storedLink({ slug: 'c' }), storedLink({ slug: 'a' })])
    expect((await Promise.all(lookups)).map((link) => link?.slug)).toEqual(['a', undefined, 'c'])
  })

  it('runs four statements at a time, and combines further lookups in the next statement', async () => {
    const { queries, pending, load } = createLoader()
    const lookups: Promise<unknown>[] = []
    for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) {
      lookups.push(load(slug))
      await settle()
    }
    expect(queries).toEqual([['a'], ['b'], ['c'], ['d']])
    pending[2]!.respond([storedLink({ slug: 'c' })])
    await settle()
    expect(queries.slice(4)).toEqual([['e', 'f']])
    for (const { respond } of pending) respond([])
    await Promise.all(lookups)
  })

  it('rejects only the lookups of a failed statement', async () => {
    const { pending, load } = createLoader()
    const lookups = Promise.allSettled([load('a'), load('b')])
    await settle()
    pending[0]!.fail()
    expect((await lookups).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const later = load('a')
    await settle()
    pending[1]!.respond([storedLink({ slug: 'a' })])
    expect((await later)?.slug).toBe('a')
  })

  it('rejects only the link with an invalid URL', async () => {
    const { pending, load } = createLoader()
    const lookups = Promise.allSettled([load('a'), load('b')])
    await settle()
    pending[0]!.respond([storedLink({ slug: 'a', url: '//\u0001' }), storedLink({ slug: 'b' })])
    expect((await lookups).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('collects background lookups without delaying visitors', async () => {
    const { queries, pending, load } = createLoader()
    const lookups = [load('a', false), load('b', false), load('c')]
    await settle()
    expect(queries).toEqual([['c']])
    pending[0]!.respond([])
    while (queries.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(queries[1]).toEqual(['a', 'b'])
    pending[1]!.respond([])
    await Promise.all(lookups)
  })
})
