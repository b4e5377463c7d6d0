import { makeLink } from '../../support/factories/links.js'
import type { Received } from '../../support/receiver.js'
import { waitFor } from '../../support/wait-for.js'
import { readDeliveries, createHook, startSending, readStats } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'

type Respond = (request: Received, nth: number) => { status: number; headers?: Record<string, string> }

/** The response of a receiver to the nth request, by path. */
const responses = new Map<string, Respond>()
const counts = new Map<string, number>()

let sending: Sending
beforeAll(async () => {
  sending = await startSending((request, response) => {
    const nth = (counts.get(request.path) ?? 0) + 1
    counts.set(request.path, nth)
    const { status, headers } = responses.get(request.path)?.(request, nth) ?? { status: 204 }
    response.writeHead(status, headers).end()
  })
})
afterAll(() => sending.stop())

async function makeHookWith(respond: Respond, fields: Record<string, unknown> = {}) {
  const hook = await createHook(sending, fields)
  responses.set(hook.path, respond)
  return hook
}

const makeLinks = (count: number) =>
  Promise.all(Array.from({ length: count }, () => makeLink(sending.service)))

describe('a receiver that fails', () => {
  it('receives the same bytes on schedule, never earlier, until it succeeds', async () => {
    const hook = await makeHookWith((_request, nth) => ({ status: nth < 4 ? 500 : 200 }))
    await makeLink(sending.service)
    const received = await waitFor(
      'four attempts',
      () =>
        sending.receiver.requestsTo(hook.path).length === 4 ? sending.receiver.requestsTo(hook.path) : null,
      20_000,
    )
    const gaps = received.slice(1).map(({ at }, i) => at - received[i]!.at)
    ;[1_000, 2_000, 1_000].forEach((step, i) => {
      expect(gaps[i]).toBeGreaterThanOrEqual(step)
      expect(gaps[i]).toBeLessThan(step * 1.1 + 2_500)
    })
    expect(received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2', '3', '4'])
    for (const name of ['webhook-id', 'webhook-sequence'])
      expect(new Set(received.map(({ headers }) => headers[name])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    await waitFor('the success', async () => (await readStats(sending, hook)).succeeded === 1)
    expect(await readStats(sending, hook)).toMatchObject({ emitted: 1, attempts: 4, pending: 0, failed: 0 })
  })

  it('leaves the delivery failed, with the last response, when the schedule ends', async () => {
    const hook = await makeHookWith(() => ({ status: 503 }))
    await makeLink(sending.service)
    const [delivery] = await waitFor(
      'the failure',
      async () => {
        const deliveries = await readDeliveries(sending, hook)
        return deliveries[0]?.['status'] === 'failed' ? deliveries : null
      },
      20_000,
    )
    expect(delivery).toMatchObject({
      attempt_count: 4,
      next_attempt_at: null,
      completed_at: expect.any(String),
      last_attempt: { status_code: 503, error: { class: 'http_status' } },
    })
  })

  it('opens the circuit, so that waiting deliveries keep their attempts and arrive after the recovery', async () => {
    let isDown = true
    const hook = await makeHookWith(() => ({ status: isDown ? 500 : 200 }))
    await makeLinks(60)
    await waitFor('some failures', async () => (await readStats(sending, hook)).attempts >= 5)
    // Each failed probe opens the circuit again.
    await waitFor('the circuit to open', async () => (await readStats(sending, hook)).circuit === 'open')
    const { attempts } = await readStats(sending, hook)
    await waitFor('probes', async () => (await readStats(sending, hook)).attempts >= attempts + 3)
    const [untouched] = await sending.service.db.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM deliveries JOIN webhooks ON webhooks.id = webhook_id
       WHERE attempt_count = 0 AND url LIKE $1`,
      [`%${hook.path}`],
    )
    expect(untouched!.count).toBeGreaterThan(20)
    isDown = false
    await waitFor('all deliveries', async () => (await readStats(sending, hook)).pending === 0, 30_000)
    const { emitted, succeeded, failed } = await readStats(sending, hook)
    expect(succeeded + failed).toBe(emitted)
    expect(succeeded).toBeGreaterThan(50)
  })

  it('receives nothing until the time in its Retry-After has passed', async () => {
    const hook = await makeHookWith((_request, nth) =>
      nth === 1 ? { status: 429, headers: { 'retry-after': '4' } } : { status: 200 },
    )
    await makeLink(sending.service)
    await waitFor('the first attempt', () => sending.receiver.requestsTo(hook.path).length === 1)
    await makeLinks(5)
    await waitFor('the other deliveries', () => sending.receiver.requestsTo(hook.path).length === 7, 20_000)
    const [first, second] = sending.receiver.requestsTo(hook.path)
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(4_000)
  })

  it('disables its webhook with 410, and receives the held events once the webhook is active again', async () => {
    const hook = await makeHookWith((_request, nth) => ({ status: nth === 1 ? 410 : 200 }))
    await makeLink(sending.service)
    const webhook = async () => (await sending.service.call('GET', `/v1/webhooks/${hook.id}`)).body
    await waitFor('the webhook to be disabled', async () => (await webhook()).status === 'disabled')
    expect((await webhook()).disabled_reason).toMatch(/410/)
    await makeLinks(5)
    expect(await webhook()).toMatchObject({ held: 6, pending: 0 })
    expect(sending.receiver.requestsTo(hook.path)).toHaveLength(1)
    await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
    await waitFor('all deliveries', () => sending.receiver.requestsTo(hook.path).length === 7, 20_000)
    const sequences = sending.receiver
      .requestsTo(hook.path)
      .map(({ headers }) => Number(headers['webhook-sequence']))
    expect(new Set(sequences)).toEqual(new Set([1, 2, 3, 4, 5, 6]))
  })
})

describe('a webhook', () => {
  it('receives nothing while paused, and the held events once active', async () => {
    const hook = await createHook(sending)
    await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'paused' } })
    await makeLinks(10)
    expect(await readStats(sending, hook)).toMatchObject({ emitted: 10, held: 10, pending: 0 })
    await sending.service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
    await waitFor('the held deliveries', () => sending.receiver.requestsTo(hook.path).length === 10)
    const sequences = sending.receiver
      .requestsTo(hook.path)
      .map(({ headers }) => Number(headers['webhook-sequence']))
    expect([...sequences].sort((a, b) => a - b)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1))
  })

  it('receives nothing after its deletion', async () => {
    const hook = await makeHookWith(() => ({ status: 500 }))
    await makeLink(sending.service)
    await waitFor('an attempt', () => sending.receiver.requestsTo(hook.path).length > 0)
    await sending.service.call('DELETE', `/v1/webhooks/${hook.id}`)
    const before = sending.receiver.requestsTo(hook.path).length
    // The retry of the deleted webhook is due now. Once a later retry arrives elsewhere, workers had time to send both.
    await sending.service.db.query(
      `UPDATE deliveries SET next_attempt_at = now() FROM webhooks
       WHERE webhooks.id = webhook_id AND url LIKE $1 AND deliveries.status = 'pending'`,
      [`%${hook.path}`],
    )
    const other = await makeHookWith((_request, nth) => ({ status: nth === 1 ? 500 : 200 }))
    await makeLink(sending.service)
    await waitFor(
      'the retry of the other webhook',
      () => sending.receiver.requestsTo(other.path).length === 2,
      20_000,
    )
    expect(sending.receiver.requestsTo(hook.path)).toHaveLength(before)
  })

  it('never has more requests in flight than max_in_flight', async () => {
    const hook = await createHook(sending, { max_in_flight: 2 })
    let [inFlight, most] = [0, 0]
    responses.set(hook.path, () => ({ status: 200 }))
    const slow = await startSending((_request, response) => {
      inFlight += 1
      most = Math.max(most, inFlight)
      setTimeout(() => {
        inFlight -= 1
        response.end()
      }, 20)
    })
    try {
      const limited = await createHook(slow, { max_in_flight: 2 })
      await Promise.all(Array.from({ length: 40 }, () => makeLink(slow.service)))
      await waitFor('all deliveries', () => slow.receiver.requestsTo(limited.path).length === 40, 20_000)
      expect(most).toBeLessThanOrEqual(2)
    } finally {
      await slow.stop()
    }
  })
})
