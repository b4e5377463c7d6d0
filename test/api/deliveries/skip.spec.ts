import { makeDelivery, makeEvent, makeWebhook, readStats } from '../../support/factories/deliveries.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const skip = (webhook: { id: string }, delivery: { id: string }) =>
  service.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${delivery.id}/skip`)

it.each(['active', 'paused'] as const)('cancels a delivery of a webhook that is %s', async (status) => {
  const webhook = await makeWebhook(service, { status })
  const event = await makeEvent(service, webhook)
  const delivery = await makeDelivery(service, webhook, { eventId: event.uuid })
  const first = await skip(webhook, delivery)
  expect(first.status).toBe(202)
  expect(first.body).toMatchObject({ id: delivery.id, status: 'canceled', canceled_reason: 'skipped' })
  expect(await readStats(service, webhook)).toMatchObject({ canceled: 1, pending: 0, held: 0 })
  const again = await skip(webhook, delivery)
  expect([again.status, again.body]).toEqual([202, first.body])
  expect(await readStats(service, webhook)).toMatchObject({ canceled: 1 })

  const { body } = await service.call('GET', `/v1/events/${event.id}/explain?webhook_id=${webhook.id}`)
  expect(body).toMatchObject({
    reason: 'canceled',
    sentence: expect.stringContaining('skipped'),
    next_step: { action: 'redeliver', delivery_id: delivery.id },
  })
})

it('records the skip in the audit log once', async () => {
  const webhook = await makeWebhook(service)
  const delivery = await makeDelivery(service, webhook)
  await skip(webhook, delivery)
  await skip(webhook, delivery)
  const { body } = await service.call('GET', `/v1/audit-log?object_id=${webhook.id}`)
  expect(body.data).toEqual([
    expect.objectContaining({
      action: 'webhook.delivery_skipped',
      details: { delivery_id: delivery.id },
    }),
  ])
})

it.each([
  ['succeeded', { status: 'succeeded', attempts: [{ statusCode: 200 }] }],
  ['failed', { status: 'failed', attempts: [{ statusCode: 500, errorClass: 'http_status' }] }],
  ['canceled', { status: 'canceled', endReason: 'retention' }],
] as const)('returns 409 for a delivery that has %s', async (status, fields) => {
  const webhook = await makeWebhook(service)
  const delivery = await makeDelivery(service, webhook, fields as Parameters<typeof makeDelivery>[2])
  const response = await skip(webhook, delivery)
  expect(response.status).toBe(409)
  expect(response.body).toMatchObject({
    code: 'not_skippable',
    detail: `This delivery is ${status}. Only pending and held deliveries can be skipped.`,
  })
})

it('returns 404 for unknown deliveries, and for those of other webhooks and workspaces', async () => {
  const webhook = await makeWebhook(service)
  const delivery = await makeDelivery(service, webhook)
  const other = await makeWebhook(service)
  const foreign = await makeWebhook(service, { workspace: 'other' })
  const foreignDelivery = await makeDelivery(service, foreign)
  for (const [hook, id] of [
    [webhook, foreignDelivery],
    [other, delivery],
    [foreign, foreignDelivery],
    [webhook, { id: 'dlv_nonsense' }],
  ] as const)
    expect((await skip(hook, id)).status).toBe(404)
})

it('requires the scope webhooks:write', async () => {
  const webhook = await makeWebhook(service)
  const delivery = await makeDelivery(service, webhook)
  const { token } = (
    await service.call('POST', '/v1/auth/token', { body: { name: 'reader', scopes: ['webhooks:read'] } })
  ).body
  const response = await service.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${delivery.id}/skip`, {
    token,
  })
  expect(response.status).toBe(403)
})
