/** Deliveries that cannot be sent hold up nothing else. */
import { decodeId, newId } from '../../../src/platform/database/ids.js'
import { makeDelivery, makeEvent } from '../../support/factories/deliveries.js'
import { makeLink } from '../../support/factories/links.js'
import { uuidOf } from '../../support/factories/webhooks.js'
import { makeHook, startSending, statsOf } from '../../support/sending.js'
import type { Sending } from '../../support/sending.js'
import { waitFor } from '../../support/wait-for.js'

let sending: Sending
beforeAll(async () => (sending = await startSending()))
afterAll(() => sending.stop())

/** A delivery can outlive its event: one that a replay made of an old event, while its webhook was paused for long. */
it('what has no event any more is canceled and not sent, and does not hold up the others', async () => {
  const { service, receiver } = sending
  const hook = await makeHook(sending)
  await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'paused' } })
  const uuid = decodeId('wh', hook.id)!
  const [row] = await service.db.query<{ workspaceId: string }>(
    'SELECT workspace_id AS "workspaceId" FROM webhooks WHERE id = $1',
    [uuid],
  )
  const gone = await makeDelivery(service, { uuid }, { eventId: newId() })
  const event = await makeEvent(service, row!)
  await makeDelivery(service, { uuid }, { eventId: event.uuid })

  await service.call('PATCH', `/v1/webhooks/${hook.id}`, { body: { status: 'active' } })
  await waitFor('both to be completed', async () => (await statsOf(sending, hook)).pending === 0)
  expect((await service.call('GET', `/v1/webhooks/${hook.id}/deliveries/${gone.id}`)).body).toMatchObject({
    status: 'canceled',
    canceled_reason: 'retention',
    attempt_count: 0,
    next_attempt_at: null,
  })
  expect(receiver.at(hook.path).map(({ headers }) => headers['webhook-id'])).toEqual([event.id])
  expect(await statsOf(sending, hook)).toMatchObject({ emitted: 2, succeeded: 1, canceled: 1, pending: 0 })
})

/** Its secret was sealed under another ENCRYPTION_KEY: nothing can be signed until it gets a new one. */
it('a webhook whose secret cannot be read takes no place of a request, and goes on by itself with a new secret', async () => {
  const { service } = sending
  const [readable, unreadable] = [await makeHook(sending), await makeHook(sending)]
  await service.db.query(
    'UPDATE webhooks SET sealed_secret = (SELECT sealed_secret FROM webhooks WHERE id = $2) WHERE id = $1',
    [uuidOf(unreadable), uuidOf(readable)],
  )
  for (let i = 0; i < 5; i++) await makeLink(service)
  await waitFor('the readable one', async () => (await statsOf(sending, readable)).succeeded === 5)
  expect(await statsOf(sending, unreadable)).toMatchObject({ pending: 5, attempts: 0 })
  await waitFor('no request to be under way', async () =>
    (await service.call('GET', '/metrics')).text.includes('link_service_worker_requests 0'),
  )

  await service.call('PATCH', `/v1/webhooks/${unreadable.id}`, { body: { secret: 'a new secret' } })
  await waitFor('the other', async () => (await statsOf(sending, unreadable)).succeeded === 5)
})
