import { DataSource } from 'typeorm'

import { ReplayRunner } from '../../../src/deliveries/replay/replay-runner.js'
import { keepFarFromTheHour } from '../../support/rate-limits.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import {
  countRows,
  makeDelivery,
  makeManyDeliveries,
  makePlaceAt,
  makeWebhook,
  readStats,
} from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
})
afterAll(() => service.stop())
keepFarFromTheHour()

const minutesAway = (minutes: number) => new Date(Date.now() + minutes * 60_000)
const setLane = (webhook: MadeWebhook, column: string, value: unknown) =>
  service.db.query(`UPDATE lanes SET ${column} = $2 WHERE webhook_id = $1`, [webhook.uuid, value])

it('returns zeros for a new webhook', async () => {
  expect(await readStats(service, await makeWebhook(service))).toEqual({
    emitted: 0,
    succeeded: 0,
    pending: 0,
    held: 0,
    failed: 0,
    canceled: 0,
    attempts: 0,
    success_rate_24h: null,
    hours: expect.any(Array),
    latency_ms: { p50: null, p95: null, p99: null },
    next_attempt_at: null,
    circuit: 'closed',
    waiting_for: null,
  })
})

it('counts each status and excludes tests', async () => {
  const webhook = await makeWebhook(service)
  const failure = { errorClass: 'timeout', errorMessage: 'x' }
  await makeDelivery(service, webhook, { status: 'succeeded', attempts: [failure, { statusCode: 200 }] })
  await makeDelivery(service, webhook, { status: 'succeeded', attempts: [{ statusCode: 200 }] })
  await makeDelivery(service, webhook, { status: 'failed', attempts: [failure] })
  await makeDelivery(service, webhook, { status: 'canceled' })
  await makeDelivery(service, webhook, { attempts: [failure] })
  for (const status of ['succeeded', 'failed'] as const)
    await makeDelivery(service, webhook, { status, test: true, attempts: [{ statusCode: 200 }] })
  const counts = { emitted: 5, succeeded: 2, failed: 1, canceled: 1, attempts: 5 }
  expect(await readStats(service, webhook)).toMatchObject({ ...counts, pending: 1, held: 0 })
  await service.db.query(`UPDATE webhooks SET status = 'paused' WHERE id = $1`, [webhook.uuid])
  expect(await readStats(service, webhook)).toMatchObject({
    ...counts,
    pending: 0,
    held: 1,
    next_attempt_at: null,
  })
})

it('computes the success rate of the last 24 hours', async () => {
  const webhook = await makeWebhook(service)
  const hour = (ago: number, attempts: number, successes: number) =>
    service.db.query(
      `INSERT INTO lane_hours VALUES ($1, date_trunc('hour', now()) - make_interval(hours => $2), $3, $4)`,
      [webhook.uuid, ago, attempts, successes],
    )
  await hour(30, 1_000, 0)
  expect((await readStats(service, webhook)).success_rate_24h).toBeNull()
  await hour(0, 2, 1)
  await hour(20, 1, 1)
  expect((await readStats(service, webhook)).success_rate_24h).toBe(0.6667)
})

it('returns the last 24 hours, oldest first, with zeros for hours without attempts', async () => {
  const webhook = await makeWebhook(service)
  const other = await makeWebhook(service)
  const hour = ({ uuid }: { uuid: string }, ago: number, attempts: number, successes: number) =>
    service.db.query(
      `INSERT INTO lane_hours VALUES ($1, date_trunc('hour', now(), 'UTC') - make_interval(hours => $2), $3, $4)`,
      [uuid, ago, attempts, successes],
    )
  await hour(webhook, 0, 5, 3)
  await hour(webhook, 23, 7, 7)
  await hour(webhook, 24, 1_000, 0)
  await hour(other, 1, 50, 50)
  const { hours } = await readStats(service, webhook)
  expect(hours).toHaveLength(24)
  const starts = hours.map(({ start }) => Date.parse(start))
  for (const [i, start] of starts.entries()) expect(start - starts[0]!).toBe(i * 3_600_000)
  expect(new Date(starts[0]!).toISOString()).toMatch(/:00:00\.000Z$/)
  const counts = hours.map(({ succeeded, failed }) => [succeeded, failed])
  expect(counts).toEqual([[7, 0], ...Array.from({ length: 22 }, () => [0, 0]), [3, 2]])
})

