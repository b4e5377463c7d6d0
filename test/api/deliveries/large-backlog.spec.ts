/** Requests for a webhook with a very large backlog do not read the backlog. */
import { DataSource } from 'typeorm'

import { CountDeliveries } from '../../../src/deliveries/count-deliveries.js'
import { Retention } from '../../../src/deliveries/retention.js'
import { Statements } from '../../support/plans.js'
import { countRounds } from '../../support/rounds.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { countRows, makeManyDeliveries, makeWebhook, readStats } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

const usualBacklog = 20_000
const backlog = countRounds(20_000_000, usualBacklog)
const maxRowsRead = 1_500
/** The limit for the full backlog requires an idle machine. The usual backlog checks the rows read instead. */
const callTimeoutMs = countRounds(200, 60_000)
/** Timeout for writing and counting all rows. */
const longestMs = 3_600_000

let service: Service
let webhook: MadeWebhook
let statements: Statements
beforeAll(async () => {
  service = await startService()
  webhook = await makeWebhook(service, { status: 'paused' })
  await withoutIndexes(() => makeManyDeliveries(service, webhook, backlog, 'pending'))
  await service.db.query('VACUUM ANALYZE')
  await warmUp()
  statements = new Statements(service)
}, longestMs)
afterAll(() => service.stop())

/** Drops indexes while `work` runs, because writing millions of rows is three times faster without them. */
async function withoutIndexes(work: () => Promise<void>): Promise<void> {
  const indexes = await service.db.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') AS definition
     FROM pg_index WHERE indrelid = 'deliveries'::regclass AND NOT indisprimary`,
  )
  for (const { name } of indexes) await service.db.query(`DROP INDEX ${name}`)
  await work()
  await service.db.query(`SET maintenance_work_mem = '512MB'`)
  for (const { definition } of indexes) await service.db.query(definition)
}

/** Makes the first requests, which compile code and open connections. */
async function warmUp(): Promise<void> {
  await service.addWorkspace('other')
  const { token } = await service.mint(undefined, 'other')
  const { id } = await makeWebhook(service, { workspace: 'other' })
  for (const status of ['paused', 'active'])
    expect((await service.call('PATCH', `/v1/webhooks/${id}`, { token, body: { status } })).status).toBe(200)
  expect((await service.call('GET', '/v1/webhooks', { token })).status).toBe(200)
}

/** Makes a request, and fails if it is slow or if a statement reads much of the backlog. */
async function callReadingFew(method: string, path: string, status: number, body?: unknown): Promise<any> {
  let took = 0
  const { plans, result } = await statements.collectPlans(async () => {
    const begun = performance.now()
    const response = await service.call(method, path, body === undefined ? {} : { body })
    took = performance.now() - begun
    return response
  }, /^\s*(SELECT|UPDATE)\b/)
  console.log(`${method} ${path}: ${took.toFixed(0)} ms`)
  expect(result.status).toBe(status)
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) expect(plan.rowsRead).toBeLessThan(maxRowsRead)
  expect(took).toBeLessThan(callTimeoutMs)
  return result.body
}

const path = (end = '') => `/v1/webhooks/${webhook.id}${end}`

/** Compares the counters of the lane with its rows. A deleted webhook has no statistics route. */
async function expectCountersMatchRows(): Promise<void> {
  const [row] = await service.db.query<{ counted: number; pending: number }>(
    `SELECT (emitted - succeeded - failed - canceled)::int AS counted,
       (SELECT count(*)::int FROM deliveries WHERE webhook_id = $1 AND status = 'pending') AS pending
     FROM lanes WHERE webhook_id = $1`,
    [webhook.uuid],
  )
  expect(row!.counted).toBe(row!.pending)
}

it('lists and reads the webhook with the number of held deliveries', async () => {
  const { data } = await callReadingFew('GET', '/v1/webhooks', 200)
  expect(data[0]).toMatchObject({ id: webhook.id, held: backlog, pending: 0 })
  expect(await callReadingFew('GET', path(), 200)).toMatchObject({ held: backlog, pending: 0 })
})

it('reads the statistics', async () => {
  expect(await callReadingFew('GET', path('/stats'), 200)).toMatchObject({ emitted: backlog, held: backlog })
})

it.each(['status=held', 'status=held&event=click', 'status=pending', 'status=canceled'])(
  'lists deliveries by %s',
  async (query) => {
    const { data } = await callReadingFew('GET', path(`/deliveries?limit=20&${query}`), 200)
    expect(data).toHaveLength(query.includes('held') ? 20 : 0)
  },
)

it('updates, resumes and pauses the webhook', async () => {
  const described = await callReadingFew('PATCH', path(), 200, { description: 'orders' })
  expect(described).toMatchObject({ held: backlog, pending: 0 })
  const resumed = await callReadingFew('PATCH', path(), 200, { status: 'active' })
  expect(resumed).toMatchObject({ held: 0, pending: backlog })
  expect(await readStats(service, webhook)).toMatchObject({ emitted: backlog, pending: backlog, held: 0 })
  await callReadingFew('PATCH', path(), 200, { status: 'paused' })
})

it('counts new deliveries before they are added to the lane', async () => {
  const create = () => service.call('POST', '/v1/links', { body: { url: 'https://example.com/' } })
  for (let i = 1; i <= 3; i++) {
    expect((await create()).status).toBe(201)
    expect(await readStats(service, webhook)).toMatchObject({ emitted: backlog + i, held: backlog + i })
  }
  const counting = new CountDeliveries(service.app.get(DataSource))
  const creating = Promise.all(Array.from({ length: 20 }, create))
  await Promise.all([counting.handle(), counting.handle(), creating])
  await counting.handle()
  expect(await service.db.query('SELECT FROM uncounted_deliveries')).toEqual([])
  expect(await readStats(service, webhook)).toMatchObject({ emitted: backlog + 23, held: backlog + 23 })
})

it(
  'deletes the webhook, and cancels deliveries in batches',
  async () => {
    await callReadingFew('DELETE', path(), 204)
    expect(await countRows(service, webhook)).toEqual({ pending: backlog + 23 })
    const retention = service.app.get(Retention, { strict: false })
    const [overdue] = await retention.findOverdue()
    expect(overdue).toMatchObject({ webhookId: webhook.uuid, reason: 'webhook_deleted' })
    let after = '00000000-0000-0000-0000-000000000000'
    for (let batch = 0; batch < 3; batch++) {
      const { plans, result } = await statements.collectPlans(
        () => retention.cancelSome(overdue!, after),
        /^\s*(SELECT|UPDATE)\b/,
      )
      for (const plan of plans) expect(plan.rowsRead).toBeLessThan(3_500)
      await expectCountersMatchRows()
      after = result!
    }
  },
  longestMs,
)

// A run cancels for at most 30 seconds, so the full backlog needs many runs.
const itForUsualBacklog = backlog === usualBacklog ? it : it.skip

itForUsualBacklog('cancels all deliveries of a deleted webhook', async () => {
  const retention = service.app.get(Retention, { strict: false })
  await retention.handle()
  expect(await countRows(service, webhook)).toEqual({ canceled: backlog + 23 })
  await expectCountersMatchRows()
  expect(await retention.findOverdue()).toEqual([])
})
