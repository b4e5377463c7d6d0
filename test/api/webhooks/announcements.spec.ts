/** Processes that cache webhooks are notified of each committed change. */
import pg from 'pg'

import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'

let service: Service
let listener: pg.Client
const received: string[] = []
beforeAll(async () => {
  service = await startService()
  listener = new pg.Client(service.db.url)
  await listener.connect()
  listener.on('notification', ({ payload }) => received.push(payload!))
  await listener.query('LISTEN link_service_changes')
})
afterAll(async () => {
  await listener.end()
  await service.stop()
})

/** Returns the notifications of all changes so far. Notifications arrive in the order of their commits. */
async function takeNotifications(): Promise<string[]> {
  await service.db.query(`SELECT pg_notify('link_service_changes', 'until:here')`)
  await waitFor('the notifications', () => received.includes('until:here'))
  return received.splice(0).filter((payload) => payload.startsWith('webhook:'))
}

it('announces each change once', async () => {
  const webhook = await makeWebhook(service, { secret: 'a secret' })
  const expected = [`webhook:${getWebhookUuid(webhook)}`]
  expect(await takeNotifications()).toEqual(expected)
  for (const [method, suffix, body] of [
    ['PATCH', '', { description: 'x' }],
    ['PATCH', '', { status: 'paused' }],
    ['PATCH', '', { secret: 'another secret' }],
    ['POST', '/secret/rotate', {}],
    ['DELETE', '', undefined],
  ] as const) {
    const { status } = await service.call(method, `/v1/webhooks/${webhook.id}${suffix}`, body ? { body } : {})
    expect(status).toBeLessThan(300)
    expect({ method, body, received: await takeNotifications() }).toEqual({
      method,
      body,
      received: expected,
    })
  }
})

it('does not announce changes without effect, refusals and failures', async () => {
  const webhook = await makeWebhook(service, { secret: 'a secret' })
  await takeNotifications()
  const path = `/v1/webhooks/${webhook.id}`
  const statuses = []
  for (const [method, suffix, body] of [
    ['PATCH', '', { secret: 'a secret' }],
    ['PATCH', '', { max_in_flight: 0 }],
    ['POST', '/secret/rotate', { secret: 'a secret' }],
    ['POST', '/secret/rotate', { overlap: 'x' }],
  ] as const)
    statuses.push((await service.call(method, path + suffix, { body })).status)
  await service.db.query('ALTER TABLE audit_log RENAME TO gone')
  statuses.push((await service.call('PATCH', path, { body: { description: 'x' } })).status)
  statuses.push((await service.call('POST', `${path}/secret/rotate`, { body: {} })).status)
  statuses.push((await service.call('DELETE', path)).status)
  await service.db.query('ALTER TABLE gone RENAME TO audit_log')
  expect(statuses).toEqual([200, 422, 200, 422, 500, 500, 500])
  expect(await takeNotifications()).toEqual([])
  // Only the response to its creation has the field `secret`.
  expect({ ...(await service.call('GET', path)).body, secret: null }).toEqual(webhook)
})
