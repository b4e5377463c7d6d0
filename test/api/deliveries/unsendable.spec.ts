/** Deliveries that cannot be sent do not delay other deliveries. */
import { decodeId, newId } from '../../../src/platform/database/ids.js'
import { makeDelivery, makeEvent } from '../../support/factories/deliveries.js'
import { makeLink } from '../../support/factories/links.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'
import { createHook, startSending, readStats } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

/** A delivery can outlive its event if a replay created the delivery from an old event for a paused webhook. */
it('cancels a delivery whose event was deleted, and sends the others', async () => {
  const { service, receiver } = sending
  const hook = await createHook(sending)
  await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'paused' } })
  const uuid = decodeId('wh', hook.id)!
  const [row] = await service.db.query<{ workspaceId: string }>(
    'SELECT workspace_id AS "workspaceId" FROM webhooks WHERE id = $1',
    [uuid],
  )
  const expired = await makeDelivery(service, { uuid }, { eventId: newId() })
  const event = await makeEvent(service, row!)
  await makeDelivery(service, { uuid }, { eventId: event.uuid })

  await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
  await waitFor('both to be completed', async () => (await readStats(sending, hook)).pending === 0)
  expect((await service.call('GET', `/v1/webhooks/${hook.id}/deliveries/${expired.id}`)).body).toMatchObject({
    status: 'canceled',
    canceled_reason: 'retention',
    attempt_count: 0,
    next_attempt_at: null,
  })
  expect(receiver.requestsTo(hook.path).map(({ headers }) => headers['webhook-id'])).toEqual([event.id])
  expect(await readStats(sending, hook)).toMatchObject({ emitted: 2, succeeded: 1, canceled: 1, pending: 0 })
})

/** The secret was encrypted with another ENCRYPTION_KEY. */
it.each(['sealed_secret', 'sealed_headers'])('a webhook with an unreadable %s waits', async (column) => {
  const { service } = sending
  const headers = { authorization: 'Bearer one' }
  const [readable, unreadable] = [
    await createHook(sending, { headers }),
    await createHook(sending, { headers }),
  ]
  await service.db.query(
    `UPDATE webhooks SET ${column} = (SELECT ${column} FROM webhooks WHERE id = $2) WHERE id = $1`,
    [getWebhookUuid(unreadable), getWebhookUuid(readable)],
  )
  await makeLink(service)
  await waitFor('a delivery to the other', async () => (await readStats(sending, readable)).succeeded === 1)
  expect(await readStats(sending, unreadable)).toMatchObject({ pending: 1, attempts: 0 })
  await service.call('PATCH', `/v1/webhooks/${unreadable.id}`, { body: { secret: 'a new secret', headers } })
  await waitFor('its delivery', async () => (await readStats(sending, unreadable)).succeeded === 1)
  expect(sending.receiver.requestsTo(unreadable.path)).toMatchObject([{ headers }])
})

it('a webhook with an unreadable secret uses no request slot, and receives deliveries after a new secret', async () => {
  const { service } = sending
  const [readable, unreadable] = [await createHook(sending), await createHook(sending)]
  await service.db.query(
    'UPDATE webhooks SET sealed_secret = (SELECT sealed_secret FROM webhooks WHERE id = $2) WHERE id = $1',
    [getWebhookUuid(unreadable), getWebhookUuid(readable)],
  )
  for (let i = 0; i < 5; i++) await makeLink(service)
  await waitFor(
    'deliveries to the readable webhook',
    async () => (await readStats(sending, readable)).succeeded === 5,
  )
  expect(await readStats(sending, unreadable)).toMatchObject({ pending: 5, attempts: 0 })
  await waitFor('no request to be in flight', async () =>
    (await service.call('GET', '/metrics')).text.includes('link_service_worker_requests 0'),
  )

  await service.call('PATCH', `/v1/webhooks/${unreadable.id}`, { body: { secret: 'a new secret' } })
  await waitFor(
    'deliveries to the other webhook',
    async () => (await readStats(sending, unreadable)).succeeded === 5,
  )
})
