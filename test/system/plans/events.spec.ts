/** Every combination of filters uses an index to read a page of 50,000 events. */
import { encodeId } from '../../../src/platform/database/ids.js'
import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { makeDeliveries, makeWebhook } from '../../support/factories/webhooks.js'

const eventCount = 50_000
const stepMs = 34_560 // 20 days in all, so that a page may need several partitions
const start = Date.now()

let service: Service
let statements: Statements
let link: string

beforeAll(async () => {
  service = await startService()
  // 100 events per transaction. One in ten is not a click, and one in 51 has no link.
  await service.db.query(
    `INSERT INTO events (id, workspace_id, tx, type, link_id, body)
     SELECT (lpad(to_hex($2::bigint + n * ${stepMs}), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       (SELECT id FROM workspaces), n / 100 + 1,
       CASE WHEN n % 10 > 0 THEN 'click' WHEN n % 20 = 0 THEN 'link.updated' ELSE 'link.created' END,
       CASE WHEN n % 51 > 0 THEN md5((n % 51)::text)::uuid END,
       json_build_object('id', 'evt_', 'type', 'click', 'timestamp', '2026-01-01T00:00:00.000Z', 'data', json_build_object('text', repeat('x', 500)))
     FROM generate_series(1, $1::bigint) AS n`,
    [eventCount, start],
  )
  await service.db.query(
    `INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
     SELECT md5(n::text)::uuid, (SELECT id FROM workspaces), n, '', '{}', 302, false, true, now(), now() FROM generate_series(1, 5000) AS n`,
  )
  await service.db.query('VACUUM (ANALYZE) events, links')
  statements = new Statements(service)
  const [row] = await service.db.query<{ id: string }>(`SELECT md5('7')::uuid AS id`)
  link = encodeId('lnk', row!.id)
}, 120_000)
afterAll(() => service.stop())

const at = (share: number) => encodeURIComponent(new Date(start + eventCount * stepMs * share).toISOString())

describe.each(['newest first', 'feed'])('the list of events (%s)', (order) => {
  it.each([
    '',
    'type=click',
    'type=link.updated',
    'link_id=LINK',
    'link_id=LINK&type=click',
    'link_id=LINK&type=link.updated',
    `created_after=${at(0.5)}`,
    `created_before=${at(0.5)}`,
    `created_after=${at(0.4)}&created_before=${at(0.6)}`,
    `type=link.created&created_after=${at(0.4)}&created_before=${at(0.6)}`,
    `link_id=LINK&created_after=${at(0.4)}`,
  ])('uses an index to read a page: %s', async (filter) => {
    const query = `limit=20&${filter.replace('LINK', link)}`
    const pages = [order === 'feed' ? 'after=' : '']
    for (let page = 0; page < 2; page++) {
      const path = `/v1/events?${query}&${pages[page]}`
      const { plans, result: response } = await statements.collectPlans(
        // The generated events lack the data of their type.
        () => service.call('GET', path, { undocumented: true }),
        /FROM events/,
      )
      expect(response.body.data).toHaveLength(20)
      expect(plans).toHaveLength(1)
      const [plan] = plans
      expect(plan!.scanned).toEqual([])
      expect(plan!.indexes).not.toEqual([])
      // No index has both fields, so the query filters rows of one index.
      const allowed = filter.includes('LINK&type') ? 5 : 1
      expect(plan!.rowsRead).toBeLessThan(200 * allowed)
      // The table has thousands of blocks.
      expect(plan!.blocks).toBeLessThan(300 * allowed)
      pages.push(`${order === 'feed' ? 'after' : 'cursor'}=${response.body.next_cursor}`)
    }
  })
})

it('uses an index to find the deliveries of an event', async () => {
  await makeDeliveries(service, await makeWebhook(service), 20_000)
  await service.db.query(
    'UPDATE deliveries SET event_id = (SELECT id FROM events LIMIT 1) WHERE id IN (SELECT id FROM deliveries LIMIT 3)',
  )
  await service.db.query('VACUUM (ANALYZE) deliveries')
  const [event] = await service.db.query<{ id: string }>('SELECT id FROM events LIMIT 1')
  const path = `/v1/events/${encodeId('evt', event!.id)}`
  const read = () => service.call('GET', path, { undocumented: true })
  const { plans, result: response } = await statements.collectPlans(read, /FROM (events|deliveries)/)
  expect(response.body.deliveries).toHaveLength(3)
  expect(plans).toHaveLength(2)
  for (const plan of plans) {
    expect(plan.indexes).not.toEqual([])
    expect(plan.blocks).toBeLessThan(50)
  }
}, 60_000)
