/** Without an SDK in this process, requests to receivers can pass on the traceparent that an event has stored. */
import { createHook, readDeliveries, startSending } from '../../support/sending.js'
import type { Hook, Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

const createTraceparent = (i: number) => `00-4bf92f3577b34da6a3ce929d0e0e4736-00000000000000${10 + i}-01`

let sending: Sending
afterEach(() => sending.stop())

/** Creates links while the webhook is paused, stores traceparents with their events, and resumes the webhook. */
async function sendEvents(hook: Hook, count: number): Promise<void> {
  const { service, receiver } = sending
  await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'paused' } })
  for (let i = 0; i < count; i++)
    await service.call('POST', '/v1/links', { body: { url: 'https://target.example' } })
  const events = await service.db.query<{ id: string; traceparent: string | null }>(
    `SELECT id, traceparent FROM events WHERE type = 'link.created' ORDER BY id DESC LIMIT ${count}`,
  )
  expect(events.map(({ traceparent }) => traceparent)).toEqual(Array(count).fill(null))
  for (const [i, { id }] of events.entries())
    await service.db.query('UPDATE events SET traceparent = $2 WHERE id = $1', [id, createTraceparent(i)])
  await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
  await waitFor('the request', () => receiver.requestsTo(hook.path).length === 1)
}

async function readSentHeaders(hook: Hook): Promise<Record<string, string>> {
  const delivery = await waitFor('the attempt', async () => {
    const [latest] = await readDeliveries(sending, hook)
    return latest?.['status'] === 'succeeded' ? latest : undefined
  })
  const { body } = await sending.service.call('GET', `/v1/webhooks/${hook.id}/deliveries/${delivery['id']}`)
  return body.attempts[0].request_headers
}

it('sends no traceparent by default', async () => {
  sending = await startSending()
  const hook = await createHook(sending)
  await sendEvents(hook, 1)
  expect(sending.receiver.requestsTo(hook.path)[0]!.headers['traceparent']).toBeUndefined()
  expect(await readSentHeaders(hook)).not.toHaveProperty('traceparent')
})

describe('with WEBHOOK_TRACEPARENT=true', () => {
  beforeEach(async () => {
    sending = await startSending(undefined, { WEBHOOK_TRACEPARENT: 'true' })
  })

  it.each([
    ['an event', {}],
    ['an event in order', { ordered: true }],
    ['a batch of one event', { batch: { max: 10, within: '1s' } }],
  ])('sends the stored traceparent of %s, and shows it in the attempt', async (_, fields) => {
    const hook = await createHook(sending, fields)
    await sendEvents(hook, 1)
    expect(sending.receiver.requestsTo(hook.path)[0]!.headers['traceparent']).toBe(createTraceparent(0))
    expect(await readSentHeaders(hook)).toMatchObject({ traceparent: createTraceparent(0) })
  })

  it('sends no traceparent with a batch of several events', async () => {
    const hook = await createHook(sending, { batch: { max: 10, within: '1s' } })
    await sendEvents(hook, 2)
    expect(sending.receiver.requestsTo(hook.path)[0]!.headers['traceparent']).toBeUndefined()
  })

  it('sends no traceparent if the event has none', async () => {
    const hook = await createHook(sending)
    await sending.service.call('POST', '/v1/links', { body: { url: 'https://target.example' } })
    await waitFor('the request', () => sending.receiver.requestsTo(hook.path).length === 1)
    expect(sending.receiver.requestsTo(hook.path)[0]!.headers['traceparent']).toBeUndefined()
  })
})
