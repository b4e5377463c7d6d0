/** Statements about deliveries use indexes and read few rows, with 50,000 deliveries. */
import { DataSource } from 'typeorm'

import { createPartitions, partitionsBetween } from '../../../src/platform/database/partitions.js'
import { attemptPartitions } from '../../../src/deliveries/attempt.entity.js'
import { deliveryPartitions } from '../../../src/deliveries/delivery.entity.js'
import { ReplayRunner } from '../../../src/deliveries/replay/replay-runner.js'
import { Retention } from '../../../src/deliveries/retention.js'
import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { makeEvent, makeWebhook } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

const perWebhook = 12_500
const threeWeeksAgo = new Date(Date.now() - 21 * 86_400_000)
const [firstPartition] = partitionsBetween(deliveryPartitions, threeWeeksAgo, new Date())
/** In the middle of a partition, because PostgreSQL scans a partition with few rows instead of using an index. */
const begin = (firstPartition!.begin.getTime() + firstPartition!.end.getTime()) / 2
const msApart = Math.floor((Date.now() - begin) / perWebhook)

let service: Service
let webhook: MadeWebhook
let untried: MadeWebhook
let event: { id: string }
let statements: Statements

/** Inserts deliveries at regular intervals over about three weeks for each webhook. 97 % succeeded. */
const insertDeliveries = `
  INSERT INTO deliveries (webhook_id, id, event_id, event_type, status, priority, attempt_count, next_attempt_at, completed_at,
    last_error_class)
  SELECT webhook_id,
    (lpad(to_hex($2::bigint + n * ${msApart}), 12, '0') || '7' || substr(md5(webhook_id::text || n), 1, 3) || '8' || substr(md5(webhook_id::text || n), 4, 15))::uuid,
    md5('event' || n)::uuid, CASE WHEN n % 250 = 0 THEN 'link.deleted' ELSE 'click' END, status, 1,
    -- Most deliveries of the last webhook wait for their first attempt.
    CASE WHEN webhook_id = $1[4] AND n > 100 THEN 0 ELSE 1 END,
    CASE WHEN status = 'pending' THEN now() + interval '1 hour' END, CASE WHEN status <> 'pending' THEN now() END,
    CASE WHEN status = 'failed' THEN CASE WHEN n % 500 = 1 THEN 'timeout' ELSE 'http_status' END END
  FROM unnest($1::uuid[]) AS webhook_id, generate_series(1, ${perWebhook}::bigint) AS n,
    LATERAL (SELECT CASE n % 100 WHEN 1 THEN 'failed' WHEN 2 THEN 'canceled' WHEN 3 THEN 'pending' ELSE 'succeeded' END) AS of (status)`

