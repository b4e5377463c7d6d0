/** Clicks as they come, through the client: streams break, and no click is missed or comes twice. */
import { ForbiddenError, LinkService } from '@link-service/client'
import type { Click, FollowedRow } from '@link-service/client'

import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkAnswer } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let link: LinkAnswer
beforeAll(async () => {
  service = await shareService()
})
beforeEach(async () => {
  link = await makeLink(service)
})
afterAll(() => service.stop())

/** A client whose streams can be broken, like connections. */
function breakableClient(token = service.token) {
  const streams: AbortController[] = []
  const client = new LinkService({
    baseUrl: `${service.origin}/api`,
    token,
    fetch: (url, init) => {
      if (typeof url !== 'string' || !url.includes('/live')) return fetch(url, init)
      const stream = new AbortController()
      streams.push(stream)
      return fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, stream.signal]) })
    },
  })
  return { client, streams }
}

/** What comes, until the end is asked for. */
function collect(rows: AsyncIterable<FollowedRow<Click>>, end: AbortController) {
  const taken: FollowedRow<Click>[] = []
  const all = (async () => {
    for await (const row of rows) taken.push(row)
  })()
  const leave = async () => {
    end.abort()
    await all
  }
  return { taken, leave }
}

const visited = async () =>
  (await service.call('GET', `/v1/clicks?after=&link_id=${link.id}&limit=100`)).body.data as Click[]

it('each click comes once over streams that break, also what came between two of them', async () => {
  const { client, streams } = breakableClient()
  const end = new AbortController()
  const { taken, leave } = collect(client.clicks.live({ link_id: link.id }, { signal: end.signal }), end)
  for (let round = 1; round <= 3; round++) {
    await waitFor('a stream', () => streams.length === round)
    await visit(service, link.slug)
    await waitFor('the click', () => taken.length === 2 * round - 1)
    streams.at(-1)!.abort()
    await visit(service, link.slug)
    await waitFor('what came in between', () => taken.length === 2 * round)
  }
  await leave()
  expect(taken.map(({ item }) => item)).toEqual(await visited())
})

it('goes on behind any row, whose cursor the feed takes too', async () => {
  const { client } = breakableClient()
  for (let i = 0; i < 3; i++) await visit(service, link.slug)
  await waitFor('the clicks', async () => (await visited()).length === 3)
  const end = new AbortController()
  const query = { link_id: link.id }
  const first = collect(client.clicks.live(query, { after: '', signal: end.signal }), end)
  await waitFor('three', () => first.taken.length === 3)
  await first.leave()
  const [{ cursor }] = first.taken as [FollowedRow<Click>]
  const page = await client.clicks.read({ ...query, after: cursor })
  expect(page.data).toEqual(first.taken.slice(1).map(({ item }) => item))
})

it('a stream that is silent for too long is taken for broken, and opened again', async () => {
  const { client, streams } = breakableClient()
  const end = new AbortController()
  const { taken, leave } = collect(
    client.clicks.live({ link_id: link.id }, { silenceMs: 50, signal: end.signal }),
    end,
  )
  await waitFor('another stream', () => streams.length > 1)
  await visit(service, link.slug)
  await waitFor('the click', () => taken.length === 1)
  await leave()
})

it('whoever may not read clicks is told so', async () => {
  const { token } = await service.mint('links:read')
  const { client } = breakableClient(token)
  await expect(client.clicks.live().next()).rejects.toBeInstanceOf(ForbiddenError)
})
