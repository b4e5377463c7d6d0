/** A redirect sends one statement, or none if the link is cached. */
// Links are created on one instance, so that the other, whose statements are counted, has not cached them.
import { waitForChangeFeed, here as creator, proxy, there as service } from '../../support/two-instances.js'
import { expectRounds, nothing, SentStatements } from '../../support/statements-sent.js'
import { waitFor } from '../../support/wait-for.js'
import { makeLink, visit } from '../../support/factories/links.js'

const statements = new SentStatements()

/** Returns the statements sent during `work`. HEAD redirects like GET without recording a click. */
async function statementsDuring(work: () => Promise<void>): Promise<string[]> {
  await waitForChangeFeed()
  statements.read(proxy.takeSentBytes('queries'))
  await work()
  return statements.read(proxy.takeSentBytes('queries'))
}

const head = async (slug: string, status = 302) =>
  expect((await visit(service, slug, {}, 'HEAD')).status).toBe(status)

/** Caches links. First waits for the notifications of earlier changes, which would evict them. */
async function warm(...links: (readonly [slug: string, status: number])[]): Promise<void> {
  await waitForChangeFeed()
  for (const [slug, status] of links) await head(slug, status)
}

it('sends one statement for an uncached link, even for 100 concurrent visitors', async () => {
  for (const visitors of [1, 100]) {
    const round = async () => {
      const { slug } = await makeLink(creator)
      return statementsDuring(async () => {
        await Promise.all(Array.from({ length: visitors }, () => head(slug)))
      })
    }
    await expectRounds(service, 1, round, (sent) =>
      expect(sent).toEqual([expect.stringMatching(/^\s*SELECT [^]* FROM links WHERE slug/)]),
    )
  }
})

it('redirects concurrent visits of uncached links correctly when they share statements', async () => {
  const links = await Promise.all(
    Array.from({ length: 60 }, (_, i) => makeLink(creator, { url: `https://target.example/${i}` })),
  )
  await waitForChangeFeed()
  const visits = links.flatMap(({ slug }) =>
    [slug, `no-${slug}`].map((each) => visit(service, each, {}, 'HEAD')),
  )
  const locations = (await Promise.all(visits)).map(({ headers }) => headers.get('location'))
  expect(locations).toEqual(links.flatMap((_, i) => [`https://target.example/${i}`, null]))
})

it('sends no statement for 1,000 visits of a cached link', async () => {
  const { slug } = await makeLink(creator)
  await warm([slug, 302])
  const round = () =>
    statementsDuring(async () => {
      for (let done = 0; done < 100; done += 20)
        await Promise.all(Array.from({ length: 20 }, () => head(slug)))
    })
  await expectRounds(service, 10, round, nothing)
})

it('sends no statement for cached links that do not redirect', async () => {
  const disabled = (await makeLink(creator, { enabled: false })).slug
  const { id, slug: deleted } = await makeLink(creator)
  await creator.call('DELETE', `/v1/links/${id}`)
  const all = [disabled, deleted].map((slug) => [slug, 410] as const)
  await warm(...all)
  const round = () =>
    statementsDuring(async () => {
      for (let i = 0; i < 50; i++) for (const [slug, status] of all) await head(slug, status)
    })
  await expectRounds(service, 1, round, nothing)
})

it('looks up an unknown slug at most once a second, and never an invalid slug', async () => {
  let slugs = 0
  let seconds = 0
  const round = async () => {
    const unknown = `unknown-${++slugs}`
    const startedAt = performance.now()
    for (let i = 0; i < 100; i++) await head(unknown, 404)
    seconds = (performance.now() - startedAt) / 1000
    for (const path of ['a.b', '%61', 'a%00', 'x'.repeat(65), 'favicon.ico']) await head(path, 404)
  }
  await expectRounds(
    service,
    1,
    () => statementsDuring(round),
    (sent) => {
      expect(sent.length).toBeGreaterThanOrEqual(1)
      expect(sent.length).toBeLessThanOrEqual(1 + Math.floor(seconds))
    },
  )
})

it('writes clicks in batches', async () => {
  const { id, slug } = await makeLink(creator)
  await warm([slug, 302])
  let clicks = 0
  const round = () =>
    statementsDuring(async () => {
      for (let done = 0; done < 1000; done += 50)
        await Promise.all(Array.from({ length: 50 }, () => visit(service, slug)))
      clicks += 1000
      await waitFor('all clicks to be counted', async () => {
        const { body } = await creator.call('GET', `/v1/links/${id}`)
        return body.clicks.total === clicks
      })
    })
  await expectRounds(service, 1, round, (sent) => {
    expect(sent.filter((text) => /^\s*SELECT [^]* FROM links/.test(text))).toEqual([])
    const writes = sent.filter((text) => text.includes('INSERT INTO clicks'))
    expect(writes.length).toBeGreaterThan(0)
    expect(writes.length).toBeLessThan(200)
  })
})