it('computes the latency from the last attempts of the last 1,000 deliveries within 24 hours', async () => {
  const webhook = await makeWebhook(service)
  const attempt = (durationMs: number, startedAt = new Date()) => ({ statusCode: 200, durationMs, startedAt })
  const yesterday = minutesAway(-25 * 60)
  await makeDelivery(service, webhook, { status: 'succeeded', attempts: [attempt(9_999, yesterday)] })
  await makeDelivery(service, webhook, {
    status: 'succeeded',
    test: true,
    attempts: [attempt(7_777)],
  })
  expect((await readStats(service, webhook)).latency_ms).toEqual({ p50: null, p95: null, p99: null })
  const start = minutesAway(-5).getTime()
  await makePlaceAt(service, new Date(start))
  for (let i = 1; i <= 100; i++)
    await makeDelivery(service, webhook, {
      status: 'succeeded',
      at: new Date(start + i),
      attempts: [attempt(5_000), attempt(i)],
    })
  expect((await readStats(service, webhook)).latency_ms).toEqual({ p50: 50, p95: 95, p99: 99 })
  // With 949 deliveries without attempts, 51 of the others are among the last 1,000.
  await makeManyDeliveries(service, webhook, 949, 'succeeded')
  expect((await readStats(service, webhook)).latency_ms).toEqual({ p50: 75, p95: 98, p99: 100 })
})

describe('the next attempt and the circuit', () => {
  it.each([
    ['the circuit is closed', {}, 10, 'closed'],
    ['several attempts in a row failed', { probe_at: 20 }, 20, 'open'],
    ['a probe is due', { probe_at: -1 }, 10, 'half_open'],
    ['the receiver sent Retry-After', { paused_until: 30 }, 30, 'open'],
    ['the Retry-After is over', { paused_until: -1 }, 10, 'closed'],
    ['the circuit is open and the receiver sent Retry-After', { paused_until: 30, probe_at: 20 }, 30, 'open'],
  ])('are correct when %s', async (_, lane, expected, circuit) => {
    const webhook = await makeWebhook(service)
    const times = { 10: minutesAway(10), 20: minutesAway(20), 30: minutesAway(30), [-1]: minutesAway(-1) }
    await makeDelivery(service, webhook, { nextAttemptAt: minutesAway(15), attempts: [] })
    await makeDelivery(service, webhook, { nextAttemptAt: times[10] })
    for (const [column, minutes] of Object.entries(lane))
      await setLane(webhook, column, times[minutes as keyof typeof times])
    const stats = await readStats(service, webhook)
    expect(stats.circuit).toBe(circuit)
    expect(stats.next_attempt_at).toBe(times[expected as keyof typeof times].toISOString())
  })
})

it('emitted equals the sum of all statuses during deliveries, redeliveries and replays', async () => {
  const webhook = await makeWebhook(service)
  const count = 1_500
  await makeManyDeliveries(service, webhook, count, 'failed')
  const database = service.app.get(DataSource)
  const runner = service.app.get(ReplayRunner)
  const since = minutesAway(-60).toISOString()
  let isDone = false
  const repeat = async (work: () => Promise<unknown>) => {
    while (!isDone) await work()
  }

  /** Completes due deliveries with a random status and updates the counters in the same transaction, as a lane does. */
  const complete = () =>
    database.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE', [webhook.uuid])
      const status = ['succeeded', 'failed', 'canceled'][Math.floor(Math.random() * 3)]!
      const [, done]: [unknown, number] = await tx.query(
        `UPDATE deliveries SET status = $2, completed_at = now(), next_attempt_at = NULL
         WHERE webhook_id = $1 AND id IN (
           SELECT id FROM deliveries WHERE webhook_id = $1 AND status = 'pending' ORDER BY priority, next_attempt_at, id LIMIT 200
         )`,
        [webhook.uuid, status],
      )
      await tx.query(`UPDATE lanes SET ${status} = ${status} + $2 WHERE webhook_id = $1`, [
        webhook.uuid,
        done,
      ])
    })
  const redeliverSome = async () => {
    const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=20`)
    for (const { id } of body.data as { id: string }[]) {
      const { status } = await service.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
      expect(status).toBe(202)
    }
  }
  const replay = async () => {
    const { status } = await service.call('POST', `/v1/webhooks/${webhook.id}/replay`, {
      body: { since, status: 'all' },
    })
    expect(status).toBe(202)
    await runner.runStep()
  }

  const writers = [repeat(complete), repeat(redeliverSome), repeat(replay), repeat(() => runner.runStep())]
  const seen = new Set<string>()
  for (let i = 0; i < 150; i++) {
    const { emitted, succeeded, pending, held, failed, canceled } = await readStats(service, webhook)
    expect([emitted, succeeded + pending + held + failed + canceled]).toEqual([count, count])
    seen.add(JSON.stringify([succeeded, pending, failed, canceled]))
  }
  isDone = true
  await Promise.all(writers)
  // The numbers must have changed during the test.
  expect(seen.size).toBeGreaterThan(10)
  const { succeeded, pending, failed, canceled } = await readStats(service, webhook)
  const rows = { succeeded: 0, pending: 0, failed: 0, canceled: 0, ...(await countRows(service, webhook)) }
  expect({ succeeded, pending, failed, canceled }).toEqual(rows)
})
