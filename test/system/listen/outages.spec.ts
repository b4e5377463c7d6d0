/** `listen` during outages of the service. */
import { makeLink } from '../../support/factories/links.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { respondWith, cutConnection, startApiProxy } from './api-proxy.js'
import type { ApiProxy } from './api-proxy.js'
import { startListening, stop } from './listener.js'

let service: Service
let receiver: Receiver
let proxy: ApiProxy
beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(async () => {
  proxy = await startApiProxy(service.origin)
  receiver.received.length = 0
})
afterEach(() => proxy.stop())

const listen = (token = service.token) => startListening(proxy.origin, token, receiver.origin)
const receivedIds = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const requestsSince = (time: number) => proxy.requests.filter(({ at }) => at >= time)

describe('listen', () => {
  it.each([
    ['is unreachable', cutConnection],
    ['responds with 503', respondWith(503)],
    ['is behind a proxy that returns an error page', respondWith(502, '<html>')],
  ])('retries with increasing delays and loses nothing when the service %s', async (_name, respond) => {
    const listener = await listen()
    proxy.respond = respond
    const before = proxy.requests.length
    await makeLink(service)
    await waitFor('four retries', () => proxy.requests.length >= before + 5, 20_000)
    const times = proxy.requests.slice(before).map(({ at }) => at)
    // Allow a little less than the minimum, because another process measured the times in whole milliseconds.
    for (const [i, minMs] of [125, 250, 500, 1_000].entries())
      expect(times[i + 1]! - times[i]!).toBeGreaterThan(0.95 * minMs)
    proxy.respond = null
    await makeLink(service)
    await listener.until(2)
    expect(new Set(receivedIds()).size).toBe(2)
    const [waiting, ...more] = listener.errors().trim().split('\n')
    expect(waiting).toMatch(
      /^Waiting for the service at http:.*: (the connection was closed|it responded with 50)/,
    )
    expect(more).toEqual(['The service responds again.'])
    expect(await stop(listener)).toBe(0)
  })

  it('retries without a message when the service drops a single connection', async () => {
    const listener = await listen()
    proxy.respond = (response) => {
      proxy.respond = null
      cutConnection(response)
    }
    await waitFor('the dropped connection', () => proxy.respond === null)
    await makeLink(service)
    await listener.until(1)
    expect(listener.errors()).toBe('')
    await stop(listener)
  })

  it('waits for the Retry-After of the service before the next request', async () => {
    const listener = await listen()
    proxy.respond = respondWith(429, {}, { 'retry-after': '3' })
    const before = proxy.requests.length
    await waitFor('the refusal', () => proxy.requests.length > before)
    const at = Date.now()
    proxy.respond = null
    await makeLink(service)
    await listener.until(1)
    expect(Date.now() - at).toBeGreaterThan(2_500)
    expect(requestsSince(at + 50)[0]!.at - at).toBeGreaterThan(2_500)
    expect(listener.errors()).toContain('this token makes too many requests')
    await stop(listener)
  })

  it('stops immediately while it waits for the service', async () => {
    const listener = await listen()
    proxy.respond = respondWith(503, {}, { 'retry-after': '3600' })
    await waitFor('the message about the wait', () => listener.errors().includes('Waiting'))
    const at = Date.now()
    expect(await stop(listener)).toBe(0)
    expect(Date.now() - at).toBeLessThan(3_000)
    expect(listener.lines().at(-1)!.kind).toBe('stopped')
  })
})

it('prints one error and the last cursor, and exits, when its token is revoked', async () => {
  const { id, token } = await service.mint()
  const listener = await listen(token)
  await makeLink(service)
  await listener.until(1)
  await service.call('DELETE', `/v1/auth/token/${id}`)
  expect(await listener.gone).toBe(1)
  expect(listener.errors()).toMatch(/^The service rejects the token\. .*\n$/)
  expect(listener.lines().at(-1)).toMatchObject({
    kind: 'stopped',
    cursor: listener.forwarded().at(-1)!.cursor,
  })
})

it('polls about once a second, one request at a time, when there are no new events', async () => {
  const listener = await listen()
  const polls = () => proxy.requests.filter(({ path }) => path.startsWith('/api/v1/events')).slice(1)
  await waitFor('four polls', () => polls().length >= 4)
  const times = polls().map(({ at }) => at)
  // Allow a little less than a second, because another process measured the times in whole milliseconds.
  for (const [i, at] of times.slice(1).entries()) expect(at - times[i]!).toBeGreaterThan(900)
  expect(proxy.maxConcurrent).toBe(1)
  await stop(listener)
})

it('reads a long backlog without pauses between pages', async () => {
  for (let i = 0; i < 250; i += 10) await Promise.all(Array.from({ length: 10 }, () => makeLink(service)))
  const listener = await startListening(proxy.origin, service.token, receiver.origin, '--from', 'start')
  const at = Date.now()
  await waitFor('all events', () => listener.forwarded().length >= 250, 20_000)
  const pages = proxy.requests.filter(({ path }) => path.startsWith('/api/v1/events'))
  expect(pages.length).toBeLessThanOrEqual(4 + (Date.now() - at) / 1_000)
  expect(new Set(receivedIds()).size).toBe(receivedIds().length)
  await stop(listener)
})
