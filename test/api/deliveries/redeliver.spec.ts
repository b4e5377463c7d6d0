import { DataSource } from 'typeorm'

import { LaneWaker } from '../../../src/deliveries/pending-deliveries.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { waitFor } from '../../support/wait-for.js'
import { makeDelivery, makeWebhook, readStats } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

const { jest } = import.meta

let service: Service
const woken: string[] = []
let wake: jest.SpyInstance
beforeAll(async () => {
  service = await shareService()
  const waker = service.app.get(LaneWaker, { strict: false })
  wake = jest.spyOn(waker, 'wake').mockImplementation((ids: readonly string[]) => void woken.push(...ids))
})
afterAll(async () => {
  wake.mockRestore()
  await service.stop()
})
beforeEach(() => (woken.length = 0))

const redeliver = (webhook: MadeWebhook, id: string) =>
  service.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
const getDeliveryRow = async (uuid: string) => {
  const [row] = await service.db.query<any>('SELECT * FROM deliveries WHERE id = $1', [uuid])
  return row
}
const attempts = [
  { statusCode: 500, errorClass: 'http_status', errorMessage: 'The receiver responded with 500.' },
  { statusCode: 500, errorClass: 'http_status', errorMessage: 'The receiver responded with 500.' },
]

it.each(['succeeded', 'failed', 'canceled'] as const)(
  'makes a %s delivery pending and due now, with a new schedule and its old attempts',
  async (status) => {
    const webhook = await makeWebhook(service)
    const { id, uuid } = await makeDelivery(service, webhook, { status, attempts, endReason: 'retention' })
    const before = Date.now()
    const response = await redeliver(webhook, id)
    expect(response.status).toBe(202)
    expect(response.body).toMatchObject({
      id,
      status: 'pending',
      attempt_count: 2,
      completed_at: null,
      batch_id: null,
      canceled_reason: null,
      sequence: 1,
      last_attempt: { number: 2 },
    })
    expect(Math.abs(Date.parse(response.body.next_attempt_at) - before)).toBeLessThan(5_000)
    const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries/${id}`)
    expect(body).toMatchObject(response.body)
    expect(body.attempts).toHaveLength(2)
    expect(await getDeliveryRow(uuid)).toMatchObject({ priority: 2, schedule_start: 2, end_reason: null })
    expect(woken).toEqual([webhook.uuid])
    expect(await readStats(service, webhook)).toMatchObject({
      emitted: 1,
      pending: 1,
      succeeded: 0,
      failed: 0,
      canceled: 0,
      attempts: 2,
    })
  },
)

it('makes a pending delivery due now and keeps its schedule', async () => {
  const webhook = await makeWebhook(service)
  const later = new Date(Date.now() + 3_600_000)
  const { id, uuid } = await makeDelivery(service, webhook, { attempts, nextAttemptAt: later })
  const { status, body } = await redeliver(webhook, id)
  expect([status, body.status]).toEqual([202, 'pending'])
  expect(Date.parse(body.next_attempt_at)).toBeLessThan(Date.now() + 5_000)
  expect(await getDeliveryRow(uuid)).toMatchObject({ priority: 0, schedule_start: 0, attempt_count: 2 })
  expect(woken).toEqual([webhook.uuid])
})

it('keeps the due time of a delivery that is already due', async () => {
  const webhook = await makeWebhook(service)
  const due = new Date(Date.now() - 60_000)
  const { id } = await makeDelivery(service, webhook, { nextAttemptAt: due })
  expect((await redeliver(webhook, id)).body.next_attempt_at).toBe(due.toISOString())
})

it.each(['paused', 'disabled'] as const)('holds a delivery to a %s webhook', async (status) => {
  const webhook = await makeWebhook(service, { status })
  const { id } = await makeDelivery(service, webhook, { status: 'failed', attempts })
  const response = await redeliver(webhook, id)
  expect([response.status, response.body.status, response.body.next_attempt_at]).toEqual([202, 'held', null])
  expect(woken).toEqual([])
  expect(await readStats(service, webhook)).toMatchObject({ emitted: 1, held: 1, pending: 0, failed: 0 })
})

it('counts concurrent redeliveries of a delivery once', async () => {
  const webhook = await makeWebhook(service)
  const deliveries: { id: string }[] = []
  for (const status of ['succeeded', 'failed', 'canceled', 'pending'] as const)
    deliveries.push(await makeDelivery(service, webhook, { status }))
  // On a busy machine, a request may not get the lock of the lane in time.
  const redeliverPatiently = ({ id }: { id: string }) =>
    waitFor('the lock of the lane', async () => {
      const response = await redeliver(webhook, id)
      return response.status === 503 ? null : response
    })
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, i) => redeliverPatiently(deliveries[i % 4]!)),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]))
  expect(await readStats(service, webhook)).toMatchObject({
    emitted: 4,
    pending: 4,
    succeeded: 0,
    failed: 0,
    canceled: 0,
  })
})

it('locks the lane before the delivery, so that workers cannot deadlock with it', async () => {
  const webhook = await makeWebhook(service)
  const { id, uuid } = await makeDelivery(service, webhook, { status: 'failed' })
  let response: Promise<ServiceResponse> | undefined
  await service.app.get(DataSource).transaction(async (tx) => {
    await tx.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE', [webhook.uuid])
    response = redeliver(webhook, id)
    await waitFor('the request to wait for the lock', async () => {
      const waiting = await service.db.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      return waiting.length > 0
    })
    await tx.query('SELECT 1 FROM deliveries WHERE id = $1 FOR UPDATE NOWAIT', [uuid])
  })
  expect((await response)?.status).toBe(202)
})

it('returns 409 for a test', async () => {
  const webhook = await makeWebhook(service)
  const { id, uuid } = await makeDelivery(service, webhook, { status: 'failed', attempts, test: true })
  const before = await getDeliveryRow(uuid)
  const { status, body } = await redeliver(webhook, id)
  expect([status, body.code]).toEqual([409, 'not_redeliverable'])
  expect(await getDeliveryRow(uuid)).toEqual(before)
  expect(woken).toEqual([])
})

it('returns 404 for a deleted webhook', async () => {
  const webhook = await makeWebhook(service, { deletedAt: new Date() })
  const { id, uuid } = await makeDelivery(service, webhook, { status: 'failed' })
  expect((await redeliver(webhook, id)).status).toBe(404)
  expect(await getDeliveryRow(uuid)).toMatchObject({ status: 'failed' })
})
