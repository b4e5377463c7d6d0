import { DataSource } from 'typeorm'

import { LedgerRepository } from '../../../src/deliveries/ledger.repository.js'
import { makeLink, withoutInstance } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeDelivery, makeEvent, makePlaceAt, makeWebhook } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const explain = (event: { id: string }, webhook: { id: string }) =>
  service.call('GET', `/v1/events/${event.id}/explain?webhook_id=${webhook.id}`)
const failure = { errorClass: 'refused', errorMessage: 'Nothing accepts connections.' }

/** Creates a webhook, an event and its delivery, and returns their explanation. */
async function createAndExplain(
  webhookFields: Parameters<typeof makeWebhook>[1],
  deliveryFields: Parameters<typeof makeDelivery>[2] | null,
  lane: Record<string, unknown> = {},
) {
  const webhook = await makeWebhook(service, { createdAt: minutesAway(-60), ...webhookFields })
  const event = await makeEvent(service, webhook)
  for (const [column, value] of Object.entries(lane))
    await service.db.query(`UPDATE lanes SET ${column} = $2 WHERE webhook_id = $1`, [webhook.uuid, value])
  const delivery =
    deliveryFields && (await makeDelivery(service, webhook, { eventId: event.uuid, ...deliveryFields }))
  const { status, body } = await explain(event, webhook)
  expect(status).toBe(200)
  expect(body).toMatchObject({
    event_id: event.id,
    webhook_id: webhook.id,
    sentence: expect.stringMatching(/^[A-Z].+\.$/),
    next_step: { action: expect.any(String), message: expect.stringMatching(/^[A-Z].+/) },
  })
  expect(body.delivery?.id ?? null).toBe(delivery?.id ?? null)
  return body
}

const due = minutesAway(5)
const later = minutesAway(10)

it.each([
  ['delivered', {}, { status: 'succeeded', attempts: [{ statusCode: 204 }] }, {}, '204 to attempt 1', null],
  ['waiting', {}, { attempts: [failure], nextAttemptAt: due }, {}, 'Attempt 2 is scheduled for', due],
  ['waiting_for_circuit', {}, { nextAttemptAt: due }, { probe_at: later }, 'failed in a row', later],
  ['paused_by_receiver', {}, { nextAttemptAt: due }, { paused_until: later }, 'Retry-After', later],
  ['held', { status: 'paused' }, {}, {}, 'is paused', null],
  ['held', { status: 'disabled', disabledReason: 'Answered 410.' }, {}, {}, 'Answered 410.', null],
  ['failed', {}, { status: 'failed', attempts: [failure, failure] }, {}, 'All 2 attempts failed', null],
  ['canceled', {}, { status: 'canceled', endReason: 'retention' }, {}, 'longer than events are kept', null],
  ['test', {}, { status: 'succeeded', test: true, attempts: [{ statusCode: 200 }] }, {}, 'a test', null],
  ['webhook_deleted', { deletedAt: minutesAway(-1) }, {}, {}, 'deleted at', null],
  ['webhook_deleted', { deletedAt: minutesAway(-1) }, null, {}, 'before the event occurred', null],
  ['not_subscribed', { events: ['link.created'] }, null, {}, 'but not to click', null],
  ['not_subscribed', { events: ['*'] }, null, {}, 'did not when it occurred', null],
  ['created_later', { createdAt: minutesAway(1) }, null, {}, 'after the event occurred', null],
] as const)(
  'explains %s: webhook %j, delivery %j, lane %j',
  async (reason, webhook, delivery, lane, part, next) => {
    const fields = delivery && ({ ...delivery } as Parameters<typeof makeDelivery>[2])
    const body = await createAndExplain(webhook as Parameters<typeof makeWebhook>[1], fields, lane)
    expect(body.reason).toBe(reason)
    expect(body.sentence).toContain(part)
    expect(body.next_attempt_at).toBe(next?.toISOString() ?? null)
  },
)

it('includes a summary of the delivery with the status that its webhook implies', async () => {
  const { delivery } = await createAndExplain({ status: 'paused' }, { attempts: [failure] })
  expect(delivery).toEqual({
    id: expect.stringMatching(/^dlv_/),
    webhook_id: expect.stringMatching(/^wh_/),
    status: 'held',
    attempt_count: 1,
    next_attempt_at: null,
    completed_at: null,
  })
})

