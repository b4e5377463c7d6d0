/** The indexes of weeks that are over. */
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

/** Of one link each, in an order that is not that of their links. */
const spread = () =>
  service.db.query(
    `INSERT INTO clicks (id, tx, workspace_id, link_id, slug, url, occurred_at, bot)
     SELECT new_id(), 1, $1, md5(n::text)::uuid, 'a', 'https://example.com/', now(), false FROM generate_series(1, $2::int) AS n`,
    [world.links[0]!.workspaceId, clicks],
  )

const bytes = async () => {
  const [row] = await service.db.query<{ bytes: number }>(
    `SELECT sum(pg_relation_size(inhrelid))::int AS bytes FROM pg_inherits WHERE inhparent = 'clicks_by_link'::regclass`,
  )
  return row!.bytes
}
const countOfIndexes = async () =>
  (await service.db.query(`SELECT FROM pg_indexes WHERE tablename LIKE 'clicks%'`)).length

it('are rebuilt once, and take less', async () => {
  await spread()
  const before = await bytes()
  const indexes = await countOfIndexes()
  expect(await rebuildAll()).toBeGreaterThan(0)
  expect(await bytes()).toBeLessThan(before * 0.9)
  expect(await rebuildAll()).toBe(0)
  expect(await countOfIndexes()).toBe(indexes)
})

it('are left alone while the week is not over', async () => {
  await spread()
  const before = await bytes()
  while (await weeks.rebuildNext());
  expect(await bytes()).toBe(before)
})

it('are rebuilt again where that was killed, and nothing is left of it', async () => {
  await spread()
  const indexes = await countOfIndexes()
  const writer = service.app.get(DataSource).createQueryRunner()
  await writer.startTransaction()
  // Whoever rebuilds waits for the end of this transaction.
  await writer.query('LOCK TABLE clicks IN ROW EXCLUSIVE MODE')
  const killed = rebuildAll().catch((error: unknown) => error)
  const waiting = `application_name = 'link-service indexes' AND wait_event_type = 'Lock' AND datname = current_database()`
  await waitFor('the rebuilding to wait', async () => {
    return (await service.db.query(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).length > 0
  })
  await service.db.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waiting}`)
  expect(await killed).toMatchObject({ code: '57P01' })
  await writer.rollbackTransaction()
  await writer.release()
  expect(await countOfIndexes()).toBeGreaterThan(indexes)
  expect(await rebuildAll()).toBeGreaterThan(0)
  expect(await countOfIndexes()).toBe(indexes)
})
