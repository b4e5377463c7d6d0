import { PartitionMaintenance } from '../../../src/platform/database/partition-maintenance.js'
import { ReplayRunner } from '../../../src/deliveries/replay/replay-runner.js'
import { Retention } from '../../../src/deliveries/retention.js'
import { deliveryPartitions } from '../../../src/deliveries/delivery.entity.js'
import { firstId } from '../../../src/platform/database/ids.js'
import { partitionsBetween } from '../../../src/platform/database/partitions.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { duringTransaction } from '../../support/transactions.js'
import {
  countRows,
  makeDelivery,
  makeEvent,
  makeManyDeliveries,
  makePlaceAt,
  makeWebhook,
  readStats,
} from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

const day = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * day)

let service: Service
let retention: Retention
beforeAll(async () => {
  service = await startService({ env: { EVENT_RETENTION: '10d' } })
  retention = service.app.get(Retention, { strict: false })
  for (const days of [9, 11, 40]) await makePlaceAt(service, daysAgo(days))
})
afterAll(() => service.stop())

const read = async (webhook: MadeWebhook, id: string) =>
  (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries/${id}`)).body
const remove = (webhook: MadeWebhook) =>
  service.db.query('UPDATE webhooks SET deleted_at = now() WHERE id = $1', [webhook.uuid])
const getLane = async ({ uuid }: MadeWebhook) => {
  const [row] = await service.db.query<any>(
    `SELECT succeeded::int, failed::int, canceled::int FROM lanes WHERE webhook_id = $1`,
    [uuid],
  )
  return row
}

it('cancels deliveries that are pending or held for longer than events are kept', async () => {
  for (const status of ['active', 'paused'] as const) {
    const webhook = await makeWebhook(service, { status })
    const old = await makeDelivery(service, webhook, { at: daysAgo(11) })
    await makeDelivery(service, webhook, { at: daysAgo(11), status: 'failed' })
    await makeDelivery(service, webhook, { at: daysAgo(11), status: 'failed', test: true })
    await makeDelivery(service, webhook, { at: daysAgo(9) })
    await retention.handle()
    expect(await read(webhook, old.id)).toMatchObject({
      status: 'canceled',
      canceled_reason: 'retention',
      next_attempt_at: null,
      completed_at: expect.any(String),
    })
    expect(await countRows(service, webhook)).toEqual({ canceled: 1, failed: 1, pending: 1 })
    const { emitted, canceled, failed, pending, held } = await readStats(service, webhook)
    expect([emitted, canceled, failed, pending + held]).toEqual([3, 1, 1, 1])
    expect(await retention.findOverdue()).toEqual([])
  }
})

it('rejects redelivery of deliveries older than the retention of events', async () => {
  const webhook = await makeWebhook(service)
  for (const [days, expected] of [
    [9, 202],
    [11, 409],
  ] as const) {
    const { id } = await makeDelivery(service, webhook, { at: daysAgo(days), status: 'failed' })
    const response = await service.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
    expect([days, response.status]).toEqual([days, expected])
  }
  expect(await countRows(service, webhook)).toEqual({ pending: 1, failed: 1 })
})

it('cancels pending deliveries of a deleted webhook in batches', async () => {
  const webhook = await makeWebhook(service)
  await makeManyDeliveries(service, webhook, 1_200, 'pending')
  await makeDelivery(service, webhook, { status: 'succeeded' })
  expect(await retention.findOverdue()).toEqual([])
  await remove(webhook)
  const [overdue] = await retention.findOverdue()
  expect(await retention.cancelSome(overdue!, firstId)).toEqual(expect.any(String))
  expect(await countRows(service, webhook)).toEqual({ pending: 200, canceled: 1_000, succeeded: 1 })
  expect(await getLane(webhook)).toEqual({ succeeded: 1, failed: 0, canceled: 1_000 })
  await Promise.all([retention.handle(), retention.handle(), retention.handle()])
  await retention.handle()
  expect(await countRows(service, webhook)).toEqual({ canceled: 1_200, succeeded: 1 })
  expect(await getLane(webhook)).toEqual({ succeeded: 1, failed: 0, canceled: 1_200 })
  const reasons = await service.db.query(
    `SELECT DISTINCT end_reason FROM deliveries WHERE webhook_id = $1 AND status = 'canceled'`,
    [webhook.uuid],
  )
  expect(reasons).toEqual([{ end_reason: 'webhook_deleted' }])
})

it('continues with other webhooks while the lane of one is locked', async () => {
  const [one, other] = [await makeWebhook(service), await makeWebhook(service)]
  for (const webhook of [one, other]) {
    await makeDelivery(service, webhook)
    await remove(webhook)
  }
  await duringTransaction(service, async (tx) => {
    await tx.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE', [one.uuid])
    await retention.handle()
    expect(await countRows(service, one)).toEqual({ pending: 1 })
    expect(await countRows(service, other)).toEqual({ canceled: 1 })
  })
  await retention.handle()
  expect(await countRows(service, one)).toEqual({ canceled: 1 })
})

it('deletes old hourly statistics and old finished replays', async () => {
  const webhook = await makeWebhook(service)
  await makeDelivery(service, webhook, { status: 'failed' })
  await service.db.query(
    `INSERT INTO lane_hours SELECT $1, date_trunc('hour', now()) - make_interval(days => n), 1, 1 FROM generate_series(0, 20) AS n`,
    [webhook.uuid],
  )
  const since = daysAgo(0.5).toISOString()
  for (let i = 0; i < 2; i++) {
    await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { body: { since } })
    await service.app.get(ReplayRunner, { strict: false }).runReplays()
    await service.db.query(`UPDATE deliveries SET status = 'failed' WHERE webhook_id = $1`, [webhook.uuid])
  }
  await service.db.query(
    `UPDATE replays SET finished_at = now() - interval '31 days' WHERE id = (SELECT id FROM replays ORDER BY id LIMIT 1)`,
  )
  await retention.handle()
  const [left] = await service.db.query(
    `SELECT (SELECT count(*)::int FROM replays) AS replays, (SELECT count(*)::int FROM lane_hours WHERE webhook_id = $1) AS hours`,
    [webhook.uuid],
  )
  expect(left).toEqual({ replays: 1, hours: 7 })
})

it('drops partitions a week after their retention ends, and keeps the counters', async () => {
  const webhook = await makeWebhook(service)
  for (const at of [daysAgo(40), daysAgo(11)]) {
    const event = await makeEvent(service, webhook, 'click', undefined, at)
    const attempts = [{ statusCode: 200 }]
    await makeDelivery(service, webhook, { eventId: event.uuid, status: 'succeeded', attempts, at })
  }
  await service.app.get(PartitionMaintenance, { strict: false }).maintainPartitions()
  expect(await countRows(service, webhook)).toEqual({ succeeded: 1 })
  expect(await getLane(webhook)).toMatchObject({ succeeded: 2 })
  const old = await service.db.query(
    `SELECT (SELECT count(*)::int FROM events WHERE workspace_id = $1) AS events, (SELECT count(*)::int FROM attempts) AS attempts`,
    [webhook.workspaceId],
  )
  expect(old).toEqual([{ events: 1, attempts: 1 }])
})

it('keeps the partitions of a pending delivery and of its attempts until the delivery ends', async () => {
  const at = daysAgo(47)
  await makePlaceAt(service, at)
  await makeDelivery(service, await makeWebhook(service), { at })
  const maintenance = service.app.get(PartitionMaintenance, { strict: false })
  const kept = async () => {
    const suffix = partitionsBetween(deliveryPartitions, at, at)[0]!.name.replace('deliveries', '')
    const rows = await service.db.query<{ name: string }>(
      'SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) ORDER BY 1',
      [['attempts', 'deliveries', 'events'].map((table) => table + suffix)],
    )
    return rows.map(({ name }) => name.replace(suffix, ''))
  }
  await maintenance.maintainPartitions()
  expect(await kept()).toEqual(['attempts', 'deliveries'])
  await retention.handle()
  await maintenance.maintainPartitions()
  expect(await kept()).toEqual([])
})
