import { DataSource } from 'typeorm'
import type { QueryRunner } from 'typeorm'

import { LaneWaker } from '../../../src/deliveries/pending-deliveries.js'
import { ReplayJob, ReplayRunner } from '../../../src/deliveries/replay/replay-runner.js'
import { ReplaysRepository } from '../../../src/deliveries/replay/replays.repository.js'
import { JobQueue } from '../../../src/platform/queue/job-queue.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
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
let runner: ReplayRunner
const woken: string[] = []
const queued: string[] = []
beforeAll(async () => {
  service = await startService()
  runner = service.app.get(ReplayRunner, { strict: false })
  const waker = service.app.get(LaneWaker, { strict: false })
  Object.assign(waker, { wake: (ids: readonly string[]) => void woken.push(...ids) })
  const queue = service.app.get(JobQueue, { strict: false })
  const addHints: JobQueue['addHints'] = (_name, payloads) =>
    void queued.push(...payloads.flatMap((payload) => Object.values(payload)))
  Object.assign(queue, { addHints })
})
afterAll(() => service.stop())
beforeEach(() => {
  woken.length = queued.length = 0
})

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const replay = (webhook: MadeWebhook, body: object = {}): Promise<ServiceResponse> =>
  service.call('POST', `/v1/webhooks/${webhook.id}/replay`, {
    body: { since: minutesAgo(60).toISOString(), ...body },
  })
const getDeliveryStatus = async (uuid: string) => {
  const [row] = await service.db.query<{ status: string }>('SELECT status FROM deliveries WHERE id = $1', [
    uuid,
  ])
  return row!.status
}
/** Waits until a connection is blocked by a row lock, and returns its process ID. */
const waitForLock = () =>
  waitFor('a connection to wait for a row lock', async () => {
    const [row] = await service.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return row?.pid
  })
const unfinished = async () =>
  (await service.db.query('SELECT id FROM replays WHERE finished_at IS NULL')).length

