/** The client retries calls without repeating their effect. */
import { LinkService, RateLimitedError, ServerError } from '@link-service/client'
import type { Retry } from '@link-service/client'

import { respondWith, cutConnection, startRelay } from '../../support/relay.js'
import type { Relay } from '../../support/relay.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let relay: Relay
let client: LinkService
let retries: Retry[]
beforeAll(async () => {
  service = await startService()
  relay = await startRelay(service.origin)
})
afterAll(async () => {
  await relay.stop()
  await service.stop()
})
beforeEach(() => {
  retries = []
  relay.requests.length = 0
  relay.faults.length = 0
  client = new LinkService({
    baseUrl: `${relay.origin}/api`,
    token: service.token,
    onRetry: (retry) => retries.push(retry),
  })
})

const busy = respondWith(503, { code: 'unavailable', detail: 'Not now.' })

it.each([
  ['a lost connection', cutConnection],
  ['a 502 from a proxy', respondWith(502, '<html>')],
  ['a 503 from the service', busy],
])('retries after %s, with increasing delays', async (_name, fault) => {
  relay.faults.push(fault, fault, fault)
  expect((await client.tokens.self()).id).toBe(service.tokenId)
  expect(relay.requests).toHaveLength(4)
  const [first, second, third] = retries.map(({ waitMs }) => waitMs)
  expect(first!).toBeLessThan(second!)
  expect(second!).toBeLessThan(third!)
})

it('creates one object when a response is lost: each retry sends the same bytes with the same key', async () => {
  relay.faults.push('lose the response', cutConnection, busy)
  const link = await client.links.create({ url: 'https://target.example/once', external_id: 'once' })
  const keys = relay.requests.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  expect(keys).toHaveLength(4)
  expect(new Set(relay.requests.map(({ body }) => body)).size).toBe(1)
  expect((await client.links.list({ external_id: 'once' }).toArray()).map(({ id }) => id)).toEqual([link.id])
})

it('creates two objects in two calls, and one when the caller passes the same key', async () => {
  const create = (idempotencyKey?: string) =>
    client.links.create({ url: 'https://target.example/keys' }, { idempotencyKey })
  expect((await create()).id).not.toBe((await create()).id)
  expect((await create('mine')).id).toBe((await create('mine')).id)
})

it('waits for the response when the first attempt is still running', async () => {
  relay.faults.push(
    respondWith(409, { code: 'idempotency_in_progress', detail: '…' }, { 'retry-after': '1' }),
  )
  await client.links.create({ url: 'https://target.example/running' })
  expect(relay.requests).toHaveLength(2)
})

it('treats a retried deletion that returns 404 as done', async () => {
  const { id } = await client.links.create({ url: 'https://target.example/gone' })
  relay.faults.push('lose the response')
  expect(await client.links.delete(id)).toBeUndefined()
  await expect(client.links.delete(id)).rejects.toMatchObject({ status: 404 })
})

it('neither repeats a change whose response is lost nor reports it as a conflict', async () => {
  const { id } = await client.links.create({ url: 'https://target.example/change' })
  relay.faults.push(null, 'lose the response')
  let rounds = 0
  const changed = client.links.update(id, ({ tags }) => ({ tags: [...tags, `round-${++rounds}`] }))
  await expect(changed).rejects.toMatchObject({ code: 'connection_failed' })
  const { tags } = await client.links.get(id)
  expect(tags).toEqual(['round-1'])
  const stale = client.links.update(id, { title: 'mine' }, { ifMatch: '"old"' })
  await expect(stale).rejects.toMatchObject({ status: 412 })
})

it('retries calls that are not idempotent only when they were rate limited', async () => {
  const sent = () => relay.requests.length
  relay.faults.push(cutConnection)
  await expect(client.webhooks.test('wh_x')).rejects.toMatchObject({ code: 'connection_failed' })
  relay.faults.push(busy)
  await expect(client.webhooks.redeliver('wh_x', 'dlv_x')).rejects.toBeInstanceOf(ServerError)
  expect(sent()).toBe(2)
  relay.faults.push(respondWith(429, { code: 'rate_limited', detail: '…' }))
  await expect(client.webhooks.test('wh_x')).rejects.toMatchObject({ status: 404 })
  expect(sent()).toBe(4)
})

it('does not retry a 404 or 422', async () => {
  await expect(client.links.get('lnk_none')).rejects.toMatchObject({ status: 404 })
  await expect(client.links.create({ url: '' })).rejects.toMatchObject({ status: 422 })
  expect(relay.requests).toHaveLength(2)
})

it('waits as long as Retry-After says, and throws when that is too long', async () => {
  relay.faults.push(respondWith(429, { code: 'rate_limited', detail: '…' }, { 'retry-after': '1' }))
  await client.tokens.self()
  expect(retries[0]!.waitMs).toBeGreaterThanOrEqual(1_000)
  relay.faults.push(respondWith(429, { code: 'rate_limited', detail: '…' }, { 'retry-after': '3600' }))
  const refused = client.tokens.self()
  await expect(refused).rejects.toBeInstanceOf(RateLimitedError)
  await expect(refused).rejects.toMatchObject({ retryAfterMs: 3_600_000 })
})

it('throws the last error after the maximum number of retries', async () => {
  relay.faults.push(busy, busy, busy)
  await expect(client.tokens.self({ maxRetries: 1 })).rejects.toMatchObject({ code: 'unavailable' })
  expect(relay.requests).toHaveLength(2)
})

it('stops waiting immediately when the signal is aborted', async () => {
  relay.faults.push(respondWith(503, {}, { 'retry-after': '50' }))
  const controller = new AbortController()
  const waiting = new LinkService({
    baseUrl: `${relay.origin}/api`,
    token: service.token,
    onRetry: () => controller.abort(new Error('enough')),
  })
  await expect(waiting.tokens.self({ signal: controller.signal })).rejects.toThrow('enough')
  expect(relay.requests).toHaveLength(1)
})
