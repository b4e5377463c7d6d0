/** Bulk calls, lookups by slug and external ID, and details of links in the client. */
import { ConflictError, etagOf, LinkService, NotFoundError, ValidationError } from '@link-service/client'

import { startRelay } from '../../support/relay.js'
import type { Relay } from '../../support/relay.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
let relay: Relay
let client: LinkService
beforeAll(async () => {
  service = await shareService()
  relay = await startRelay(service.origin)
  client = new LinkService({ baseUrl: `${relay.origin}/api`, token: service.token })
})
afterAll(async () => {
  await relay.stop()
  await service.stop()
})
beforeEach(() => {
  relay.requests.length = 0
})

const url = 'https://target.example/many'
const slugs = async (tag: string) =>
  (await client.links.list({ tag }).toArray()).map(({ slug }) => slug).sort()

it('creates, updates and deletes many links', async () => {
  const links = ['many-1', 'many-2'].map((slug) => ({ url, slug }))
  const report = await client.links.createMany({ links })
  expect(report).toMatchObject({ created: 2, failed: 0 })
  const ids = report.results.map(({ link }) => link!.id)
  expect(await client.links.updateMany({ ids, add_tags: ['bulk'] })).toMatchObject({ updated: 2 })
  expect(await slugs('bulk')).toEqual(['many-1', 'many-2'])
  expect(await client.links.deleteMany({ ids: ids.slice(0, 1) })).toMatchObject({ deleted: 1 })
  expect(await slugs('bulk')).toEqual(['many-2'])
})

it('rejects all links for one error when atomic, and otherwise only the invalid ones', async () => {
  const links = [{ url, slug: 'many-3', tags: ['faults'] }, { url: 'ftp://x' }]
  const refused = client.links.createMany({ links })
  await expect(refused).rejects.toBeInstanceOf(ValidationError)
  await expect(refused).rejects.toMatchObject({ errors: [{ pointer: '/links/1/url' }] })
  expect(await slugs('faults')).toEqual([])
  const report = await client.links.createMany({ links, atomic: false })
  expect(report.results.map(({ status }) => status)).toEqual(['created', 'failed'])
  expect(await slugs('faults')).toEqual(['many-3'])
})

it('runs a bulk call once when its response is lost', async () => {
  relay.faults.push('lose the response')
  const report = await client.links.createMany({ links: [{ url, tags: ['once'] }] })
  const ids = report.results.map(({ link }) => link!.id)
  relay.faults.push('lose the response')
  expect(await client.links.updateMany({ ids, patch: { title: 'Once' } })).toMatchObject({ updated: 1 })
  relay.faults.push('lose the response')
  expect(await client.links.deleteMany({ ids })).toMatchObject({ deleted: 1 })
  const sent = relay.requests.map(({ headers, body }) => JSON.stringify([headers['idempotency-key'], body]))
  expect(sent).toHaveLength(6)
  expect(new Set(sent).size).toBe(3)
})

it('runs calls with the same key once, and rejects the key with another body', async () => {
  const create = (title: string) =>
    client.links.createMany({ links: [{ url, title }] }, { idempotencyKey: 'mine' })
  expect(await create('A')).toEqual(await create('A'))
  await expect(create('B')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  const { results } = await create('A')
  const ids = results.map(({ link }) => link!.id)
  const change = () => client.links.updateMany({ ids, patch: { title: 'C' } }, { idempotencyKey: 'mine-2' })
  expect(await change()).toEqual(await change())
  const remove = () => client.links.deleteMany({ ids }, { idempotencyKey: 'mine-3' })
  expect(await remove()).toEqual(await remove())
})

it('creates or replaces a link by its external ID, even if the response is lost', async () => {
  relay.faults.push('lose the response')
  const created = await client.links.putByExternalId('order/1 ü', { url, title: 'One' })
  expect(created).toMatchObject({ external_id: 'order/1 ü', title: 'One' })
  const changed = await client.links.putByExternalId('order/1 ü', { url, title: 'Two' })
  expect(changed).toMatchObject({ id: created.id, title: 'Two' })
  expect(etagOf(changed)).not.toBe(etagOf(created))
  const { slug } = await client.links.create({ url })
  const taken = client.links.putByExternalId('order/2', { url, slug })
  await expect(taken).rejects.toBeInstanceOf(ConflictError)
})

it('returns a link by its slug', async () => {
  const created = await client.links.create({ url, slug: 'by-slug' })
  const found = await client.links.getBySlug('by-slug')
  expect(found).toEqual(created)
  expect(etagOf(found)).toBe(etagOf(await client.links.get(created.id)))
  await expect(client.links.getBySlug('no-such-slug')).rejects.toBeInstanceOf(NotFoundError)
})

it('previews the redirect of a slug, now and at another time', async () => {
  const { id } = await client.links.create({ url, slug: 'resolved', expires_at: '2090-06-01T00:00:00Z' })
  expect(await client.links.resolve('resolved')).toMatchObject({ outcome: 'redirect', location: url })
  const later = await client.links.resolve('resolved', { at: new Date('2090-06-02T00:00:00Z') })
  expect(later).toMatchObject({ outcome: 'gone', link: { id } })
  expect(await client.links.resolve('never')).toMatchObject({ outcome: 'unknown', link: null })
})

it('lists the history of a link and all tags', async () => {
  const { id } = await client.links.create({ url, tags: ['history-1', 'history-2'] })
  await client.links.update(id, { title: 'Another' })
  await client.links.delete(id)
  const history = await client.links.history(id, { limit: 1 }).toArray()
  expect(history.map(({ action, fields }) => [action, fields])).toEqual([
    ['link.deleted', []],
    ['link.updated', ['title']],
    ['link.created', []],
  ])
  await client.links.create({ url, tags: ['history-2', 'history-3'] })
  const tags = await client.tags.list({ limit: 1 }).toArray()
  expect(tags).toContainEqual({ tag: 'history-3', links: 1 })
  expect(tags.map(({ tag }) => tag)).not.toContain('history-1')
})