describe('a replay', () => {
  const statuses = ['succeeded', 'failed', 'canceled', 'pending'] as const
  it.each([
    [{}, ['failed']],
    [{ status: 'failed' }, ['failed']],
    [{ status: 'all' }, ['succeeded', 'failed', 'canceled']],
    [{ events: ['click'] }, ['failed']],
    [{ events: ['click', 'link.created'], status: 'all' }, ['succeeded', 'failed', 'canceled']],
    [{ events: ['link.created'], status: 'all' }, []],
  ])('with %j redelivers %j', async (body, expected) => {
    const webhook = await makeWebhook(service)
    const ids = new Map<string, string>()
    for (const status of statuses) ids.set(status, (await makeDelivery(service, webhook, { status })).uuid)
    await makeDelivery(service, webhook, { status: 'failed', test: true })
    const response = await replay(webhook, body)
    expect([response.status, response.body]).toEqual([202, { deliveries: expected.length, note: null }])
    await runner.runReplays()
    for (const [status, uuid] of ids)
      expect([status, await getDeliveryStatus(uuid)]).toEqual([
        status,
        expected.includes(status) ? 'pending' : status,
      ])
    expect(woken).toEqual(expected.length > 0 ? [webhook.uuid] : [])
    expect(await readStats(service, webhook)).toMatchObject({ emitted: 4, pending: 1 + expected.length })
    const tests = await service.db.query('SELECT status FROM deliveries WHERE test AND webhook_id = $1', [
      webhook.uuid,
    ])
    expect(tests).toEqual([{ status: 'failed' }])
  })

  it('redelivers deliveries from since to until inclusive, and none created later', async () => {
    const webhook = await makeWebhook(service)
    const ends = [minutesAgo(20), minutesAgo(10)] as const
    const outside = [new Date(ends[0].getTime() - 1), new Date(ends[1].getTime() + 1)]
    const times = [...ends, ...outside]
    await makePlaceAt(service, outside[0]!)
    const ids: string[] = []
    for (const at of times) ids.push((await makeDelivery(service, webhook, { status: 'failed', at })).uuid)
    const [since, until] = ends.map((time) => time.toISOString())
    expect((await replay(webhook, { since, until })).body).toEqual({ deliveries: 2, note: null })
    await runner.runReplays()
    const found: string[] = []
    for (const uuid of ids) found.push(await getDeliveryStatus(uuid))
    expect(found).toEqual(['pending', 'pending', 'failed', 'failed'])
    expect((await replay(webhook)).body).toEqual({ deliveries: 2, note: null })
    const later = await makeDelivery(service, webhook, { status: 'failed', at: new Date(Date.now() + 1_000) })
    await runner.runReplays()
    expect(await getDeliveryStatus(later.uuid)).toBe('failed')
  })

  it('skips deliveries older than the retention of events', async () => {
    const webhook = await makeWebhook(service)
    const at = minutesAgo(31 * 1_440)
    await makePlaceAt(service, at)
    await makeDelivery(service, webhook, { status: 'failed', at })
    expect((await replay(webhook, { since: '2001-01-01T00:00:00Z' })).body).toEqual({
      deliveries: 0,
      note: null,
    })
    expect(queued).toEqual([])
    expect(await unfinished()).toBe(0)
  })

  it('to a paused webhook holds the deliveries and wakes no worker', async () => {
    const webhook = await makeWebhook(service, { status: 'paused' })
    await makeManyDeliveries(service, webhook, 3)
    expect((await replay(webhook)).body).toEqual({ deliveries: 3, note: null })
    await runner.runReplays()
    expect(await readStats(service, webhook)).toMatchObject({ emitted: 3, held: 3, pending: 0, failed: 0 })
    expect(woken).toEqual([])
  })

  it('sends nothing once its webhook is deleted', async () => {
    const webhook = await makeWebhook(service)
    await makeManyDeliveries(service, webhook, 3)
    await replay(webhook)
    await service.db.query('UPDATE webhooks SET deleted_at = now() WHERE id = $1', [webhook.uuid])
    await runner.runReplays()
    expect(await countRows(service, webhook)).toEqual({ failed: 3 })
    expect(await unfinished()).toBe(0)
  })
})

it('sends nothing for a dry run or for a repeated Idempotency-Key', async () => {
  const webhook = await makeWebhook(service)
  await makeManyDeliveries(service, webhook, 3)
  expect((await replay(webhook, { since: '1h', dry_run: true })).body).toEqual({ deliveries: 3, note: null })
  expect([await unfinished(), queued]).toEqual([0, []])
  const send = () =>
    service.call('POST', `/v1/webhooks/${webhook.id}/replay`, {
      body: { since: '1h' },
      headers: { 'idempotency-key': 'once' },
    })
  const [first, second] = [await send(), await send()]
  expect([second.status, second.body]).toEqual([202, first.body])
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect([await unfinished(), queued]).toEqual([1, [expect.any(String)]])
  await runner.runReplays()
  expect(await countRows(service, webhook)).toEqual({ pending: 3 })
})

