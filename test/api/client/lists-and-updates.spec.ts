/** Pagination, feeds and updates of the client. */
import { etagOf, LinkService, PreconditionFailedError } from '@link-service/client'
import type { ClientOptions, FollowedRow } from '@link-service/client'

import { cutConnection, startRelay } from '../../support/relay.js'
import type { Relay } from '../../support/relay.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitForCompleteFeed } from '../../support/factories/events.js'
import { visit } from '../../support/factories/links.js'

let service: Service
let relay: Relay
beforeAll(async () => {
  service = await shareService()
  relay = await startRelay(service.origin)
})
afterAll(async () => {
  await relay.stop()
  await service.stop()
})

let workspaces = 0
/** Creates a client for a new workspace. */
async function createClient(options: Partial<ClientOptions> = {}): Promise<LinkService> {
  const name = `client-${workspaces++}`
  await service.addWorkspace(name)
  const { token } = await service.mint(undefined, name)
  return new LinkService({ baseUrl: `${relay.origin}/api`, token, ...options })
}

const makeLinks = async (client: LinkService, count: number) => {
  const links = []
  for (let i = 0; i < count; i++)
    links.push(await client.links.create({ url: `https://target.example/${i}` }))
  return links
}

/** Returns the first rows of an endless feed. */
async function takeRows<T>(rows: AsyncIterable<FollowedRow<T>>, count: number): Promise<FollowedRow<T>[]> {
  const first: FollowedRow<T>[] = []
  for await (const row of rows) {
    first.push(row)
    if (first.length === count) break
  }
  return first
}

describe('a list', () => {
  it('requests each page once, when its items are needed', async () => {
    const client = await createClient()
    const created = (await makeLinks(client, 5)).map(({ id }) => id).reverse()
    const list = client.links.list({ limit: 2 })
    const before = relay.requests.length
    const ids: string[] = []
    for await (const { id } of list) {
      ids.push(id)
      if (ids.length === 1) expect(relay.requests.length - before).toBe(1)
    }
    expect(ids).toEqual(created)
    expect(relay.requests.length - before).toBe(3)
  })

  it('returns one page, and the next page by its cursor', async () => {
    const client = await createClient()
    await makeLinks(client, 3)
    const first = await client.links.list({ limit: 2 }).page()
    expect(first).toMatchObject({ has_more: true, data: [{}, {}] })
    const second = await client.links.list({ limit: 2 }).page(first.next_cursor)
    expect(second).toMatchObject({ has_more: false, next_cursor: null, data: [{}] })
  })

  it('requests no more pages than needed', async () => {
    const client = await createClient()
    await makeLinks(client, 3)
    const before = relay.requests.length
    expect(await client.links.list({ limit: 1 }).toArray(2)).toHaveLength(2)
    expect(relay.requests.length - before).toBe(2)
  })

  it('accepts dates and booleans as filters', async () => {
    const client = await createClient()
    await makeLinks(client, 1)
    const tomorrow = new Date(Date.now() + 86_400_000)
    expect(await client.links.list({ created_after: tomorrow }).toArray()).toEqual([])
    expect(await client.links.list({ enabled: true, created_before: tomorrow }).toArray()).toHaveLength(1)
  })
})

describe('a feed', () => {
  it('resumes after any row, without gaps or repetitions', async () => {
    const client = await createClient()
    const links = await makeLinks(client, 6)
    const rows = await takeRows(client.events.follow({ type: 'link.created' }), 6)
    expect(rows.map(({ item }) => (item.data as any).link.id)).toEqual(links.map(({ id }) => id))
    for (const [index, { cursor }] of rows.slice(0, -1).entries()) {
      const later = await takeRows(client.events.follow({ after: cursor, type: 'link.created' }), 5 - index)
      expect(later.map(({ item }) => item.id)).toEqual(rows.slice(index + 1).map(({ item }) => item.id))
    }
  })

  it('waits for new rows, even during an outage, until the signal is aborted', async () => {
    // Feeds keep retrying after the retry limit of other calls.
    const client = await createClient({ maxRetries: 1 })
    const [link] = await makeLinks(client, 1)
    const controller = new AbortController()
    const { signal } = controller
    const slugs: string[] = []
    const following = (async () => {
      for await (const { item } of client.clicks.follow({ link_id: link!.id, signal, pollMs: 100 })) {
        slugs.push(item.slug)
        if (slugs.length === 1) {
          relay.faults.push(cutConnection, cutConnection)
          await visit(service, link!.slug)
        } else controller.abort()
      }
    })()
    await visit(service, link!.slug)
    await following
    expect(slugs).toEqual([link!.slug, link!.slug])
  })

  it('throws when it cannot be read', async () => {
    const client = await createClient()
    await expect(takeRows(client.events.follow({ after: 'nonsense' }), 1)).rejects.toMatchObject({
      status: 400,
    })
  })

  it('can start at the end', async () => {
    const client = await createClient()
    await makeLinks(client, 2)
    await waitForCompleteFeed(service)
    const { next_cursor: end } = await client.events.read({ after: 'latest' })
    const [newer] = await makeLinks(client, 1)
    const [row] = await takeRows(client.events.follow({ after: end! }), 1)
    expect((row!.item.data as any).link.id).toBe(newer!.id)
  })
})

describe('an update', () => {
  it('with an outdated ETag is rejected', async () => {
    const client = await createClient()
    const [link] = await makeLinks(client, 1)
    const changed = await client.links.update(link!.id, { title: 'one' }, { ifMatch: etagOf(link!) })
    expect(etagOf(changed)).not.toBe(etagOf(link!))
    const stale = client.links.update(link!.id, { title: 'two' }, { ifMatch: etagOf(link!) })
    await expect(stale).rejects.toBeInstanceOf(PreconditionFailedError)
    await expect(client.links.delete(link!.id, { ifMatch: etagOf(link!) })).rejects.toMatchObject({
      status: 412,
    })
    expect((await client.links.get(link!.id)).title).toBe('one')
  })

  it('by a function loses no concurrent update', async () => {
    const client = await createClient()
    const [link] = await makeLinks(client, 1)
    const add = (tag: string) => client.links.update(link!.id, ({ tags }) => ({ tags: [...tags, tag] }))
    await Promise.all(['a', 'b', 'c'].map(add))
    expect((await client.links.get(link!.id)).tags.sort()).toEqual(['a', 'b', 'c'])
  })

  it('by a function that returns null changes nothing', async () => {
    const client = await createClient()
    const [link] = await makeLinks(client, 1)
    expect(await client.links.update(link!.id, () => null)).toEqual(link)
  })

  it('with the entity tag of an object without one is not sent', async () => {
    const client = await createClient()
    await makeLinks(client, 1)
    const [listed] = await client.links.list().toArray(1)
    expect(() => etagOf(listed!)).toThrow('This object has no entity tag. Get it first')
  })
})
