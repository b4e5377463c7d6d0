/** What a redirect costs the database: nothing where the link is in memory, one statement where it is not. */
// Links are made on one instance, so that the other, which is watched, has not seen them.
import { changesAreHeard, here as maker, proxy, there as service } from '../../support/two-instances.js'
import { expectRounds, nothing, SentStatements } from '../../support/statements-sent.js'
import { waitFor } from '../../support/wait-for.js'
import { makeLink, visit } from '../../support/factories/links.js'

const statements = new SentStatements()

/** The statements sent meanwhile. HEAD redirects like GET and leaves the ingester nothing to write. */
async function statementsDuring(work: () => Promise<void>): Promise<string[]> {
  await changesAreHeard()
  statements.read(proxy.takeSent('queries'))
  await work()
  return statements.read(proxy.takeSent('queries'))
}

const head = async (slug: string, status = 302) =>
  expect((await visit(service, slug, {}, 'HEAD')).status).toBe(status)

/** Links that are in memory: what their making announces would put them out of it again. */
async function warm(...links: (readonly [slug: string, status: number])[]): Promise<void> {
  await changesAreHeard()
  for (const [slug, status] of links) await head(slug, status)
}

it('a cold link is asked for with one statement, also when 100 ask for it at once', async () => {
  for (const visitors of [1, 100]) {
    const round = async () => {
      const { slug } = await makeLink(maker)
      return statementsDuring(async () => {
        await Promise.all(Array.from({ length: visitors }, () => head(slug)))
      })
    }
    await expectRounds(service, 1, round, (sent) =>
      expect(sent).toEqual([expect.stringMatching(/^\s*SELECT [^]* FROM links WHERE slug/)]),
    )
  }
})

it('cold links that are asked for at once are not mixed up, though they share statements', async () => {
  const links = await Promise.all(
    Array.from({ length: 60 }, (_, i) => makeLink(maker, { url: `https://target.example/${i}` })),
  )
  await changesAreHeard()
  const visits = links.flatMap(({ slug }) =>
    [slug, `no-${slug}`].map((each) => visit(service, each, {}, 'HEAD')),
  )
  const locations = (await Promise.all(visits)).map(({ headers }) => headers.get('location'))
  expect(locations).toEqual(links.flatMap((_, i) => [`https://target.example/${i}`, null]))
})

it('a warm link sends none, a thousand times', async () => {
  const { slug } = await makeLink(maker)
  await warm([slug, 302])
  const round = () =>
    statementsDuring(async () => {
      for (let done = 0; done < 100; done += 20)
        await Promise.all(Array.from({ length: 20 }, () => head(slug)))
    })
  await expectRounds(service, 10, round, nothing)
})

it('warm links that end nowhere send none either', async () => {
  const disabled = (await makeLink(maker, { enabled: false })).slug
  const { id, slug: deleted } = await makeLink(maker)
  await maker.call('DELETE', `/v1/links/${id}`)
  const all = [disabled, deleted].map((slug) => [slug, 410] as const)
  await warm(...all)
  const round = () =>
    statementsDuring(async () => {
      for (let i = 0; i < 50; i++) for (const [slug, status] of all) await head(slug, status)
    })
  await expectRounds(service, 1, round, nothing)
})

it('looks an unknown slug up once a second at most, and what can be no slug never', async () => {
  let slugs = 0
  let seconds = 0
  const round = async () => {
    const unknown = `nobody-has-this-${++slugs}`
    const began = performance.now()
    for (let i = 0; i < 100; i++) await head(unknown, 404)
    seconds = (performance.now() - began) / 1000
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

it('clicks of a warm link are written by the ingester in batches, not one by one', async () => {
  const { id, slug } = await makeLink(maker)
  await warm([slug, 302])
  let clicks = 0
  const round = () =>
    statementsDuring(async () => {
      for (let done = 0; done < 1000; done += 50)
        await Promise.all(Array.from({ length: 50 }, () => visit(service, slug)))
      clicks += 1000
      await waitFor('all to be counted', async () => {
        const { body } = await maker.call('GET', `/v1/links/${id}`)
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