describe('a replay of thousands of deliveries', () => {
  it('runs in batches, oldest first, and restarts their schedules', async () => {
    const webhook = await makeWebhook(service)
    await makeManyDeliveries(service, webhook, 5_000)
    expect((await replay(webhook)).body).toEqual({ deliveries: 5_000, note: null })
    expect(await countRows(service, webhook)).toEqual({ failed: 5_000 })
    expect(await runner.runStep()).toBe(true)
    expect(await countRows(service, webhook)).toEqual({ pending: 500, failed: 4_500 })
    const [order] = await service.db.query<{ isOldestFirst: boolean }>(
      `SELECT max(id::text) FILTER (WHERE status = 'pending') < min(id::text) FILTER (WHERE status = 'failed') AS "isOldestFirst"
       FROM deliveries WHERE webhook_id = $1`,
      [webhook.uuid],
    )
    expect(order!.isOldestFirst).toBe(true)
    await new ReplayJob(
      service.app.get(DataSource),
      runner,
      service.app.get(ReplaysRepository, { strict: false }),
    ).handle({ replayId: queued[0]! })
    expect(await countRows(service, webhook)).toEqual({ pending: 5_000 })
    expect(await readStats(service, webhook)).toMatchObject({ emitted: 5_000, pending: 5_000, failed: 0 })
    expect(await runner.runStep()).toBe(false)
    const wrongRows = await service.db.query(
      `SELECT id FROM deliveries WHERE webhook_id = $1
       AND (priority <> 2 OR next_attempt_at IS NULL OR completed_at IS NOT NULL OR schedule_start <> attempt_count)`,
      [webhook.uuid],
    )
    expect(wrongRows).toEqual([])
  })

  it('is run once by concurrent runners', async () => {
    const webhooks: MadeWebhook[] = []
    for (let i = 0; i < 3; i++) {
      const webhook = await makeWebhook(service)
      webhooks.push(webhook)
      await makeManyDeliveries(service, webhook, 2_000)
      await replay(webhook)
      // Overlaps with the first replay and has the same count.
      expect((await replay(webhook, { status: 'all' })).body).toEqual({ deliveries: 2_000, note: null })
    }
    await Promise.all([1, 2, 3, 4].map(() => runner.runReplays()))
    await runner.runReplays()
    expect(await unfinished()).toBe(0)
    for (const webhook of webhooks)
      expect(await readStats(service, webhook)).toMatchObject({ emitted: 2_000, pending: 2_000, failed: 0 })
  })

  it('is completed after its runner dies in the middle of a batch', async () => {
    const webhook = await makeWebhook(service)
    await makeManyDeliveries(service, webhook, 1_700)
    await replay(webhook)
    await runner.runStep()
    // A locked row stops the runner after it has locked the replay and the lane.
    const holder: QueryRunner = service.app.get(DataSource).createQueryRunner()
    await holder.startTransaction()
    await holder.query(
      `SELECT 1 FROM deliveries WHERE webhook_id = $1 AND status = 'failed' ORDER BY id LIMIT 1 FOR UPDATE`,
      [webhook.uuid],
    )
    const killed = runner.runReplays().catch((error: unknown) => error)
    const pid = await waitForLock()
    expect(await runner.runStep()).toBe(false)
    await service.db.query('SELECT pg_terminate_backend($1)', [pid])
    expect(await killed).toMatchObject({ message: expect.stringContaining('terminat') })
    await holder.rollbackTransaction()
    await holder.release()
    expect(await countRows(service, webhook)).toEqual({ pending: 500, failed: 1_200 })
    await runner.runReplays()
    expect(await readStats(service, webhook)).toMatchObject({ emitted: 1_700, pending: 1_700, failed: 0 })
  })

  it('locks the lane before any delivery', async () => {
    const webhook = await makeWebhook(service)
    await makeManyDeliveries(service, webhook, 10)
    await replay(webhook)
    let running: Promise<void> | undefined
    await duringTransaction(service, async (tx) => {
      await tx.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE', [webhook.uuid])
      running = runner.runReplays()
      await waitForLock()
      await tx.query('SELECT 1 FROM deliveries WHERE webhook_id = $1 FOR UPDATE NOWAIT', [webhook.uuid])
    })
    await running
    expect(await countRows(service, webhook)).toEqual({ pending: 10 })
  })

  it('skips deliveries that were redelivered before the replay runs', async () => {
    const webhook = await makeWebhook(service)
    await makeManyDeliveries(service, webhook, 10)
    await replay(webhook)
    const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries?limit=1`)
    const { id } = body.data[0]
    await service.call('POST', `/v1/webhooks/${webhook.id}/deliveries/${id}/redeliver`)
    await runner.runReplays()
    expect(await readStats(service, webhook)).toMatchObject({ emitted: 10, pending: 10, failed: 0 })
  })
})
