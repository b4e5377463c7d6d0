/** The client yields each live click once, even when streams break. */
import { ForbiddenError, LinkService } from '@link-service/client'
import type { Click, FollowedRow } from '@link-service/client'

import { makeLink, visit } from '../../support/factories/links.js'
import type { LinkResponse } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let link: LinkResponse
beforeAll(async () => {
  service = await shareService()
})
beforeEach(async () => {
  link = await makeLink(service)
})
afterAll(() => service.stop())

/** Creates a client whose streams can be aborted. */
function createBreakableClient(token = service.token) {
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

/** Collects rows until `leave` is called. */
function collect(rows: AsyncIterable<FollowedRow<Click>>, end: AbortController) {
  const collected: FollowedRow<Click>[] = []
  const all = (async () => {
    for await (const row of rows) collected.push(row)
  })()
  const leave = async () => {
    end.abort()
    await all
  }
  return { collected, leave }
}

const visited = async () =>
  (await service.call('GET', `/v1/clicks?after=&link_id=${link.id}&limit=100`)).body.data as Click[]

it('yields each click once when streams break, including clicks between two streams', async () => {
  const { client, streams } = createBreakableClient()
  const end = new AbortController()
  const { collected, leave } = collect(client.clicks.live({ link_id: link.id }, { signal: end.signal }), end)
  for (let round = 1; round <= 3; round++) {
    await waitFor('a stream', () => streams.length === round)
    await visit(service, link.slug)
    await waitFor('the click', () => collected.length === 2 * round - 1)
    streams.at(-1)!.abort()
    await visit(service, link.slug)
    await waitFor('the click between two streams', () => collected.length === 2 * round)
  }
  await leave()
  expect(collected.map(({ item }) => item)).toEqual(await visited())
})

it('yields cursors that the feed accepts', async () => {
  const { client } = createBreakableClient()
  for (let i = 0; i < 3; i++) await visit(service, link.slug)
  await waitFor('the clicks', async () => (await visited()).length === 3)
  const end = new AbortController()
  const query = { link_id: link.id }
  const first = collect(client.clicks.live(query, { after: '', signal: end.signal }), end)
  await waitFor('three clicks', () => first.collected.length === 3)
  await first.leave()
  const [{ cursor }] = first.collected as [FollowedRow<Click>]
  const page = await client.clicks.read({ ...query, after: cursor })
  expect(page.data).toEqual(first.collected.slice(1).map(({ item }) => item))
})

it('reopens a stream that is silent for too long', async () => {
  const { client, streams } = createBreakableClient()
  const end = new AbortController()
  const { collected, leave } = collect(
    client.clicks.live({ link_id: link.id }, { silenceMs: 50, signal: end.signal }),
    end,
  )
  await waitFor('another stream', () => streams.length > 1)
  await visit(service, link.slug)
  await waitFor('the click', () => collected.length === 1)
  await leave()
})

it('throws ForbiddenError without clicks:read', async () => {
  const { token } = await service.mint('links:read')
  const { client } = createBreakableClient(token)
  await expect(client.clicks.live().next()).rejects.toBeInstanceOf(ForbiddenError)
})
