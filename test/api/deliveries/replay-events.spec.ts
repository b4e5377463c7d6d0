/** Replays of events that a webhook never received, including those from before it was created. */
import { DataSource } from 'typeorm'
import type { QueryRunner } from 'typeorm'

import type { EventType } from '../../../src/events/catalog.js'
import { ReplayRunner } from '../../../src/deliveries/replay/replay-runner.js'
import { makeDelivery, makeEvent, makePlaceAt, makeWebhook } from '../../support/factories/deliveries.js'
import type { MadeWebhook, Stats } from '../../support/factories/deliveries.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let service: Service
let runner: ReplayRunner
beforeAll(async () => {
  service = await startService()
  runner = service.app.get(ReplayRunner, { strict: false })
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000)
let workspaces = 0
/** Creates a webhook in a workspace that contains only the events of one test. */
async function freshWebhook(fields: Parameters<typeof makeWebhook>[1] = {}) {
  const workspace = `replayed-${workspaces++}`
  await service.addWorkspace(workspace)
  const { token } = await service.mint(undefined, workspace)
  const webhook = await makeWebhook(service, { workspace, ...fields })
  const replay = (body: object = {}, headers: Record<string, string> = {}) =>
    service.call('POST', `/v1/webhooks/${webhook.id}/replay`, {
      token,
      headers,
      body: { since: '1h', from: 'events', ...body },
    })
  const stats = async () => {
    const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/stats`, { token })
    return body as Stats
  }
  return { webhook, replay, stats, token }
}
/** Creates events of these ages in minutes, and returns their IDs, oldest first. */
async function makeEventsAt(webhook: MadeWebhook, type: EventType, ...ages: number[]) {
  const uuids = new Map<number, string>()
  for (const age of ages) {
    await makePlaceAt(service, minutesAgo(age))
    uuids.set(age, (await makeEvent(service, webhook, type, undefined, minutesAgo(age))).uuid)
  }
  return [...uuids].sort(([a], [b]) => b - a).map(([, uuid]) => uuid)
}
const unfinished = async () =>
  (await service.db.query('SELECT id FROM replays WHERE finished_at IS NULL')).length
/** Runs all replays. Replays also wait for older transactions. */
const runAll = () =>
  waitFor('the replays to end', async () => {
    await runner.runReplays()
    return (await unfinished()) === 0
  })
/** Returns the events of a webhook's deliveries in the order of sending. */
const deliveredEvents = async ({ uuid }: MadeWebhook): Promise<string[]> => {
  const rows = await service.db.query<{ event_id: string }>(
    'SELECT event_id FROM deliveries WHERE webhook_id = $1 ORDER BY priority, next_attempt_at, id',
    [uuid],
  )
  return rows.map(({ event_id }) => event_id)
}

it('delivers subscribed events from before the webhook was created, oldest first', async () => {
  const { webhook, replay, stats } = await freshWebhook({ events: ['link.created', 'link.deleted'] })
  const created = await makeEventsAt(webhook, 'link.created', 10, 50, 30)
  await makeEventsAt(webhook, 'link.updated', 20)
  await makeEvent(service, await makeWebhook(service, { workspace: 'other' }), 'link.created')
  const { status, body } = await replay()
  expect([status, body]).toEqual([202, { deliveries: 3, note: null }])
  expect(await deliveredEvents(webhook)).toEqual([])
  await runAll()
  expect(await deliveredEvents(webhook)).toEqual(created)
  expect(await stats()).toMatchObject({ emitted: 3, pending: 3 })
})

it('skips events that have a delivery, and does nothing the second time', async () => {
  const { webhook, replay } = await freshWebhook()
  const [oldest, middle, newest] = await makeEventsAt(webhook, 'link.created', 30, 20, 10)
  await makeDelivery(service, webhook, { eventId: middle!, status: 'failed', at: minutesAgo(20) })
  expect((await replay()).body.deliveries).toBe(2)
  await runAll()
  expect((await replay()).body.deliveries).toBe(0)
  await runAll()
  expect((await deliveredEvents(webhook)).filter((id) => id !== middle)).toEqual([oldest, newest])
})

it('skips tests of other webhooks and events of tokens, which * does not include', async () => {
  const { webhook, replay } = await freshWebhook({ events: ['*'] })
  await makeEvent(service, webhook, 'webhook.test')
  await makeEvent(service, webhook, 'token.created')
  const own = await makeEvent(service, webhook, 'webhook.failing', { webhook: { id: webhook.id } })
  expect((await replay()).body.deliveries).toBe(1)
  await runAll()
  expect(await deliveredEvents(webhook)).toEqual([own.uuid])
})

it('notes that clicks without events are not included', async () => {
  const { replay } = await freshWebhook({ events: ['click', 'link.created'] })
  expect((await replay()).body).toEqual({ deliveries: 0, note: expect.stringContaining('in the click list') })
  expect((await replay({ events: ['link.created'] })).body).toEqual({ deliveries: 0, note: null })
  await runAll()
})

it('rejects a type that the webhook does not subscribe to', async () => {
  const { replay } = await freshWebhook({ events: ['click'] })
  const { status, body } = await replay({ events: ['click', 'link.created'] })
  expect([status, body.errors]).toEqual([
    422,
    [expect.objectContaining({ pointer: '/events', code: 'not_subscribed' })],
  ])
})

it('skips types that the webhook unsubscribes from before the replay runs', async () => {
  const { webhook, replay, token } = await freshWebhook({ events: ['link.created', 'link.deleted'] })
  const created = await makeEventsAt(webhook, 'link.created', 20)
  await makeEventsAt(webhook, 'link.deleted', 10)
  expect((await replay()).body.deliveries).toBe(2)
  const body = { events: ['link.created'] }
  expect((await service.call('PATCH', `/v1/webhooks/${webhook.id}`, { token, body })).status).toBe(200)
  await runAll()
  expect(await deliveredEvents(webhook)).toEqual(created)
})

it('accepts times and ages, both inclusive', async () => {
  const { webhook, replay } = await freshWebhook()
  await makeEventsAt(webhook, 'link.created', 150, 90, 30, 1)
  const counts: number[] = []
  for (const range of [
    { since: '3h' },
    { since: '2h' },
    { since: '2h', until: '45m' },
    { since: minutesAgo(45).toISOString() },
  ])
    counts.push((await replay({ ...range, dry_run: true })).body.deliveries)
  expect(counts).toEqual([4, 3, 1, 2])
  expect(await unfinished()).toBe(0)
  await runner.runReplays()
  expect(await deliveredEvents(webhook)).toEqual([])
})

it('creates one replay for a repeated Idempotency-Key', async () => {
  const { webhook, replay } = await freshWebhook()
  await makeEventsAt(webhook, 'link.created', 5)
  const key = { 'idempotency-key': 'a-key' }
  const responses = [await replay({}, key), await replay({}, key)]
  expect(responses.map(({ status, body }) => [status, body.deliveries])).toEqual([
    [202, 1],
    [202, 1],
  ])
  const rows = await service.db.query('SELECT FROM replays WHERE webhook_id = $1', [webhook.uuid])
  expect(rows).toHaveLength(1)
  await runAll()
})

it.each([
  ['holds the deliveries to a paused webhook', 'paused', null],
  ['creates no deliveries to a deleted webhook', 'active', new Date()],
] as const)('%s', async (_, status, deletedAt) => {
  const { webhook, replay, stats } = await freshWebhook()
  await makeEventsAt(webhook, 'link.created', 5)
  await replay()
  await service.db.query('UPDATE webhooks SET status = $2, deleted_at = $3 WHERE id = $1', [
    webhook.uuid,
    status,
    deletedAt,
  ])
  await runAll()
  expect(await deliveredEvents(webhook)).toHaveLength(deletedAt ? 0 : 1)
  if (!deletedAt) expect(await stats()).toMatchObject({ emitted: 1, held: 1, pending: 0 })
})

/** Inserts enough events for several batches. */
async function makeManyEvents({ workspaceId }: MadeWebhook, count: number): Promise<void> {
  await service.db.query(
    `INSERT INTO events (tx, id, workspace_id, type, body)
     SELECT pg_current_xact_id()::text::bigint, new_id(), $1, 'link.created', '{}' FROM generate_series(1, $2::int)`,
    [workspaceId, count],
  )
}
const findDuplicates = ({ uuid }: MadeWebhook) =>
  service.db.query('SELECT FROM deliveries WHERE webhook_id = $1 GROUP BY event_id HAVING count(*) > 1', [
    uuid,
  ])

it('delivers each event once with overlapping replays and concurrent runners', async () => {
  const { webhook, replay, stats } = await freshWebhook()
  await makeManyEvents(webhook, 3_500)
  for (let i = 0; i < 3; i++) expect((await replay()).body.deliveries).toBe(3_500)
  await waitFor('the replays to end', async () => {
    await Promise.all([1, 2, 3, 4].map(() => runner.runReplays()))
    return (await unfinished()) === 0
  })
  expect(await stats()).toMatchObject({ emitted: 3_500, pending: 3_500 })
  expect(await findDuplicates(webhook)).toEqual([])
})

it('delivers all events after a runner dies in the middle of a batch', async () => {
  const { webhook, replay, stats } = await freshWebhook()
  await makeManyEvents(webhook, 2_500)
  await replay()
  await waitFor('the first batch', () => runner.runStep())
  expect(await deliveredEvents(webhook)).toHaveLength(1_000)
  // A locked lane stops the runner after it has claimed the replay.
  const holder: QueryRunner = service.app.get(DataSource).createQueryRunner()
  await holder.startTransaction()
  await holder.query('SELECT 1 FROM lanes WHERE webhook_id = $1 FOR UPDATE', [webhook.uuid])
  const killed = runner.runReplays().catch((error: unknown) => error)
  const pid = await waitFor('a connection to wait for the lane', async () => {
    const [row] = await service.db.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return row?.pid
  })
  expect(await runner.runStep()).toBe(false)
  await service.db.query('SELECT pg_terminate_backend($1)', [pid])
  expect(await killed).toMatchObject({ message: expect.stringContaining('terminat') })
  await holder.rollbackTransaction()
  await holder.release()
  await runAll()
  expect(await stats()).toMatchObject({ emitted: 2_500, pending: 2_500 })
  expect(await findDuplicates(webhook)).toEqual([])
})

it('waits for older transactions, so that it misses no event', async () => {
  const { webhook, replay } = await freshWebhook()
  const older: QueryRunner = service.app.get(DataSource).createQueryRunner()
  await older.startTransaction()
  await older.query(
    `INSERT INTO events (tx, id, workspace_id, type, body)
     VALUES (pg_current_xact_id()::text::bigint, new_id(), $1, 'link.created', '{}')`,
    [webhook.workspaceId],
  )
  expect((await replay()).body.deliveries).toBe(0)
  expect(await runner.runStep()).toBe(false)
  expect(await unfinished()).toBe(1)
  await older.commitTransaction()
  await older.release()
  await runAll()
  expect(await deliveredEvents(webhook)).toHaveLength(1)
})

it('does not delay a replay of deliveries while it waits', async () => {
  const { webhook, replay, stats } = await freshWebhook()
  await makeDelivery(service, webhook, { status: 'failed', at: minutesAgo(5) })
  const older: QueryRunner = service.app.get(DataSource).createQueryRunner()
  await older.startTransaction()
  await older.query('SELECT pg_current_xact_id()')
  await replay()
  expect((await replay({ from: 'deliveries' })).body.deliveries).toBe(1)
  await runner.runReplays()
  expect(await unfinished()).toBe(1)
  expect(await stats()).toMatchObject({ pending: 1, failed: 0 })
  await older.commitTransaction()
  await older.release()
  await runAll()
})