it('explains an event of the service for a subscribed and an unsubscribed webhook', async () => {
  const webhook = await makeWebhook(service, { events: ['link.created'] })
  const other = await makeWebhook(service, { events: ['link.deleted'] })
  await makeLink(service)
  const [delivery] = (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data
  const event = { id: delivery.event_id }
  expect((await explain(event, webhook)).body).toMatchObject({
    reason: 'waiting',
    delivery: { id: delivery.id },
  })
  expect((await explain(event, other)).body).toMatchObject({ reason: 'not_subscribed', delivery: null })
})

it('explains that * does not include events of tokens', async () => {
  const webhook = await makeWebhook(service, { events: ['*'], createdAt: minutesAway(-60) })
  const event = await makeEvent(service, webhook, 'token.created')
  expect((await explain(event, webhook)).body).toMatchObject({
    reason: 'not_subscribed',
    sentence: 'The webhook subscribes to *, but not to token.created.',
  })
})

it('returns 404 for an event of a token if the caller lacks tokens:read', async () => {
  const event = await makeEvent(service, await makeWebhook(service), 'token.created')
  const { token } = await service.mint('events:read')
  for (const path of ['', '/explain'])
    expect((await service.call('GET', `/v1/events/${event.id}${path}`, { token })).status).toBe(404)
})

it('explains the example of a test, although it is not recorded as an event', async () => {
  const webhook = await makeWebhook(service)
  const { uuid } = await makeEvent(service, webhook)
  await makeDelivery(service, webhook, { eventId: uuid, test: true, status: 'failed', attempts: [failure] })
  const [row] = await service.db.query<{ id: string }>('DELETE FROM events WHERE id = $1 RETURNING id', [
    uuid,
  ])
  expect(row).toEqual({ id: uuid })
  const [delivery] = (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data
  expect((await explain({ id: delivery.event_id }, webhook)).body.reason).toBe('test')
})

it('explains a delivery to a deleted webhook as canceled, before and after its row is updated', async () => {
  const webhook = await makeWebhook(service, { deletedAt: new Date() })
  const event = await makeEvent(service, webhook)
  const { uuid } = await makeDelivery(service, webhook, { eventId: event.uuid })
  const before = (await explain(event, webhook)).body
  expect(before).toMatchObject({ reason: 'webhook_deleted', delivery: { status: 'canceled' } })
  expect(before.delivery.completed_at).not.toBeNull()
  expect((await service.call('GET', `/v1/events/${event.id}`)).body.deliveries).toEqual([before.delivery])
  const ledger = service.app.get(LedgerRepository, { strict: false })
  await service.app
    .get(DataSource)
    .transaction((tx) => ledger.cancelDeliveries(tx, webhook.uuid, [uuid], 'webhook_deleted'))
  const after = (await explain(event, webhook)).body
  expect({ ...after, delivery: null }).toEqual({ ...before, delivery: null })
  expect(after.delivery.status).toBe('canceled')
})

describe('not found', () => {
  const missing = { id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' }
  let webhook: MadeWebhook
  let event: { id: string }
  let foreign: MadeWebhook
  let foreignEvent: { id: string }
  beforeAll(async () => {
    webhook = await makeWebhook(service)
    event = await makeEvent(service, webhook)
    foreign = await makeWebhook(service, { workspace: 'other' })
    foreignEvent = await makeEvent(service, foreign)
  })

  it('returns the same 404 for unknown, malformed and foreign IDs', async () => {
    expect((await explain(event, webhook)).status).toBe(200)
    const unknown = { id: 'evt_01kaj4d0qae6svf0k9w3m7x2ht' }
    for (const [kind, pairs] of [
      ['webhook', [missing, { id: 'x' }, foreign].map((each) => [event, each] as const)],
      ['event', [foreignEvent, unknown].map((each) => [each, foreign] as const)],
      ['event', [foreignEvent, unknown].map((each) => [each, { id: 'x' }] as const)],
      ['event', [foreignEvent, unknown, { id: 'x' }].map((each) => [each, webhook] as const)],
    ] as const)
      for (const [pairedEvent, pairedWebhook] of pairs)
        expect(withoutInstance(await explain(pairedEvent, pairedWebhook))).toMatchObject({
          status: 404,
          body: { code: 'not_found', detail: `No ${kind} with this ID was found.` },
        })
  })
})

describe('the next step', () => {
  const step = (fields: object) => ({
    message: expect.any(String),
    webhook_id: null,
    delivery_id: null,
    since: null,
    ...fields,
  })
  const explainNextStep = async (...fields: Parameters<typeof createAndExplain>) => {
    const { next_step, webhook_id, delivery } = await createAndExplain(...fields)
    return { next_step, webhook_id, delivery_id: delivery?.id }
  }

  it('is redelivery for a failed delivery', async () => {
    const { next_step, ...ids } = await explainNextStep({}, { status: 'failed', attempts: [failure] })
    expect(next_step).toEqual(step({ action: 'redeliver', ...ids }))
  })

  it.each([
    ['resume', { status: 'paused' }, {}, {}],
    ['test', {}, { nextAttemptAt: due }, { probe_at: later }],
    ['update', { events: ['link.created'] }, null, {}],
  ] as const)('%s names the webhook', async (action, webhook, delivery, lane) => {
    const fields = webhook as Parameters<typeof makeWebhook>[1]
    const { next_step, webhook_id } = await explainNextStep(fields, delivery && { ...delivery }, lane)
    expect(next_step).toEqual(step({ action, webhook_id }))
  })

  it('is a replay if the webhook was created after the event', async () => {
    const webhook = await makeWebhook(service, { createdAt: minutesAway(1), events: ['click'] })
    const at = minutesAway(-2)
    await makePlaceAt(service, at)
    const event = await makeEvent(service, webhook, 'click', undefined, at)
    const since = at.toISOString()
    const { next_step } = (await explain(event, webhook)).body
    expect(next_step).toEqual(step({ action: 'replay', webhook_id: webhook.id, since }))
    const replayed = await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, {
      body: { since, from: 'events', dry_run: true },
    })
    expect(replayed.body.deliveries).toBeGreaterThan(0)
  })

  it('is an update for a later webhook that does not subscribe to the event', async () => {
    const webhook = { createdAt: minutesAway(1), events: ['link.created'] }
    const { next_step, webhook_id } = await explainNextStep(webhook, null)
    expect(next_step).toEqual(step({ action: 'update', webhook_id }))
  })

  it('is none for a deleted webhook, whose deliveries cannot be sent', async () => {
    const { next_step } = await explainNextStep(
      { deletedAt: minutesAway(-1) },
      { status: 'failed', attempts: [failure] },
    )
    expect(next_step).toEqual(step({ action: 'none' }))
  })
})
