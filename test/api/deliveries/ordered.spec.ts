/** Ordered webhooks send one delivery at a time, in the order of their events. */
import type { ServerResponse } from 'node:http'

import { Dispatcher } from '../../../src/dispatch/dispatcher.js'
import { DuePoller } from '../../../src/dispatch/due-poller.js'
import { LeasesRepository } from '../../../src/dispatch/leases.repository.js'
import { newId } from '../../../src/platform/database/ids.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import type { Received } from '../../support/receiver.js'
import {
  createHook,
  readDeliveries,
  readStats,
  recordEvents,
  recordExamples,
  startSending,
} from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'
import type { ServiceResponse } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const { jest } = import.meta

let sending: Sending
/** Responds to the requests of a test. */
let respond: (request: Received, response: ServerResponse) => void
let inFlight = 0
let peakInFlight = 0

beforeAll(async () => {
  sending = await startSending(
    (request, response) => {
      inFlight += 1
      peakInFlight = Math.max(peakInFlight, inFlight)
      response.on('close', () => (inFlight -= 1))
      respond(request, response)
    },
    { WEBHOOK_RETRY_SCHEDULE: '1s,1h', RATE_LIMIT: 'off' },
  )
})
afterAll(() => sending.stop())
beforeEach(() => {
  peakInFlight = 0
  respond = (_request, response) => void response.end('ok')
})

const sequences = (hook: Hook) =>
  sending.receiver.requestsTo(hook.path).map(({ headers }) => Number(headers['webhook-sequence']))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const change = (hook: Hook, fields: object) =>
  sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: fields })
const skip = (hook: Hook, delivery: { id?: string }) =>
  sending.service.call('POST', `/v1/webhooks/${hook.id}/deliveries/${delivery.id}/skip`)
const fail = (response: ServerResponse) => void response.writeHead(500).end()

/** Changes the webhook, and waits until the worker has reloaded it. */
async function changeAndWaitForReload(
  hook: Hook,
  makeChange: () => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
  const refreshed = jest.spyOn(sending.service.app.get(Dispatcher, { strict: false }), 'refreshLanes')
  const response = await makeChange()
  await waitFor('the worker to notice the change', () =>
    refreshed.mock.calls.some(([ids = []]) => [...ids].includes(getWebhookUuid(hook))),
  )
  refreshed.mockRestore()
  return response
}

/** Returns the deliveries, oldest first. */
const oldestFirst = async (hook: Hook) => (await readDeliveries(sending, hook)).reverse()

/** Creates an ordered webhook whose first delivery of three has failed twice, so that its next attempt is in an hour. */
async function createBlockedHook(): Promise<Hook> {
  respond = (_request, response) => fail(response)
  const hook = await createHook(sending, { ordered: true })
  await recordEvents(sending, 3)
  await waitFor('two attempts', async () => (await oldestFirst(hook))[0]!['attempt_count'] === 2)
  return hook
}

it('sends one delivery at a time, in the order of the events', async () => {
  const hook = await createHook(sending, { ordered: true })
  const slow = await createHook(sending, { ordered: false, events: ['link.deleted'] })
  expect((await sending.service.call('GET', `/v1/webhooks/${hook.id}`)).body.ordered).toBe(true)
  for (let i = 0; i < 5; i++) await recordEvents(sending, 60)
  await waitFor('all deliveries', () => sequences(hook).length === 300)
  expect(sequences(hook)).toEqual(upTo(300))
  const ids = (await sending.service.call('GET', `/v1/events?type=link.created&limit=100`)).body.data
  const last = sending.receiver.requestsTo(hook.path).slice(-100)
  expect(last.map(({ headers }) => headers['webhook-id']).reverse()).toEqual(
    ids.map(({ id }: { id: string }) => id),
  )
  expect(peakInFlight).toBe(1)
  await Promise.all([hook, slow].map(({ id }) => sending.service.call('DELETE', `/v1/webhooks/${id}`)))
})

