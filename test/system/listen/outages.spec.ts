/** A service that is slow, away or refuses in the middle of a run. */
import { makeLink } from '../../support/factories/links.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { answerWith, cut, startFront } from './front.js'
import type { Front } from './front.js'
import { startListening, stop } from './listener.js'

let service: Service
let receiver: Receiver
let front: Front
beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver()
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(async () => {
  front = await startFront(service.origin)
  receiver.received.length = 0
})
afterEach(() => front.stop())

const listen = (token = service.token) => startListening(front.origin, token, receiver.origin)
const idsGot = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const since = (moment: number) => front.asked.filter(({ at }) => at >= moment)

describe('a service that', () => {
  it.each([
    ['is away', cut],
    ['is unavailable', answerWith(503)],
    ['is replaced by the page of a proxy', answerWith(502, '<html>')],
  ])('%s is waited for, with longer and longer pauses, and nothing is lost', async (_name, trouble) => {
    const listener = await listen()
    front.answer = trouble
    const from = Date.now()
    await makeLink(service)
    await waitFor('four attempts', () => since(from).length >= 5, 20_000)
    const [, , a, b, c] = since(from).map(({ at }) => at) as [number, number, number, number, number]
    expect(c - b).toBeGreaterThan(b - a)
    front.answer = null
    await makeLink(service)
    await listener.until(2)
    expect(new Set(idsGot()).size).toBe(2)
    const [waiting, ...more] = listener.errors().trim().split('\n')
    expect(waiting).toMatch(/^Waiting for the service at http:.*: (the connection was closed|it answered 50)/)
    expect(more).toEqual(['The service responds again.'])
    expect(await stop(listener)).toBe(0)
  })

  it('drops a single connection is asked again without a word', async () => {
    const listener = await listen()
    front.answer = (response) => {
      front.answer = null
      cut(response)
    }
    await waitFor('the cut', () => front.answer === null)
    await makeLink(service)
    await listener.until(1)
    expect(listener.errors()).toBe('')
    await stop(listener)
  })

  it('says when to come again is not asked before', async () => {
    const listener = await listen()
    front.answer = answerWith(429, {}, { 'retry-after': '3' })
    const asked = front.asked.length
    await waitFor('the refusal', () => front.asked.length > asked)
    const at = Date.now()
    front.answer = null
    await makeLink(service)
    await listener.until(1)
    expect(Date.now() - at).toBeGreaterThan(2_500)
    expect(since(at + 50)[0]!.at - at).toBeGreaterThan(2_500)
    expect(listener.errors()).toContain('this token makes too many requests')
    await stop(listener)
  })

  it('is waited for can be waited for no longer: it stops at once', async () => {
    const listener = await listen()
    front.answer = answerWith(503, {}, { 'retry-after': '3600' })
    await waitFor('the wait', () => listener.errors().includes('Waiting'))
    const at = Date.now()
    expect(await stop(listener)).toBe(0)
    expect(Date.now() - at).toBeLessThan(3_000)
    expect(listener.lines().at(-1)!.kind).toBe('stopped')
  })
})

it('a token that is revoked ends the run with one line, and with the place to go on from', async () => {
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

it('a service with nothing new is asked about once a second, one request at a time', async () => {
  const listener = await listen()
  const looks = () => front.asked.filter(({ path }) => path.startsWith('/api/v1/events')).slice(1)
  await waitFor('four looks for events', () => looks().length >= 4)
  const times = looks().map(({ at }) => at)
  // The clock of another process, which counts in whole milliseconds.
  for (const [i, at] of times.slice(1).entries()) expect(at - times[i]!).toBeGreaterThan(900)
  expect(front.mostAtOnce).toBe(1)
  await stop(listener)
})

it('a long backlog is read page after page, without a pause', async () => {
  for (let i = 0; i < 250; i += 10) await Promise.all(Array.from({ length: 10 }, () => makeLink(service)))
  const listener = await startListening(front.origin, service.token, receiver.origin, '--from', 'start')
  const at = Date.now()
  await waitFor('all', () => listener.forwarded().length >= 250, 20_000)
  const pages = front.asked.filter(({ path }) => path.startsWith('/api/v1/events'))
  expect(pages.length).toBeLessThanOrEqual(4 + (Date.now() - at) / 1_000)
  expect(new Set(idsGot()).size).toBe(idsGot().length)
  await stop(listener)
})
