/** Changes to links apply within a second on another instance, even without notifications. */
import { ChangeFeed } from '../../../src/platform/database/change-feed.js'
import { countRounds } from '../../support/rounds.js'
import { endListening, feedIsUp, here, proxy, there } from '../../support/two-instances.js'
import { waitFor } from '../../support/wait-for.js'
import { expire, makeLink, visit } from '../../support/factories/links.js'
import type { ServiceResponse } from '../../support/service.js'
import type { LinkResponse } from '../../support/factories/links.js'

const rounds = countRounds(100, 12)
const maxDelayMs = 1000

const change = (link: LinkResponse, body: unknown) => here.call('PATCH', `/v1/links/${link.id}`, { body })
const goneAfter = async (response: Promise<ServiceResponse>) => {
  expect((await response).status).toBeLessThan(300)
  return { status: 410 }
}
const changes = [
  async (link: LinkResponse, round: number) => {
    expect((await change(link, { url: `https://target.example/${round}` })).status).toBe(200)
    return { status: 302, location: `https://target.example/${round}` }
  },
  (link: LinkResponse) => goneAfter(change(link, { enabled: false })),
  (link: LinkResponse) => goneAfter(expire(here, link)),
  (link: LinkResponse) => goneAfter(here.call('DELETE', `/v1/links/${link.id}`)),
]

const seenThere = async (slug: string) => {
  const { status, headers } = await visit(there, slug)
  const location = headers.get('location')
  return { status, ...(location === null ? {} : { location }) }
}

/** Creates a link that the other instance has cached. */
async function warmLink(): Promise<LinkResponse> {
  await feedIsUp()
  const link = await makeLink(here)
  expect((await seenThere(link.slug)).status).toBe(302)
  return link
}

async function expectApplied(slug: string, expected: object, timeoutMs = maxDelayMs): Promise<void> {
  const text = JSON.stringify(expected)
  const isApplied = async () => JSON.stringify(await seenThere(slug)) === text
  await waitFor(`the other instance to respond with ${text}`, isApplied, timeoutMs)
  // The change stays applied.
  expect(await seenThere(slug)).toEqual(expected)
}

it(`applies changed URLs, disabling, expiries and deletions, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const link = await warmLink()
    await expectApplied(link.slug, await changes[round % changes.length]!(link, round))
  }
})

it(`applies changes right after the listening connections were terminated, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const link = await warmLink()
    await endListening()
    await expectApplied(link.slug, await changes[round % changes.length]!(link, round))
  }
}, 90_000)

it('applies changes while the listening connection is silent', async () => {
  for (const [round, apply] of changes.entries()) {
    const link = await warmLink()
    proxy.silenceConnections('changes')
    await expectApplied(link.slug, await apply(link, round))
    proxy.restoreConnections()
  }
})

it('redirects a new link whose slug was cached as unknown, even without the listening connection', async () => {
  for (let round = 0; round < 20; round++) {
    const slug = `fresh-${round}`
    await feedIsUp()
    expect((await seenThere(slug)).status).toBe(404)
    if (round % 2) proxy.silenceConnections('changes')
    await makeLink(here, { slug })
    // Without notifications, a 404 is cached for a second after the response, and reading takes time, too.
    await expectApplied(slug, { status: 302, location: 'https://target.example/page' }, maxDelayMs + 200)
    proxy.restoreConnections()
  }
})

it('expires a link on both instances at the same time', async () => {
  const link = await warmLink()
  const { body } = await here.call('PATCH', `/v1/links/${link.id}`, { body: { expires_in: '2s' } })
  const end = Date.parse(body.expires_at as string)
  await waitFor('the end', () => Date.now() >= end)
  expect([(await visit(here, link.slug)).status, (await visit(there, link.slug)).status]).toEqual([410, 410])
})

it('does not cache a link that was read before its change', async () => {
  await feedIsUp()
  const link = await makeLink(here)
  proxy.holdResponses()
  const pendingVisit = visit(there, link.slug)
  await waitFor('the link to be read', () => proxy.hasHeldResponses)
  const expected = await goneAfter(change(link, { enabled: false }))
  // The confirmation arrives after the notifications of all earlier commits.
  await there.app.get(ChangeFeed).catchUp()
  proxy.releaseResponses()
  await pendingVisit
  await expectApplied(link.slug, expected)
})
