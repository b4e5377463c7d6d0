/** Statements about links use indexes and read few rows, with 100,000 links. */
import { Statements } from '../../support/plans.js'
import type { Plan } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { visit } from '../../support/factories/links.js'

const linkCount = 100_000

let service: Service
let statements: Statements

beforeAll(async () => {
  service = await startService()
  // Filling a search index row by row takes a minute, and building it a second.
  const searchIndexes = await service.db.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'links' AND indexdef LIKE '% gin %'`,
  )
  for (const { indexname } of searchIndexes) await service.db.query(`DROP INDEX ${indexname}`)
  // The links are one minute apart, so that a range of time is a range of IDs.
  await service.db.query(
    `INSERT INTO links (id, workspace_id, slug, url, title, tags, external_id, redirect_status, forward_query, enabled,
       expires_at, created_at, updated_at)
     SELECT (lpad(to_hex(1700000000000 + n * 60000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       (SELECT id FROM workspaces), 'slug' || n, 'https://www.example.com/articles/' || md5(n::text),
       'Title ' || md5((n * 7)::text) || CASE WHEN n = $1 / 2 THEN 'qz' ELSE '' END
         || CASE WHEN n <= $1 / 2 THEN ' older half' ELSE ' newer half' END,
       ARRAY['all', 'tag' || n % 1000] || CASE WHEN n % 9973 < 7 THEN ARRAY['few'] ELSE ARRAY[]::text[] END, CASE WHEN n % 2 = 0 THEN 'ext' || n END, 302, false, n % 500 <> 0, NULL,
       to_timestamp(1700000000 + n * 60), to_timestamp(1700000000 + n * 60)
     FROM generate_series(1, $1::bigint) AS n`,
    [linkCount],
  )
  for (const { indexdef } of searchIndexes) await service.db.query(indexdef)
  await service.db.query(
    `INSERT INTO link_counters
     SELECT id, workspace_id, CASE WHEN abs(hashtext(url)) % 10 > 0 THEN abs(hashtext(slug)) % 1000 ELSE 0 END, 0
     FROM links`,
  )
  await service.db.query('VACUUM ANALYZE')
  statements = new Statements(service)
}, 120_000)
afterAll(() => service.stop())

/** Returns the plans of the statements about links that a request sends. */
async function collectLinkPlans(request: () => Promise<{ status: number }>, status: number): Promise<Plan[]> {
  const about = /^\s*(SELECT|WITH) .*\b(links|link_counters|clicks)\b/s
  const { plans, result } = await statements.collectPlans(request, about)
  expect(result.status).toBe(status)
  return plans
}

const listIndexes = (plans: Plan[]) => plans.flatMap(({ indexes }) => indexes)
const rowsRead = (plans: Plan[]) => plans.reduce((sum, plan) => sum + plan.rowsRead, 0)

/** Returns the plans of the one or two statements that read a page. */
async function collectPagePlans(query: string): Promise<Plan[]> {
  const plans = await collectLinkPlans(() => list(query), 200)
  expect(plans.length).toBeGreaterThanOrEqual(1)
  expect(plans.length).toBeLessThanOrEqual(2)
  // For 10,000 of 100,000 links by clicks, PostgreSQL may prefer a scan of the whole table.
  const mayBeScanned = query.includes('sort=-clicks') ? ['links'] : []
  expect(plans.flatMap(({ scanned }) => scanned).filter((table) => !mayBeScanned.includes(table))).toEqual([])
  return plans
}

const middle = new Date(1700000000000 + (linkCount / 2) * 60_000).toISOString()
const list = (query: string) => service.call('GET', `/v1/links?${query}`)

describe.each(['-created_at', 'created_at', '-clicks'])('the list by %s', (sort) => {
  it.each([
    '',
    'enabled=true',
    'tag=all',
    'q=example',
    'q=example&tag=all&enabled=true',
    `created_after=${middle}`,
    `created_before=${middle}`,
    `q=example&created_before=${middle}`,
  ])('reads fewer than 500 rows for a filter that many links match: %s', async (filter) => {
    const query = `sort=${sort}&limit=20${filter && `&${filter}`}`
    const first = await list(query)
    expect(first.body.data).toHaveLength(20)
    for (const page of [query, `${query}&cursor=${first.body.next_cursor}`]) {
      const plans = await collectPagePlans(page)
      expect(plans).toHaveLength(1)
      expect(listIndexes(plans)).not.toContain('links_by_words')
      expect(rowsRead(plans)).toBeLessThan(500)
    }
  })

  it.each([
    ['q=slug99999', 1],
    ['q=nothing-has-this', 0],
    ['q=examplewww', 0],
    ['q=QZ', 1],
    ['q=wz', 0],
    ['q=z', 0],
    ['q=slug99999&tag=all', 1],
    ['tag=few', 20],
    ['tag=no-such-tag', 0],
    ['q=slug99999&tag=tag77', 0],
  ])('uses an index to find the links of a rare filter: %s', async (filter, found) => {
    const query = `sort=${sort}&limit=20&${filter}`
    expect((await list(query)).body.data).toHaveLength(found)
    const plans = await collectPagePlans(query)
    expect(listIndexes(plans)).toContain('links_by_words')
    // 10,000 links, possibly with their counters, and the rows that the index finds.
    const isShortByClicks = sort === '-clicks' && /q=.{1,2}$/.test(filter)
    expect(rowsRead(plans)).toBeLessThan(isShortByClicks ? 1.2 * linkCount : 50_000)
  })

  it.each([
    ['external_id=ext5000', 1],
    ['external_id=ext5001', 0],
    ['tag=tag77&external_id=ext77', 0],
    ['q=example&external_id=ext5000', 1],
  ])('finds a link by its external ID: %s', async (filter, found) => {
    const query = `sort=${sort}&limit=20&${filter}`
    expect((await list(query)).body.data).toHaveLength(found)
    const plans = await collectPagePlans(query)
    expect(listIndexes(plans)).toContain('links_external_id_key')
    expect(rowsRead(plans)).toBeLessThan(15)
  })

  it.each([
    'q=slug1',
    'tag=tag77',
    'q=example&tag=tag5',
    'q=/articles/0&enabled=true',
    'enabled=false',
    'tag=few',
    'q=older half',
    'q=newer half&enabled=true',
  ])('pages through all links of %s in order', async (filter) => {
    const expected = await service.db.query<{ slug: string }>(
      `SELECT slug FROM links LEFT JOIN link_counters ON link_id = id WHERE ${conditions[filter]} ORDER BY ${orders[sort]} LIMIT 350`,
    )
    const slugs: string[] = []
    for (let cursor = ''; slugs.length < expected.length;) {
      const { body } = await list(`sort=${sort}&limit=50&${filter}${cursor}`)
      slugs.push(...body.data.map(({ slug }: { slug: string }) => slug))
      if (!body.has_more) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(slugs).toEqual(expected.map(({ slug }) => slug))
  })
})

const orders: Record<string, string> = {
  '-created_at': 'id DESC',
  created_at: 'id',
  '-clicks': 'total DESC NULLS LAST, id DESC',
}
const conditions: Record<string, string> = {
  'q=slug1': `slug LIKE 'slug1%'`,
  'tag=tag77': `'tag77' = ANY(tags)`,
  'q=example&tag=tag5': `'tag5' = ANY(tags)`,
  'q=/articles/0&enabled=true': `url LIKE '%/articles/0%' AND enabled`,
  'enabled=false': 'NOT enabled',
  'q=older half': `title LIKE '%older half'`,
  'q=newer half&enabled=true': `title LIKE '%newer half' AND enabled`,
  // Some of these links are among the newest, and the others are old.
  'tag=few': `'few' = ANY(tags)`,
}

it('reads a link by its primary key', async () => {
  const { body } = await list('limit=1')
  const [plan] = await collectLinkPlans(() => service.call('GET', `/v1/links/${body.data[0].id}`), 200)
  expect(plan!.scanned).toEqual([])
  expect(plan!.rowsRead).toBeLessThanOrEqual(2)
})

it.each([
  ['slug77777', 302],
  ['no-such-slug', 404],
])('reads one index once for a redirect that is not cached: %s', async (slug, status) => {
  const plans = await collectLinkPlans(() => visit(service, slug, {}, 'HEAD'), status)
  expect(plans).toHaveLength(1)
  expect(plans[0]!.scanned).toEqual([])
  expect(plans[0]!.indexes).toEqual(['links_slug_key'])
  expect(plans[0]!.rowsRead).toBeLessThanOrEqual(1)
})

it('uses an index to read pages of clicks, and reads few rows', async () => {
  const { body } = await list('limit=1')
  const { id } = body.data[0]
  await service.db.query(
    `INSERT INTO clicks (id, workspace_id, link_id, tx, slug, url, occurred_at, bot)
     SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       l.workspace_id, l.id, n, l.slug, l.url, now(), false
     FROM generate_series(1, 20000::bigint) AS n JOIN LATERAL (SELECT * FROM links ORDER BY id DESC OFFSET n % 50 LIMIT 1) AS l ON true`,
  )
  await service.db.query('ANALYZE')
  for (const path of [`/v1/links/${id}/clicks`, '/v1/clicks', `/v1/clicks?link_id=${id}`]) {
    const plans = await collectLinkPlans(() => service.call('GET', path), 200)
    const plan = plans.at(-1)!
    expect(plan.scanned).toEqual([])
    expect(plan.rowsRead).toBeLessThan(2_000)
  }
}, 60_000)