beforeAll(async () => {
  service = await startService()
  webhook = await makeWebhook(service, { createdAt: new Date(begin) })
  const webhooks = [webhook.uuid]
  while (webhooks.length < 3) webhooks.push((await makeWebhook(service)).uuid)
  untried = await makeWebhook(service)
  webhooks.push(untried.uuid)
  const database = service.app.get(DataSource)
  await database.transaction(async (tx) => {
    for (const table of [deliveryPartitions, attemptPartitions])
      await createPartitions(tx, partitionsBetween(table, new Date(begin), new Date()))
  })
  await service.db.query(insertDeliveries, [webhooks, begin])
  await service.db.query(
    `INSERT INTO attempts (delivery_id, number, id, started_at, duration_ms, status_code, error_class, error_message,
       remote_address, request_headers, response_headers, response_body, response_truncated, timings)
     SELECT id, 1, gen_random_uuid(), now(), 20, 200, NULL, NULL, NULL, '{}', NULL, NULL, false, '{1,1,1,1,20}' FROM deliveries`,
  )
  event = await makeEvent(service, webhook)
  await service.db.query('VACUUM ANALYZE')
  const large = await service.db.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND reltuples > 1000`,
  )
  largeTables = new Set(large.map(({ name }) => name))
  statements = new Statements(service)
}, 120_000)
afterAll(() => service.stop())

/** Returns the plans of the statements about deliveries that `work` sends. */
const collectDeliveryPlans = async (work: () => Promise<unknown>) =>
  (await statements.collectPlans(work, /^\s*(WITH|SELECT|UPDATE)\b.*\bdeliveries\b/s)).plans

/** Tables and partitions with many rows. Small ones may be scanned, such as the partition of a day that has just begun. */
let largeTables: ReadonlySet<string>
const isLarge = (table: string) => largeTables.has(table)

async function expectFewRows(work: () => Promise<unknown>, maxRows: number): Promise<void> {
  const plans = await collectDeliveryPlans(work)
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) {
    expect(plan.scanned.filter(isLarge)).toEqual([])
    expect(plan.rowsRead).toBeLessThan(maxRows)
  }
}

const get = async (path: string) => {
  const response = await service.call('GET', path)
  expect(response.status).toBe(200)
  return response.body
}
const middle = new Date(begin + (perWebhook / 2) * msApart).toISOString()
const list = (query: string): Promise<any> => get(`/v1/webhooks/${webhook.id}/deliveries?limit=20&${query}`)

it.each([
  '',
  'status=succeeded',
  'status=failed',
  'status=canceled',
  'status=pending',
  'event=click',
  'event=link.deleted',
  'event=link.deleted&status=succeeded',
  'tried=true',
  'tried=true&status=failed',
  'tried=true&event=click',
  'tried=true&event=link.deleted',
  'error_class=http_status',
  'error_class=timeout',
  `tried=true&created_before=${middle}`,
  'error_class=timeout&status=failed',
  `created_after=${middle}`,
  `created_before=${middle}`,
  `created_before=${middle}&status=failed`,
])('uses an index to read the first and second page: %s', async (filter) => {
  const { data, next_cursor } = await list(filter)
  expect(data).toHaveLength(20)
  for (const query of [filter, `${filter}&cursor=${next_cursor}`])
    await expectFewRows(() => list(query), 2_000)
})

it('uses an index to find the few attempted deliveries behind a backlog', async () => {
  const path = `/v1/webhooks/${untried.id}/deliveries?limit=20&tried=true`
  expect((await get(path)).data).toHaveLength(20)
  await expectFewRows(() => get(path), 2_000)
})

it('uses an index to read the health of webhooks', async () => {
  // The webhooks, their lanes, and the first pending delivery of each partition.
  await expectFewRows(() => service.call('GET', '/v1/webhooks', { undocumented: true }), 100)
})

it.each(['status=held', 'event=webhook.test', 'event=click&status=held'])(
  'uses an index when no deliveries match: %s',
  async (filter) => {
    expect((await list(filter)).data).toEqual([])
    await expectFewRows(() => list(filter), 1_000)
  },
)

it('uses an index to read and redeliver one delivery', async () => {
  const { id } = (await list('status=failed')).data[0]
  const path = `/v1/webhooks/${webhook.id}/deliveries/${id}`
  // The delivery, its webhook, lane, attempts, and what the lane waits for.
  await expectFewRows(() => get(path), 20)
  await expectFewRows(() => service.call('POST', `${path}/redeliver`), 20)
})

it('reads only pending deliveries and the last 1,000 for statistics', async () => {
  // The test inserts deliveries without counting them, so a redelivery makes a counter negative.
  const path = `/v1/webhooks/${webhook.id}/stats`
  await expectFewRows(() => service.call('GET', path, { undocumented: true }), 5_000)
})

it.each([
  ['one webhook', '?webhook_id='],
  ['all webhooks', ''],
])('uses an index to explain the deliveries to %s', async (_, query) => {
  const path = `/v1/events/${event.id}/explain${query}${query && webhook.id}`
  const [plan] = await collectDeliveryPlans(() => get(path))
  // The table of events has one row and may be scanned.
  expect(plan!.scanned.filter((name) => isLarge(name) && !name.startsWith('events'))).toEqual([])
  // The partition of the current day is scanned while it is small.
  expect(plan!.rowsRead).toBeLessThan(1_100)
})

it.each([
  ['failed', 1_000],
  ['all', perWebhook * 1.1],
])(
  'uses an index to count a replay of %s deliveries, and reads few other rows per batch',
  async (status, maxRows) => {
    const body = { since: new Date(begin).toISOString(), status }
    const replay = async () => {
      const response = await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { body })
      expect(response.status).toBe(202)
      expect(response.body.deliveries).toBeGreaterThan(100)
    }
    const [count] = await collectDeliveryPlans(replay)
    expect(count!.rowsRead).toBeLessThan(maxRows)
    const runner = service.app.get(ReplayRunner, { strict: false })
    if (status === 'all') await runner.runStep()
    await expectFewRows(() => runner.runStep(), 4_000)
  },
)

it('uses an index to find that retention has nothing to delete', async () => {
  await expectFewRows(() => service.app.get(Retention, { strict: false }).findOverdue(), 100)
})
