/** The options of `token create` that restrict a token. */
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { spawnService, unusedConfigFolder } from '../../support/process.js'
import { encryptionKey, pepper } from '../../support/service.js'

let db: TestDatabase
beforeAll(async () => void (db = await createDatabase()))
afterAll(() => db.drop())

/** Uses an external database, because a command would start and stop an embedded one. */
async function run(...args: string[]) {
  const { gone, output, errors } = spawnService(args, {
    LOG_LEVEL: 'warn',
    DATA_DIR: unusedConfigFolder,
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    WORKSPACE_RATE_LIMIT: '100/1m',
  })
  return { code: await gone, out: output(), err: errors() }
}

const createToken = (...options: string[]) => run('token', 'create', '--name', 'ci', ...options)

const all = { allowed_ips: null, not_before: null, rate_limit: null, tags: null }

it.each([
  ['--allowed-ips', '203.0.113.0/24, 2001:db8::1', { allowed_ips: ['203.0.113.0/24', '2001:db8::1/128'] }],
  ['--not-before', '2026-03-01T00:00:00+01:00', { not_before: '2026-02-28T23:00:00.000Z' }],
  ['--rate-limit', '60/m', { rate_limit: '60/1m' }],
  ['--tags', 'partner, sale, partner', { tags: ['partner', 'sale'] }],
])('%s restricts the token', async (option, value, restriction) => {
  const printed = await createToken(option, value, '--json')
  expect(printed).toMatchObject({ code: 0, err: '' })
  expect(JSON.parse(printed.out).restrictions).toEqual({ ...all, ...restriction })
})

it('combines all restrictions, which token list shows', async () => {
  const created = await createToken(
    '--allowed-ips=198.51.100.7',
    '--not-before=2026-03-01T00:00:00Z',
    '--rate-limit=5/10s',
    '--tags=partner',
    '--json',
  )
  const { id, restrictions } = JSON.parse(created.out)
  expect(restrictions).toEqual({
    allowed_ips: ['198.51.100.7/32'],
    not_before: '2026-03-01T00:00:00.000Z',
    rate_limit: '5/10s',
    tags: ['partner'],
  })
  const { data } = JSON.parse((await run('token', 'list', '--json')).out)
  expect(data.find((each: any) => each.id === id).restrictions).toEqual(restrictions)
})

it('prints the restrictions as text', async () => {
  const { out } = await createToken('--tags', 'partner,sale', '--rate-limit', '60/1m')
  expect(out).toContain('restricted: rate_limit=60/1m tags=partner,sale\n')
})

it('creates a token without restrictions by default', async () => {
  expect(JSON.parse((await createToken('--json')).out).restrictions).toBeNull()
})

it.each([
  [
    '--allowed-ips',
    '203.0.113.0/33',
    /^--allowed-ips: Must be a list of 1 to 20 IP networks or addresses, such as /,
  ],
  ['--allowed-ips', '', /^--allowed-ips: Must be a list of 1 to 20 IP networks or addresses, such as /],
  ['--not-before', 'tomorrow', /^--not-before: Must be /],
  ['--rate-limit', '60/2h', /^--rate-limit: Must be a number of requests and a duration of at most 1h/],
  [
    '--rate-limit',
    '101/1m',
    /^--rate-limit: Must not exceed the limit of the workspace, 100 requests in 60 seconds/,
  ],
  ['--tags', '', /^--tags: Must /],
])('rejects %s %j with a one-line error', async (option, value, message) => {
  const { code, out, err } = await createToken(option, value)
  expect({ code, out }).toEqual({ code: 2, out: '' })
  expect(err).toMatch(message)
  expect(err.trim().split('\n')).toHaveLength(1)
})
