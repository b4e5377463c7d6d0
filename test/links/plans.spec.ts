/** With many links: the statements that the service really sends find their rows by an index, and read few of them. */
import { DataSource } from 'typeorm'

import { startService } from '../support/service.js'
import type { Service } from '../support/service.js'
import { visit } from './factory.js'

const linkCount = 100_000

let service: Service
const statements: { sql: string; values: unknown[] }[] = []

beforeAll(async () => {
  service = await startService()
  // Filling a search index row by row takes a minute, building it a second.
  const searchIndexes = await service.db.query<{ indexname: string; indexdef: string }>(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'links' AND indexdef LIKE '% gin %'`,
  )
  for (const { indexname } of searchIndexes) await service.db.query(`DROP INDEX ${indexname}`)
  // A link each minute, so that a range of time is a range of ids.
  await service.db.query(
    `INSERT INTO links
     SELECT (lpad(to_hex(1700000000000 + n * 60000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       (SELECT id FROM workspaces), 'slug' || n, 'https://www.example.com/articles/' || md5(n::text), 'Title ' || md5((n * 7)::text),
       ARRAY['all', 'tag' || n % 1000], CASE WHEN n % 2 = 0 THEN 'ext' || n END, 302, false, n % 500 <> 0, NULL,
       to_timestamp(1700000000 + n * 60), to_timestamp(1700000000 + n * 60)
     FROM generate_series(1, $1::bigint) AS n`,
    [linkCount],
  )
  for (const { indexdef } of searchIndexes) await service.db.query(indexdef)
  await service.db.query(
    `INSERT INTO link_counters SELECT id, workspace_id, abs(hashtext(slug)) % 1000, 0 FROM links`,
  )
  await service.db.query('ANALYZE')
  const database = service.app.get(DataSource)
  const logger = { logQuery: (sql: string, values: unknown[] = []) => statements.push({ sql, values }) }
  Object.assign(database, { logger: { ...silent, ...logger } })
}, 120_000)
afterAll(() => service.stop())

const nothing = () => undefined
const silent = {
  logQueryError: nothing,
  logQuerySlow: nothing,
  logSchemaBuild: nothing,
  logMigration: nothing,
  log: nothing,
}

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: Node[]
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** The plans of the statements about links that a request makes, as they run. */
async function plansOf(request: () => Promise<{ status: number }>, status: number): Promise<Node[][]> {
  statements.length = 0
  expect((await request()).status).toBe(status)
  const about = statements.filter(({ sql }) => /^SELECT .*"(links|link_counters|clicks)"/s.test(sql))
  const plans: Node[][] = []
  for (const { sql, values } of about) {
    const [row] = await service.db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
      values,
    )
    plans.push(nodesOf(row!['QUERY PLAN'][0].Plan))
  }
  return plans
}

function rowsRead(nodes: Node[]): number {
  return nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .reduce(
      (sum, node) =>
        sum +
        node['Actual Loops'] *
          (node['Actual Rows'] +
            (node['Rows Removed by Filter'] ?? 0) +
            (node['Rows Removed by Index Recheck'] ?? 0)),
      0,
    )
}

const indexesOf = (nodes: Node[]) => nodes.flatMap((node) => node['Index Name'] ?? [])
const kindsOf = (nodes: Node[]) => nodes.map((node) => node['Node Type'])

const middle = new Date(1700000000000 + (linkCount / 2) * 60_000).toISOString()
const list = (query: string) => service.call('GET', `/v1/links?${query}`)

describe.each([
  ['-created_at', /^links_by_workspace$|^links_pkey$/],
  ['created_at', /^links_by_workspace$|^links_pkey$/],
  ['-clicks', /^link_counters_by_total$/],
])('the list by %s', (sort, byIndex) => {
  it.each([
    '',
    'enabled=true',
    'tag=all',
    'q=example',
    `created_after=${middle}`,
    `created_before=${middle}`,
  ])('reads its pages in the order of an index, without sorting: %s', async (filter) => {
    const query = `sort=${sort}&limit=20${filter && `&${filter}`}`
    const first = await list(query)
    expect(first.body.data).toHaveLength(20)
    for (const page of [query, `${query}&cursor=${first.body.next_cursor}`]) {
      const [plan, ...more] = await plansOf(() => list(page), 200)
      expect(more).toEqual([])
      expect(kindsOf(plan!)).not.toContain('Seq Scan')
      // Sorted is what has been found by another index first; it may be as little as that.
      if (!filter) expect(kindsOf(plan!)).not.toContain('Sort')
      if (!filter) expect(indexesOf(plan!)).toContainEqual(expect.stringMatching(byIndex))
      // A text that stands in most links is searched for by its index all the same, and then sorted.
      if (!filter.startsWith('q=')) expect(rowsRead(plan!)).toBeLessThan(1_000)
      expect(indexesOf(plan!)).not.toEqual([])
    }
  })

  it.each([
    ['q=slug99999', 'links_by_text', 1],
    ['q=nothing-has-this', 'links_by_text', 0],
    ['tag=tag77', 'links_by_tag', 20],
    ['tag=no-such-tag', 'links_by_tag', 0],
    ['external_id=ext5000', 'links_external_id_key', 1],
    ['external_id=ext5001', 'links_external_id_key', 0],
    ['enabled=false', 'links_disabled', 20],
    ['tag=tag77&external_id=ext77', 'links_external_id_key', 0],
  ])('finds few among many by an index of theirs: %s', async (filter, index, found) => {
    const query = `sort=${sort}&limit=20&${filter}`
    expect((await list(query)).body.data).toHaveLength(found)
    const [plan] = await plansOf(() => list(query), 200)
    expect(kindsOf(plan!)).not.toContain('Seq Scan')
    // In the order that is wanted anyway it may also meet enough of them soon.
    if (found < 20) expect(indexesOf(plan!)).toContain(index)
    expect(rowsRead(plan!)).toBeLessThan(50_000)
  })
})

it('a link is read by its key', async () => {
  const { body } = await list('limit=1')
  const [plan] = await plansOf(() => service.call('GET', `/v1/links/${body.data[0].id}`), 200)
  expect(kindsOf(plan!)).not.toContain('Seq Scan')
  expect(rowsRead(plan!)).toBeLessThanOrEqual(2)
})

it.each([
  ['slug77777', 302],
  ['no-such-slug', 404],
])('a cold redirect is one look into one index: %s', async (slug, status) => {
  const plans = await plansOf(() => visit(service, slug, {}, 'HEAD'), status)
  expect(plans).toHaveLength(1)
  expect(kindsOf(plans[0]!)).toEqual(expect.arrayContaining([expect.stringMatching(/^Index (Only )?Scan$/)]))
  expect(kindsOf(plans[0]!)).not.toContain('Seq Scan')
  expect(indexesOf(plans[0]!)).toEqual(['links_slug_key'])
  expect(rowsRead(plans[0]!)).toBeLessThanOrEqual(1)
})

it('clicks and their feed are read by an index, and few of them', async () => {
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
    const plans = await plansOf(() => service.call('GET', path), 200)
    const plan = plans.at(-1)!
    // Partitions of other weeks are empty, and may be read as they are.
    const large = plan.filter((node) => node['Actual Rows'] > 0 || node['Rows Removed by Filter'])
    expect(kindsOf(large)).not.toContain('Seq Scan')
    expect(rowsRead(plan)).toBeLessThan(2_000)
  }
}, 60_000)
