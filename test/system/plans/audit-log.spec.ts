/** Every filter of the audit log uses an index to read a page of 50,000 entries, even if only old entries match. */
import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
let statements: Statements
let oldToken: string

beforeAll(async () => {
  service = await startService()
  ;({ id: oldToken } = await service.mint())
  await service.db.query(
    `INSERT INTO audit_log (id, workspace_id, action, actor_token_id, object_type, object_id, details, occurred_at)
     SELECT (lpad(to_hex($1::bigint + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
       (SELECT id FROM workspaces), CASE WHEN n < 40 THEN 'link.deleted' ELSE 'link.updated' END,
       (SELECT id FROM tokens ORDER BY id OFFSET CASE WHEN n < 40 THEN 1 ELSE 0 END LIMIT 1), 'link', md5((n % 500)::text)::uuid, '{}', now()
     FROM generate_series(1, 50000) AS n`,
    [Date.now()],
  )
  await service.db.query('VACUUM (ANALYZE) audit_log')
  statements = new Statements(service)
}, 120_000)
afterAll(() => service.stop())

it.each<[string, () => string, number]>([
  ['no filter', () => '', 20],
  ['a common action', () => 'action=link.updated', 20],
  ['an action of old entries', () => 'action=link.deleted', 20],
  ['an action without entries', () => 'action=webhook.disabled', 0],
  ['a token of old entries', () => `token_id=${oldToken}`, 20],
  ['a token without entries', () => 'token_id=tok_01kaj3t2m8e9cs4p6r1w0q5yzd', 0],
  ['a malformed token', () => 'token_id=x', 0],
  ['an action and a token', () => `action=link.deleted&token_id=${oldToken}`, 20],
  ['an object without entries', () => 'object_id=lnk_01kaj3t2m8e9cs4p6r1w0q5yzd', 0],
])('reads few entries with %s', async (_, query, count) => {
  let cursor = ''
  for (let page = 0; page < (count > 0 ? 2 : 1); page++) {
    const read = () => service.call('GET', `/v1/audit-log?limit=20&${query()}${cursor}`)
    const { plans, result } = await statements.collectPlans(read, /FROM "audit_log"/)
    expect(result.body.data.length).toBeGreaterThanOrEqual(page === 0 ? count : Math.min(count, 19))
    expect(plans).toHaveLength(1)
    expect(plans[0]!.scanned).toEqual([])
    expect(plans[0]!.rowsRead).toBeLessThan(100)
    cursor = `&cursor=${result.body.next_cursor}`
  }
})