it('retries a failed delivery before it sends the next one', async () => {
  let failures = 0
  respond = ({ headers }, response) =>
    headers['webhook-sequence'] === '3' && failures++ < 1 ? fail(response) : void response.end()
  const hook = await createHook(sending, { ordered: true })
  await recordEvents(sending, 5)
  await waitFor('all deliveries', () => sequences(hook).length === 6)
  expect(sequences(hook)).toEqual([1, 2, 3, 3, 4, 5])
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

describe('behind a failing delivery', () => {
  let hook: Hook
  beforeAll(async () => {
    hook = await createBlockedHook()
  })
  afterAll(() => sending.service.call('DELETE', `/v1/webhooks/${hook.id}`))

  it('sends nothing, and shows which delivery the others wait for', async () => {
    await recordEvents(sending, 1)
    sending.service.app.get(DuePoller, { strict: false }).pollNow()
    const [first, ...others] = await oldestFirst(hook)
    expect(sequences(hook)).toEqual([1, 1])
    expect(first).toMatchObject({ sequence: 1, attempt_count: 2, waiting_for: null })
    expect(others.map(({ attempt_count, status }) => [attempt_count, status])).toEqual(
      others.map(() => [0, 'pending']),
    )
    expect(others.map(({ waiting_for }) => waiting_for)).toEqual(others.map(() => first!['id']))
    const times = others.map(({ next_attempt_at }) => next_attempt_at)
    expect(times).toEqual(others.map(() => first!['next_attempt_at']))
  })

  it('explains the wait and names the delivery to skip', async () => {
    const [first, second] = await oldestFirst(hook)
    const { body } = await sending.service.call(
      'GET',
      `/v1/events/${second!['event_id']}/explain?webhook_id=${hook.id}`,
    )
    expect(body).toMatchObject({
      reason: 'waiting_in_order',
      sentence: expect.stringContaining(`attempt 3 of ${first!['id']}, which is scheduled for`),
      next_step: { action: 'skip', webhook_id: hook.id, delivery_id: first!['id'] },
      next_attempt_at: first!['next_attempt_at'],
      delivery: { id: second!['id'], next_attempt_at: first!['next_attempt_at'] },
    })
    const head = await sending.service.call(
      'GET',
      `/v1/events/${first!['event_id']}/explain?webhook_id=${hook.id}`,
    )
    expect(head.body.reason).toBe('waiting')
  })

  it('shows the delivery in the statistics, with the start of its first attempt', async () => {
    const [first] = await oldestFirst(hook)
    const { body } = await sending.service.call('GET', `/v1/webhooks/${hook.id}/deliveries/${first!['id']}`)
    expect(await readStats(sending, hook)).toMatchObject({
      next_attempt_at: first!['next_attempt_at'],
      waiting_for: {
        delivery_id: first!['id'],
        since: body.attempts[0].started_at,
        next_attempt_at: first!['next_attempt_at'],
      },
    })
  })

  it('is not due before the next attempt of that delivery', async () => {
    const leases = sending.service.app.get(LeasesRepository, { strict: false })
    await waitFor('the release of the lane', async () => {
      const [lane] = await sending.service.db.query<{ holder: string | null }>(
        'SELECT holder FROM lanes WHERE webhook_id = $1',
        [getWebhookUuid(hook)],
      )
      return lane!.holder === null
    })
    const due = await leases.findDueWebhooks(newId(), 60_000)
    expect(due.map(({ webhookId }) => webhookId)).not.toContain(getWebhookUuid(hook))
  })
})

it('sends the next delivery after the blocking one is skipped', async () => {
  const hook = await createBlockedHook()
  respond = (_request, response) => void response.end()
  const [first] = await oldestFirst(hook)
  const { status, body } = await skip(hook, first!)
  expect(status).toBe(202)
  expect(body).toMatchObject({ status: 'canceled', canceled_reason: 'skipped', next_attempt_at: null })
  await waitFor('the other deliveries', () => sequences(hook).length === 4)
  expect(sequences(hook)).toEqual([1, 1, 2, 3])
  await waitFor('the results', async () => (await readStats(sending, hook)).succeeded === 2)
  expect(await readStats(sending, hook)).toMatchObject({ canceled: 1, pending: 0, waiting_for: null })
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('drops a skipped delivery from the memory of the worker', async () => {
  let release = (): void => undefined
  respond = (_request, response) => void (release = () => response.end())
  const hook = await createHook(sending, { ordered: true })
  await recordEvents(sending, 1)
  await waitFor('the first request', () => sequences(hook).length === 1)
  await recordEvents(sending, 3)
  release()
  await waitFor('the second request', () => sequences(hook).length === 2)
  const [, second, third, fourth] = await oldestFirst(hook)
  expect((await changeAndWaitForReload(hook, () => skip(hook, third!))).status).toBe(202)
  respond = (_request, response) => void response.end()
  release()
  await waitFor('the fourth delivery', async () => (await oldestFirst(hook))[3]!['status'] === 'succeeded')
  const received = sending.receiver.requestsTo(hook.path).map(({ headers }) => headers['webhook-id'])
  expect(received).not.toContain(third!['event_id'])
  expect(received.slice(1)).toEqual([second!['event_id'], fourth!['event_id']])
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('keeps a delivery canceled that is skipped while its attempt is in flight', async () => {
  let release = (): void => undefined
  respond = (_request, response) => void (release = () => response.end())
  const hook = await createHook(sending, { ordered: true })
  await recordEvents(sending, 2)
  await waitFor('the first request', () => sequences(hook).length === 1)
  const [first] = await oldestFirst(hook)
  await skip(hook, first!)
  expect(sequences(hook)).toEqual([1])
  respond = (_request, response) => void response.end()
  release()
  await waitFor('the second delivery', async () => (await oldestFirst(hook))[1]!['status'] === 'succeeded')
  expect((await oldestFirst(hook))[0]).toMatchObject({ status: 'canceled', attempt_count: 0 })
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('sends a redelivery and a replay after the deliveries that were never attempted', async () => {
  const hook = await createHook(sending, { ordered: true })
  await recordEvents(sending, 3)
  await waitFor('all deliveries', async () => (await readStats(sending, hook)).succeeded === 3)
  await change(hook, { status: 'paused' })
  const [, second] = await oldestFirst(hook)
  await sending.service.call('POST', `/v1/webhooks/${hook.id}/deliveries/${second!['id']}/redeliver`)
  await recordEvents(sending, 2)
  await change(hook, { status: 'active' })
  await waitFor('all deliveries', () => sequences(hook).length === 6)
  expect(sequences(hook)).toEqual([1, 2, 3, 4, 5, 2])
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('waits for the requests in flight when the order is turned on, and releases the others when it is turned off', async () => {
  const waiting: ServerResponse[] = []
  const hook = await createHook(sending, { max_in_flight: 4 })
  respond = ({ headers }, response) =>
    Number(headers['webhook-sequence']) > 20 ? void waiting.push(response) : void response.end()
  await recordEvents(sending, 26)
  await waitFor('four requests', () => waiting.length === 4)
  await changeAndWaitForReload(hook, () => change(hook, { ordered: true }))
  for (const response of waiting.splice(1)) response.end()
  await waitFor('three results', async () => (await readStats(sending, hook)).succeeded === 23)
  expect(sequences(hook)).toHaveLength(24)
  fail(waiting.shift()!)
  await waitFor('the retry', () => sequences(hook).length === 25)
  const [failed] = sequences(hook).slice(20)
  expect(sequences(hook)[24]).toBe(failed)
  expect(waiting).toHaveLength(1)
  fail(waiting.shift()!)
  await waitFor('the second failure', async () => (await readStats(sending, hook)).attempts === 25)
  expect((await readStats(sending, hook)).pending).toBe(3)
  respond = (_request, response) => void response.end()
  await change(hook, { ordered: false })
  await waitFor('the deliveries that waited', async () => (await readStats(sending, hook)).pending === 1)
  expect(await readStats(sending, hook)).toMatchObject({ waiting_for: null })
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})

it('waits for the end of a pause that the receiver requested', async () => {
  let requests = 0
  respond = (_request, response) =>
    requests++ === 0 ? void response.writeHead(429, { 'retry-after': '2' }).end() : void response.end()
  const hook = await createHook(sending, { ordered: true })
  await recordExamples(sending, ['link.created', 'link.created'])
  await waitFor('both deliveries', () => sequences(hook).length === 3)
  const [first, second] = sending.receiver.requestsTo(hook.path)
  expect(second!.at - first!.at).toBeGreaterThan(1_900)
  expect(sequences(hook)).toEqual([1, 1, 2])
  await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
})
