/** Lists of a small workspace do not read the rows of large workspaces in the same database. */
import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { makeWebhook } from '../../support/factories/webhooks.js'

const rows = 12_000
const otherWorkspaces = 3

let service: Service
let statements: Statements
let link: string
let webhook: string

/** Inserts newer copies of one row of the table into the other workspaces. */
async function fill(table: string, columns: Record<string, string> = {}): Promise<void> {
  const newValues = {
    id: `lpad(to_hex(${Date.now()} + n * 100), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15)`,
    workspace_id: `(SELECT id FROM workspaces WHERE name = 'other' || n % ${otherWorkspaces})`,
    ...columns,
  }
  const pairs = Object.entries(newValues).map(([column, value]) => `'${column}', ${value}`)
  await service.db.query(
    `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table}, to_jsonb(template) || jsonb_build_object(${pairs.join(', ')}))).*
     FROM (SELECT * FROM ${table} LIMIT 1) AS template, generate_series(1, ${rows}) AS n`,
  )
}

beforeAll(async () => {
  // A worker would send statements of its own.
  service = await startService({ env: { ROLE: 'api' } })
  for (let i = 0; i < otherWorkspaces; i++) await service.addWorkspace(`other${i}`)
  webhook = (await makeWebhook(service)).id
  const { body } = await service.call('POST', '/v1/links', {
    body: { url: 'https://target.example/', tags: ['a'] },
  })
  link = body.id
  await service.db.query('DROP INDEX links_by_words')
  await fill('links', { slug: `'slug' || n` })
  await fill('events', {
    type: `CASE WHEN n % 100 = 0 THEN 'link.updated' ELSE 'click' END`,
    tx: 'n / 100',
    link_id: `md5((n % 50)::text)::uuid`,
  })
  await fill('audit_log')
  await fill('tokens', { hash: `sha256(n::text::bytea)` })
  await fill('webhooks')
  await service.db.query('VACUUM ANALYZE')
  statements = new Statements(service)
}, 120_000)
afterAll(() => service.stop())

it.each([
  '/links',
  '/links?sort=created_at',
  '/links?sort=-clicks',
  '/links?tag=a',
  '/links?enabled=false',
  '/links?created_after=2020-01-01T00:00:00Z',
  '/events',
  '/events?type=link.created',
  '/events?type=link.deleted',
  '/events?link_id=LINK',
  '/events?created_after=2020-01-01T00:00:00Z&created_before=2100-01-01T00:00:00Z',
  '/events?after=',
  '/events?after=&type=link.created',
  '/events?after=&type=link.deleted',
  '/events?after=&link_id=LINK',
  '/clicks?after=',
  '/clicks?after=&link_id=LINK',
  '/links/LINK/clicks',
  '/webhooks/WEBHOOK/deliveries',
  '/webhooks/WEBHOOK/deliveries?event=link.deleted',
  '/audit-log',
  '/audit-log?created_after=2020-01-01T00:00:00Z&created_before=2100-01-01T00:00:00Z',
  '/auth/tokens',
  '/webhooks',
])('reads fewer than 200 rows for %s', async (path) => {
  const filledPath = path.replace('LINK', link).replace('WEBHOOK', webhook)
  const list = () => service.call('GET', `/v1${filledPath}${filledPath.includes('?') ? '&' : '?'}limit=20`)
  const { plans, result } = await statements.collectPreparedPlans(list, /^\s*(SELECT|WITH) /)
  expect(result.status).toBe(200)
  expect(plans).not.toEqual([])
  for (const plan of plans) expect(plan.rowsRead).toBeLessThan(200)
})
