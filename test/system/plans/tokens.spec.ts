/** A list of tokens counts the tokens that each one created. */
import { Statements } from '../../support/plans.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

const tokenCount = 20_000

let service: Service
let statements: Statements

beforeAll(async () => {
  service = await startService()
  await service.db.query(
    `INSERT INTO tokens (id, workspace_id, name, scopes, hash, prefix, last4, created_by, created_at)
     SELECT gen_random_uuid(), workspace_id, 'created', scopes, sha256(n::text::bytea), prefix, last4, id, now()
     FROM tokens, generate_series(1, ${tokenCount}) AS n`,
  )
  await service.db.query('VACUUM ANALYZE tokens')
  statements = new Statements(service)
})
afterAll(() => service.stop())

it('reads few rows for a page of tokens when one token created 20,000 others', async () => {
  const { plans } = await statements.collectPlans(
    () => service.call('GET', '/v1/auth/tokens?limit=20'),
    /"tokens" "child"/,
  )
  expect(plans).toHaveLength(1)
  expect(plans[0]!.scanned).toEqual([])
  expect(plans[0]!.rowsRead).toBeLessThan(1_000)
})
