/** The indexes of past weeks are rebuilt. */
import { DataSource } from 'typeorm'

import { ClosedWeeks } from '../../../src/clicks/maintenance/closed-weeks.js'
import { SETTINGS } from '../../../src/settings.js'
import { ClickWorld, dayMs, Random } from '../../support/click-world.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const clicks = 6_000

let service: Service
let world: ClickWorld
let weeks: ClosedWeeks
beforeEach(async () => {
  service = await startService()
  world = new ClickWorld(service, new Random(7))
  weeks = new ClosedWeeks(service.app.get(SETTINGS))
  await world.makeLinks(1)
})
afterEach(() => service.stop())

const later = () => Date.now() + 30 * dayMs

async function rebuildAll(): Promise<number> {
  let count = 0
  while (await weeks.rebuildNext(later())) count++
  return count
}

/** Inserts one click per link, in an order that differs from the order of the links. */
const insertClicks = () =>
  service.db.query(
    `INSERT INTO clicks (id, tx, workspace_id, link_id, slug, url, occurred_at, bot)
     SELECT new_id(), 1, $1, md5(n::text)::uuid, 'a', 'https://example.com/', now(), false FROM generate_series(1, $2::int) AS n`,
    [world.links[0]!.workspaceId, clicks],
  )

const indexBytes = async () => {
  const [row] = await service.db.query<{ bytes: number }>(
    `SELECT sum(pg_relation_size(inhrelid))::int AS bytes FROM pg_inherits WHERE inhparent = 'clicks_by_link'::regclass`,
  )
  return row!.bytes
}
const countIndexes = async () =>
  (await service.db.query(`SELECT FROM pg_indexes WHERE tablename LIKE 'clicks%'`)).length

it('rebuilds the indexes of a past week once, which makes them smaller', async () => {
  await insertClicks()
  const before = await indexBytes()
  const indexes = await countIndexes()
  expect(await rebuildAll()).toBeGreaterThan(0)
  expect(await indexBytes()).toBeLessThan(before * 0.9)
  expect(await rebuildAll()).toBe(0)
  expect(await countIndexes()).toBe(indexes)
})

it('does not rebuild the indexes of the current week', async () => {
  await insertClicks()
  const before = await indexBytes()
  while (await weeks.rebuildNext());
  expect(await indexBytes()).toBe(before)
})

it('rebuilds the indexes after a terminated attempt, and removes its leftovers', async () => {
  await insertClicks()
  const indexes = await countIndexes()
  const writer = service.app.get(DataSource).createQueryRunner()
  await writer.startTransaction()
  // The rebuild waits for the end of this transaction.
  await writer.query('LOCK TABLE clicks IN ROW EXCLUSIVE MODE')
  const killed = rebuildAll().catch((error: unknown) => error)
  const waiting = `application_name = 'link-service indexes' AND wait_event_type = 'Lock' AND datname = current_database()`
  await waitFor('the rebuild to wait', async () => {
    return (await service.db.query(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).length > 0
  })
  await service.db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waiting}`)
  expect(await killed).toMatchObject({ code: '57P01' })
  await writer.rollbackTransaction()
  await writer.release()
  expect(await countIndexes()).toBeGreaterThan(indexes)
  expect(await rebuildAll()).toBeGreaterThan(0)
  expect(await countIndexes()).toBe(indexes)
})
