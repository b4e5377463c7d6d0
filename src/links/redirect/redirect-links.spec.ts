import { storedLink } from '../../../test/support/factories/stored-link.js'
import { LinkLoader } from './redirect-links.js'
import type { StoredLink } from './compiled-link.js'

/** A loader in front of a database that answers when the test says so. */
function make() {
  const asked: string[][] = []
  const pending: { answer: (links: StoredLink[]) => void; fail: () => void }[] = []
  const loader = new LinkLoader((slugs) => {
    asked.push(slugs)
    return new Promise((resolve, reject) => {
      pending.push({ answer: resolve, fail: () => reject(new Error('database down')) })
    })
  })
  return { asked, pending, load: (slug: string, isUrgent = true) => loader.load(slug, isUrgent) }
}

const settle = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve()
}

describe('the loader of links', () => {
  it('asks for what is wanted in the same moment in one statement, and says what there is not', async () => {
    const { asked, pending, load } = make()
    const wanted = ['a', 'b', 'c'].map((slug) => load(slug))
    await settle()
    expect(asked).toEqual([['a', 'b', 'c']])
    pending[0]!.answer([storedLink({ slug: 'c' }), storedLink({ slug: 'a' })])
    expect((await Promise.all(wanted)).map((link) => link?.slug)).toEqual(['a', undefined, 'c'])
  })

  it('asks at once while few statements are under way, and what comes then shares the next one', async () => {
    const { asked, pending, load } = make()
    const wanted: Promise<unknown>[] = []
    for (const slug of ['a', 'b', 'c', 'd', 'e', 'f']) {
      wanted.push(load(slug))
      await settle()
    }
    expect(asked).toEqual([['a'], ['b'], ['c'], ['d']])
    pending[2]!.answer([storedLink({ slug: 'c' })])
    await settle()
    expect(asked.slice(4)).toEqual([['e', 'f']])
    for (const { answer } of pending) answer([])
    await Promise.all(wanted)
  })

  it('fails all of a statement that fails, and only them', async () => {
    const { pending, load } = make()
    const wanted = Promise.allSettled([load('a'), load('b')])
    await settle()
    pending[0]!.fail()
    expect((await wanted).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    const later = load('a')
    await settle()
    pending[1]!.answer([storedLink({ slug: 'a' })])
    expect((await later)?.slug).toBe('a')
  })

  it('fails a link alone whose url is none', async () => {
    const { pending, load } = make()
    const wanted = Promise.allSettled([load('a'), load('b')])
    await settle()
    pending[0]!.answer([storedLink({ slug: 'a', url: '//\u0001' }), storedLink({ slug: 'b' })])
    expect((await wanted).map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('gathers what nobody waits for, and keeps no visitor waiting for it', async () => {
    const { asked, pending, load } = make()
    const wanted = [load('a', false), load('b', false), load('c')]
    await settle()
    expect(asked).toEqual([['c']])
    pending[0]!.answer([])
    while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(asked[1]).toEqual(['a', 'b'])
    pending[1]!.answer([])
    await Promise.all(wanted)
  })
})
