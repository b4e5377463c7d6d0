/** Two instances on one database: what is changed on one shows on the other within a second, come what may. */
import { ChangeFeed } from '../../../src/platform/database/change-feed.js'
import { roundsOf } from '../../support/rounds.js'
import { endListening, feedIsUp, here, proxy, there } from '../../support/two-instances.js'
import { waitFor } from '../../support/wait-for.js'
import { expire, makeLink, visit } from '../../support/factories/links.js'
import type { Answer } from '../../support/service.js'
import type { LinkAnswer } from '../../support/factories/links.js'

const rounds = roundsOf(100, 25)
const promisedMs = 1000

const change = (link: LinkAnswer, body: unknown) => here.call('PATCH', `/v1/links/${link.id}`, { body })
const gone = async (answer: Promise<Answer>) => {
  expect((await answer).status).toBeLessThan(300)
  return { status: 410 }
}
const changes = [
  async (link: LinkAnswer, round: number) => {
    expect((await change(link, { url: `https://target.example/${round}` })).status).toBe(200)
    return { status: 302, location: `https://target.example/${round}` }
  },
  (link: LinkAnswer) => gone(change(link, { enabled: false })),
  (link: LinkAnswer) => gone(expire(here, link)),
  (link: LinkAnswer) => gone(here.call('DELETE', `/v1/links/${link.id}`)),
]

const seenThere = async (slug: string) => {
  const { status, headers } = await visit(there, slug)
  const location = headers.get('location')
  return { status, ...(location === null ? {} : { location }) }
}

/** A link that the other instance remembers and trusts. */
async function warmLink(): Promise<LinkAnswer> {
  await feedIsUp()
  const link = await makeLink(here)
  expect((await seenThere(link.slug)).status).toBe(302)
  return link
}

async function expectFollowed(slug: string, wanted: object, patienceMs = promisedMs): Promise<void> {
  const says = JSON.stringify(wanted)
  const follows = async () => JSON.stringify(await seenThere(slug)) === says
  await waitFor(`the other instance to say ${says}`, follows, patienceMs)
  // It does not fall back to what it knew before.
  expect(await seenThere(slug)).toEqual(wanted)
}

it(`a change, a disabling, an expiry and a deletion are followed, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const link = await warmLink()
    await expectFollowed(link.slug, await changes[round % changes.length]!(link, round))
  }
})

it(`also when the listening connections were terminated just before, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const link = await warmLink()
    await endListening()
    await expectFollowed(link.slug, await changes[round % changes.length]!(link, round))
  }
}, 90_000)

it('also when the listening connection has gone silent, and nobody was told', async () => {
  for (const [round, make] of changes.entries()) {
    const link = await warmLink()
    proxy.silence('changes')
    await expectFollowed(link.slug, await make(link, round))
    proxy.heal()
  }
})

it('a new link shows where its slug was known to be unknown, also without the listening connection', async () => {
  for (let round = 0; round < 20; round++) {
    const slug = `fresh-${round}`
    await feedIsUp()
    expect((await seenThere(slug)).status).toBe(404)
    if (round % 2) proxy.silence('changes')
    await makeLink(here, { slug })
    // Without notifications a 404 may live for a second from when it was given; reading takes its moment too.
    await expectFollowed(slug, { status: 302, location: 'https://target.example/page' }, promisedMs + 200)
    proxy.heal()
  }
})

it('an expiry that is still to come holds on both at the same moment', async () => {
  const link = await warmLink()
  const { body } = await here.call('PATCH', `/v1/links/${link.id}`, { body: { expires_in: '2s' } })
  const end = Date.parse(body.expires_at as string)
  await waitFor('the end', () => Date.now() >= end)
  expect([(await visit(here, link.slug)).status, (await visit(there, link.slug)).status]).toEqual([410, 410])
})

it('a link that was read before its change is not remembered after it', async () => {
  await feedIsUp()
  const link = await makeLink(here)
  proxy.holdAnswers()
  const underWay = visit(there, link.slug)
  await waitFor('the link to be read', () => proxy.holdsAnswers)
  const wanted = await gone(change(link, { enabled: false }))
  // Its answer comes after every notification of what was committed before it.
  await there.app.get(ChangeFeed).catchUp()
  proxy.letAnswersGo()
  await underWay
  await expectFollowed(link.slug, wanted)
})
