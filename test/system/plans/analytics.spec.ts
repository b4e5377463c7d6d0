/** Analytics of a week look up its counts in the primary key, and do not read the years before it. */
import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const days = 700
const keys = 200
/** An interval of a week may touch the day before it. */
const daysRead = 8

let service: Service
let statements: Statements

beforeAll(async () => {
  service = await startService()
  const [workspace] = await service.db.query<{ id: string }>(
    `SELECT id FROM workspaces WHERE name = 'default'`,
  )
  await service.db.query(
    `WITH subjects AS (
       SELECT $1::uuid AS subject UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 2)
     ), days AS (
       SELECT date_trunc('day', now(), 'UTC') - n * interval '1 day' AS day FROM generate_series(1, ${days}) AS n
     ), totals AS (
       INSERT INTO click_totals (subject, at, clicks, human) SELECT subject, day, 30, 30 FROM subjects, days
     ), by_day AS (
       INSERT INTO click_days (subject, day, clicks, human, visitors, own_values)
       SELECT subject, day, 30, 30, 20, '{}' FROM subjects, days
     )
     INSERT INTO click_counts (subject, at, dimension, grain, clicks, human, key)
     SELECT subject, day, 'browser', 'day', 1, 1, 'K' || n FROM subjects, days, generate_series(1, ${keys}) AS n`,
    [workspace!.id],
  )
  await service.db.query('VACUUM ANALYZE')
  statements = new Statements(service)
}, 120_000)
afterAll(() => service.stop())

it.each([
  ['group_by=browser', daysRead * keys],
  ['browser=K1&browser=K2&group_by=time&granularity=day', daysRead * keys],
  ['group_by=time&granularity=day', 0],
])('reads only the counts of the range: %s', async (query, counts) => {
  const { plans, result } = await statements.collectPlans(
    () => service.call('GET', `/v1/analytics?interval=7d&timezone=UTC&${query}`),
    /click_counts/,
  )
  expect(result.body.totals.clicks).toBeGreaterThan(0)
  expect(plans.length).toBeGreaterThan(0)
  for (const plan of plans) {
    expect(plan.scanned).toEqual([])
    // The counts by value, and the totals of the same days.
    expect(plan.rowsRead).toBeLessThanOrEqual(counts + 2 * daysRead + 10)
  }
})
