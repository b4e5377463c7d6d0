/** What the client tries again, and that nothing is done twice by it. */
import { LinkService, RateLimitedError, ServerError } from '@link-service/client'
import type { Retry } from '@link-service/client'

import { answerWith, cut, startRelay } from '../../support/relay.js'
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
  relay.asked.length = 0
  relay.faults.length = 0
  client = new LinkService({
    baseUrl: `${relay.origin}/api`,
    token: service.token,
    onRetry: (retry) => retries.push(retry),
  })
})

const busy = answerWith(503, { code: 'unavailable', detail: 'Not now.' })

it.each([
  ['breaks', cut],
  ['is answered by a proxy', answerWith(502, '<html>')],
  ['finds no storage', busy],
])('a call that %s is made again, with longer and longer pauses', async (_name, fault) => {
  relay.faults.push(fault, fault, fault)
  expect((await client.tokens.self()).id).toBe(service.tokenId)
  expect(relay.asked).toHaveLength(4)
  const [first, second, third] = retries.map(({ waitMs }) => waitMs)
  expect(first!).toBeLessThan(second!)
  expect(second!).toBeLessThan(third!)
})

it('a creating call whose answer is lost makes one thing: the same bytes under the same key', async () => {
  relay.faults.push('lose the answer', cut, busy)
  const link = await client.links.create({ url: 'https://target.example/once', external_id: 'once' })
  const keys = relay.asked.map(({ headers }) => headers['idempotency-key'])
  expect(new Set(keys).size).toBe(1)
  expect(keys).toHaveLength(4)
  expect(new Set(relay.asked.map(({ body }) => body)).size).toBe(1)
  expect((await client.links.list({ external_id: 'once' }).toArray()).map(({ id }) => id)).toEqual([link.id])
})

it('two calls make two things, and with one key of the caller one', async () => {
  const make = (idempotencyKey?: string) =>
    client.links.create({ url: 'https://target.example/keys' }, { idempotencyKey })
  expect((await make()).id).not.toBe((await make()).id)
  expect((await make('mine')).id).toBe((await make('mine')).id)
})

it('while the first try still runs, the next ones wait for its answer', async () => {
  relay.faults.push(answerWith(409, { code: 'idempotency_in_progress', detail: '…' }, { 'retry-after': '1' }))
  await client.links.create({ url: 'https://target.example/running' })
  expect(relay.asked).toHaveLength(2)
})

it('a deletion whose answer is lost is done', async () => {
  const { id } = await client.links.create({ url: 'https://target.example/gone' })
  relay.faults.push('lose the answer')
  expect(await client.links.delete(id)).toBeUndefined()
  await expect(client.links.delete(id)).rejects.toMatchObject({ status: 404 })
})

it('a change whose answer is lost is not taken for the change of somebody else, and not made twice', async () => {
  const { id } = await client.links.create({ url: 'https://target.example/change' })
  relay.faults.push(null, 'lose the answer')
  let rounds = 0
  const changed = client.links.update(id, ({ tags }) => ({ tags: [...tags, `round-${++rounds}`] }))
  await expect(changed).rejects.toMatchObject({ code: 'connection_failed' })
  const { tags } = await client.links.get(id)
  expect(tags).toEqual(['round-1'])
  const stale = client.links.update(id, { title: 'mine' }, { ifMatch: '"old"' })
  await expect(stale).rejects.toMatchObject({ status: 412 })
})

it('what could be done twice is not tried again, unless it was refused for its number', async () => {
  const sent = () => relay.asked.length
  relay.faults.push(cut)
  await expect(client.webhooks.test('wh_x')).rejects.toMatchObject({ code: 'connection_failed' })
  relay.faults.push(busy)
  await expect(client.webhooks.redeliver('wh_x', 'dlv_x')).rejects.toBeInstanceOf(ServerError)
  expect(sent()).toBe(2)
  relay.faults.push(answerWith(429, { code: 'rate_limited', detail: '…' }))
  await expect(client.webhooks.test('wh_x')).rejects.toMatchObject({ status: 404 })
  expect(sent()).toBe(4)
})

it('a refusal is not tried again', async () => {
  await expect(client.links.get('lnk_none')).rejects.toMatchObject({ status: 404 })
  await expect(client.links.create({ url: '' })).rejects.toMatchObject({ status: 422 })
  expect(relay.asked).toHaveLength(2)
})

it('the service says how long to wait, and a wait that is too long is an error', async () => {
  relay.faults.push(answerWith(429, { code: 'rate_limited', detail: '…' }, { 'retry-after': '1' }))
  await client.tokens.self()
  expect(retries[0]!.waitMs).toBeGreaterThanOrEqual(1_000)
  relay.faults.push(answerWith(429, { code: 'rate_limited', detail: '…' }, { 'retry-after': '3600' }))
  const refused = client.tokens.self()
  await expect(refused).rejects.toBeInstanceOf(RateLimitedError)
  await expect(refused).rejects.toMatchObject({ retryAfterMs: 3_600_000 })
})

it('enough is enough: the error of the last try is thrown', async () => {
  relay.faults.push(busy, busy, busy)
  await expect(client.tokens.self({ maxRetries: 1 })).rejects.toMatchObject({ code: 'unavailable' })
  expect(relay.asked).toHaveLength(2)
})

it('a wait ends at once with the signal', async () => {
  relay.faults.push(answerWith(503, {}, { 'retry-after': '50' }))
  const controller = new AbortController()
  const waiting = new LinkService({
    baseUrl: `${relay.origin}/api`,
    token: service.token,
    onRetry: () => controller.abort(new Error('enough')),
  })
  await expect(waiting.tokens.self({ signal: controller.signal })).rejects.toThrow('enough')
  expect(relay.asked).toHaveLength(1)
})
