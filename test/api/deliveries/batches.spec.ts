/** Webhooks with batches send several events in one request. */
import type { ServerResponse } from 'node:http'

import { Webhook as StandardWebhook } from 'standardwebhooks'

import { statementTimeoutMs } from '../../../src/platform/database/pg-client.js'
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
import { duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'

interface Batch {
  batch_id: string
  events: { id: string; type: string; timestamp: string; data: object; sequence: number }[]
}

let sending: Sending
/** Responds to the requests of a test. */
let respond: (request: Received, response: ServerResponse) => void
const hooks: Hook[] = []

beforeAll(async () => {
  sending = await startSending((request, response) => respond(request, response), {
    // Some tests change the webhook or a delivery between the first attempt and its retry.
    WEBHOOK_RETRY_SCHEDULE: '3s,1s',
    RATE_LIMIT: 'off',
  })
})
afterAll(() => sending.stop())
beforeEach(() => {
  respond = (_request, response) => void response.end('ok')
})
afterEach(() => Promise.all(hooks.splice(0).map(({ id }) => call('DELETE', `/${id}`))))

const call = (method: string, path: string, body?: object) =>
  sending.service.call(method, `/v1/webhooks${path}`, body && { body })
const requestsTo = (hook: Hook) => sending.receiver.requestsTo(hook.path)
const parseBatch = ({ body }: Received) => JSON.parse(body) as Batch
const batchesTo = (hook: Hook) => requestsTo(hook).map(parseBatch)
const sizes = (hook: Hook) => batchesTo(hook).map(({ events }) => events.length)
const sequences = (hook: Hook) =>
  batchesTo(hook).flatMap(({ events }) => events.map(({ sequence }) => sequence))
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
const fail = (response: ServerResponse) => void response.writeHead(500).end('broken')

async function createBatchHook(batch: object, fields: object = {}): Promise<Hook> {
  const hook = await createHook(sending, { batch, ...fields })
  hooks.push(hook)
  return hook
}
const succeeded = (hook: Hook, count: number) =>
  waitFor(`${count} successes`, async () => (await readStats(sending, hook)).succeeded === count)

describe('A batch', () => {
  it('is sent when it is full, with the events in order', async () => {
    const hook = await createBatchHook({ max: 50, within: '60s' })
    await recordEvents(sending, 120)
    await succeeded(hook, 100)
    expect(sizes(hook)).toEqual([50, 50])
    expect(sequences(hook)).toEqual(upTo(100))
    const [request] = requestsTo(hook)
    const [batch] = batchesTo(hook)
    expect(request!.headers['webhook-id']).toMatch(/^bat_[0-9a-z]{26}$/)
    expect(batch!.batch_id).toBe(request!.headers['webhook-id'])
    expect([request!.headers['webhook-sequence'], request!.headers['webhook-attempt']]).toEqual(['1', '1'])
    expect(batch!.events[0]).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      type: 'link.created',
      sequence: 1,
      data: { link: expect.any(Object) },
    })
    expect(await readStats(sending, hook)).toMatchObject({
      emitted: 120,
      succeeded: 100,
      pending: 20,
      attempts: 100,
    })
  })

  it('is sent when its first event has waited long enough', async () => {
    const hook = await createBatchHook({ max: 1000, within: '2s' })
    const start = Date.now()
    await recordEvents(sending, 3)
    await succeeded(hook, 3)
    expect(sizes(hook)).toEqual([3])
    expect(Date.now() - start).toBeGreaterThanOrEqual(2000)
  })

  it('is signed as a whole', async () => {
    const hook = await createBatchHook({ max: 2, within: '60s' })
    await recordEvents(sending, 2)
    await succeeded(hook, 2)
    const [{ body, headers }] = requestsTo(hook) as [Received]
    const verified = new StandardWebhook(hook.secret).verify(body, headers as Record<string, string>)
    expect(verified).toEqual(JSON.parse(body))
  })

  it('is retried with the same bytes, even if more events have occurred', async () => {
    respond = (_request, response) => (requestsTo(hook).length === 1 ? fail(response) : void response.end())
    const hook = await createBatchHook({ max: 10, within: '1s' })
    await recordEvents(sending, 3)
    await waitFor('the first attempt', () => requestsTo(hook).length === 1)
    await recordEvents(sending, 4)
    await succeeded(hook, 7)
    const [first, ...others] = requestsTo(hook)
    const retry = others.find(({ headers }) => headers['webhook-id'] === first!.headers['webhook-id'])
    expect(retry!.body).toBe(first!.body)
    expect(retry!.headers['webhook-attempt']).toBe('2')
    expect(sequences(hook).sort((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3, 4, 5, 6, 7])
  })

  it('has at most 1 MiB', async () => {
    const hook = await createBatchHook({ max: 1000, within: '1s' }, { events: ['link.updated'] })
    await call('PATCH', `/${hook.id}`, { status: 'paused' })
    const { body: link } = await sending.service.call('POST', '/v1/links', {
      body: { url: 'https://example.com' },
    })
    const longText = (i: number) => `${i}${'x'.repeat(1900)}`
    const ids = Array.from({ length: 400 }, (_, i) => i)
    for (const i of ids)
      await sending.service.call('PATCH', `/v1/links/${link.id}`, {
        body: { url: `https://example.com/${longText(i)}` },
      })
    await call('PATCH', `/${hook.id}`, { status: 'active' })
    await succeeded(hook, 400)
    const bytes = requestsTo(hook).map(({ body }) => body.length)
    expect(Math.max(...bytes)).toBeLessThanOrEqual(1_048_576)
    expect(Math.max(...bytes)).toBeGreaterThan(1_000_000)
    expect(sequences(hook).sort((a, b) => a - b)).toEqual(upTo(400))
  })

  it('is large when many events occur, so that few requests are sent', async () => {
    const hook = await createBatchHook({ max: 1000, within: '1s' })
    const start = Date.now()
    for (let i = 0; i < 30; i++) {
      await recordEvents(sending, 300)
      await new Promise((resolve) => setTimeout(resolve, start + i * 100 - Date.now()))
    }
    await succeeded(hook, 9_000)
    const seconds = (Date.now() - start) / 1000
    expect(requestsTo(hook).length).toBeLessThanOrEqual(10 * seconds)
    expect(new Set(sequences(hook)).size).toBe(9_000)
  })

  it('is split when the receiver rejects it with 413, without using up the retries', async () => {
    respond = (request, response) =>
      void response.writeHead(parseBatch(request).events.length > 3 ? 413 : 200).end()
    const hook = await createBatchHook({ max: 40, within: '60s' })
    await recordEvents(sending, 40)
    await succeeded(hook, 40)
    const accepted = batchesTo(hook).filter(({ events }) => events.length <= 3)
    expect(
      accepted.flatMap(({ events }) => events.map(({ sequence }) => sequence)).sort((a, b) => a - b),
    ).toEqual(upTo(40))
    const ids = batchesTo(hook).map(({ batch_id }) => batch_id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(await readStats(sending, hook)).toMatchObject({ failed: 0, circuit: 'closed' })
  })

  it('fails as a whole when its retries are used up', async () => {
    respond = (_request, response) => fail(response)
    const hook = await createBatchHook({ max: 4, within: '60s' })
    await recordEvents(sending, 4)
    await waitFor('the failure', async () => (await readStats(sending, hook)).failed === 4)
    const bodies = new Set(requestsTo(hook).map(({ body }) => body))
    expect([bodies.size, requestsTo(hook).length]).toEqual([1, 3])
  })

  it('is named by its deliveries and their attempts', async () => {
    const hook = await createBatchHook({ max: 3, within: '60s' })
    respond = (_request, response) => void response.end('y'.repeat(5000))
    await recordEvents(sending, 3)
    await succeeded(hook, 3)
    const deliveries = (await readDeliveries(sending, hook)).reverse()
    const [request] = requestsTo(hook)
    expect(deliveries.map(({ batch_id, sequence }) => [batch_id, sequence])).toEqual(
      upTo(3).map((sequence) => [request!.headers['webhook-id'], sequence]),
    )
    expect(deliveries[2]!['last_attempt']).toMatchObject({
      request_headers: {
        'webhook-id': request!.headers['webhook-id'],
        'webhook-sequence': '1',
        'webhook-attempt': '1',
        'webhook-signature': request!.headers['webhook-signature'],
      },
      response_body: 'y'.repeat(1024),
      response_truncated: true,
    })
  })
})

describe('An ordered webhook with batches', () => {
  it('sends one batch at a time, and the next one after a success', async () => {
    let inFlight = 0
    let peakInFlight = 0
    respond = (_request, response) => {
      inFlight += 1
      peakInFlight = Math.max(peakInFlight, inFlight)
      response.on('close', () => (inFlight -= 1))
      if (requestsTo(hook).length === 2) fail(response)
      else response.end()
    }
    const hook = await createBatchHook({ max: 20, within: '60s' }, { ordered: true })
    await recordEvents(sending, 100)
    await succeeded(hook, 100)
    expect(sizes(hook)).toEqual([20, 20, 20, 20, 20, 20])
    expect(sequences(hook)).toEqual([...upTo(40), ...upTo(100).slice(20)])
    expect(peakInFlight).toBe(1)
  })

  it('sends the others of a batch before all later events when one is skipped', async () => {
    respond = (_request, response) => fail(response)
    const hook = await createBatchHook({ max: 4, within: '60s' }, { ordered: true })
    await recordEvents(sending, 9)
    await waitFor('the first attempt', async () => {
      const deliveries = await readDeliveries(sending, hook)
      return deliveries.filter(({ attempt_count }) => attempt_count === 1).length === 4
    })
    const first = (await readDeliveries(sending, hook)).at(-1)!
    const later = (await readDeliveries(sending, hook)).at(0)!
    expect([first['waiting_for'], later['waiting_for']]).toEqual([null, first['id']])
    const skipped = await call('POST', `/${hook.id}/deliveries/${first['id']}/skip`)
    expect(skipped.body.status).toBe('canceled')
    respond = (_request, response) => void response.end()
    await succeeded(hook, 8)
    const batches = batchesTo(hook)
    const sent = batches.filter(({ batch_id }) => batch_id !== batches[0]!.batch_id)
    expect(sent.flatMap(({ events }) => events.map(({ sequence }) => sequence))).toEqual([
      2, 3, 4, 5, 6, 7, 8, 9,
    ])
  })
})

describe('A webhook', () => {
  it('sends waiting events one by one after batches are turned off', async () => {
    const hook = await createBatchHook({ max: 1000, within: '60s' })
    await recordEvents(sending, 5)
    expect((await call('PATCH', `/${hook.id}`, { batch: null })).body.batch).toBeNull()
    await succeeded(hook, 5)
    expect(requestsTo(hook).map(({ headers }) => headers['webhook-id'])).toEqual(
      upTo(5).map(() => expect.stringMatching(/^evt_/)),
    )
  })

  it('can take longer than the usual limit of statements to turn batches off', async () => {
    const hook = await createBatchHook({ max: 1000, within: '60s' })
    let changed!: ReturnType<typeof call>
    await duringTransaction(sending.service, async (tx) => {
      await tx.query('SELECT FROM lanes WHERE webhook_id = $1 FOR UPDATE', [getWebhookUuid(hook)])
      changed = call('PATCH', `/${hook.id}`, { batch: null })
      await waitFor('the change to exceed the usual limit', async () => {
        const running = await sending.service.db.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
             AND query_start < now() - $1 * interval '1 ms'`,
          [statementTimeoutMs + 500],
        )
        return running.length > 0
      })
    })
    expect((await changed).status).toBe(200)
  })

  it('sends its retries in a batch after batches are turned on', async () => {
    respond = (_request, response) => fail(response)
    const hook = await createHook(sending)
    hooks.push(hook)
    await recordEvents(sending, 3)
    await waitFor('the first attempts', async () => {
      const deliveries = await readDeliveries(sending, hook)
      return deliveries.filter(({ attempt_count }) => attempt_count > 0).length === 3
    })
    const retryIn = (interval: string) =>
      sending.service.db.query(
        `UPDATE deliveries SET next_attempt_at = now() + $2::interval WHERE webhook_id = $1`,
        [getWebhookUuid(hook), interval],
      )
    await retryIn('1 hour')
    respond = (_request, response) => void response.end()
    await call('PATCH', `/${hook.id}`, { batch: { max: 10, within: '1s' } })
    await retryIn('0')
    await succeeded(hook, 3)
    const batched = requestsTo(hook).filter(({ headers }) => String(headers['webhook-id']).startsWith('bat_'))
    expect(batched.length).toBeGreaterThan(0)
  })

  it('sends the whole batch now when one of its deliveries is redelivered', async () => {
    respond = (_request, response) => fail(response)
    const hook = await createBatchHook({ max: 2, within: '60s' })
    await recordEvents(sending, 2)
    await waitFor('an attempt', async () => (await readDeliveries(sending, hook))[0]!['attempt_count'] === 1)
    await sending.service.db.query(
      `UPDATE deliveries SET next_attempt_at = now() + interval '1 hour' WHERE webhook_id = $1`,
      [getWebhookUuid(hook)],
    )
    respond = (_request, response) => void response.end()
    const [one] = await readDeliveries(sending, hook)
    await call('POST', `/${hook.id}/deliveries/${one!['id']}/redeliver`)
    await succeeded(hook, 2)
    expect(sizes(hook).every((size) => size === 2)).toBe(true)
  })

  it('sends redelivered events in a new batch', async () => {
    const hook = await createBatchHook({ max: 2, within: '1s' })
    await recordEvents(sending, 2)
    await succeeded(hook, 2)
    const [one] = await readDeliveries(sending, hook)
    await call('POST', `/${hook.id}/deliveries/${one!['id']}/redeliver`)
    await waitFor('the redelivery', () => requestsTo(hook).length === 2)
    const [first, second] = batchesTo(hook)
    expect(second!.events.map(({ id }) => id)).toEqual([one!['event_id']])
    expect(second!.batch_id).not.toBe(first!.batch_id)
  })

  it('receives a test as a batch of one event', async () => {
    const hook = await createBatchHook({ max: 2, within: '1s' })
    const { body } = await call('POST', `/${hook.id}/test`, {})
    const [request] = requestsTo(hook)
    const batch = parseBatch(request!)
    expect(batch).toEqual({
      batch_id: request!.headers['webhook-id'],
      events: [{ ...body.event, sequence: null }],
    })
    expect(body.attempt.request_headers['webhook-id']).toBe(batch.batch_id)
  })

  it('explains that an event waits for its batch', async () => {
    const hook = await createBatchHook({ max: 100, within: '60s' })
    await recordExamples(sending, ['link.created'])
    const [delivery] = await readDeliveries(sending, hook)
    const { body } = await sending.service.call(
      'GET',
      `/v1/events/${delivery!['event_id']}/explain?webhook_id=${hook.id}`,
    )
    const due = new Date(new Date(delivery!['created_at']).getTime() + 60_000)
    expect(Math.abs(new Date(body.next_attempt_at).getTime() - due.getTime())).toBeLessThan(2000)
    expect(body).toMatchObject({ reason: 'waiting_for_batch', next_step: { action: 'none' } })
    expect(delivery!['next_attempt_at']).toBe(body.next_attempt_at)
    expect(await readStats(sending, hook)).toMatchObject({ next_attempt_at: body.next_attempt_at })
  })

  it.each([
    [{ batch: { max: 1, within: '5s' } }, '/batch/max'],
    [{ batch: { max: 1001, within: '5s' } }, '/batch/max'],
    [{ batch: { max: 10, within: '61s' } }, '/batch/within'],
    [{ batch: { max: 10 } }, '/batch/within'],
    [{ batch: { max: 10, within: '5s', every: 2 } }, '/batch/every'],
    [{ batch: 100 }, '/batch'],
    [{ batch: { max: 10, within: '5s' }, format: 'slack' }, '/batch'],
  ])('is not created with %j', async (fields, pointer) => {
    const { status, body } = await call('POST', '', {
      url: `${sending.receiver.origin}/x`,
      events: ['*'],
      ...fields,
    })
    expect([status, body.errors?.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ])
  })

  it('changes one field of its batch, and needs both to turn batches on', async () => {
    const hook = await createBatchHook({ max: 10, within: '5s' })
    const changed = await call('PATCH', `/${hook.id}`, { batch: { max: 20 } })
    expect(changed.body.batch).toEqual({ max: 20, within: '5s' })
    await call('PATCH', `/${hook.id}`, { batch: null })
    const { status, body } = await call('PATCH', `/${hook.id}`, { batch: { max: 20 } })
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/batch/within', code: 'required' }]])
  })

  it('cannot change its format while it has batches', async () => {
    const hook = await createBatchHook({ max: 2, within: '1m' })
    const { status, body } = await call('PATCH', `/${hook.id}`, { format: 'discord' })
    expect([status, body.errors[0].pointer]).toEqual([422, '/batch'])
    const both = await call('PATCH', `/${hook.id}`, { format: 'discord', batch: null })
    expect([both.status, both.body.batch, both.body.format]).toEqual([200, null, 'discord'])
  })
})
