/** Checks of cached tokens and sessions and of malformed tokens send no statements to the database. */
import type { FastifyRequest } from 'fastify'

import { AuthGuard } from '../../../src/auth/auth.guard.js'
import { TokenUse } from '../../../src/auth/token-cache.js'
import { SessionUse } from '../../../src/sessions/session-cache.js'
import { createTokenValue } from '../../../src/auth/token-value.js'
import { startProxiedService } from '../../support/proxied-service.js'
import type { ProxiedService } from '../../support/proxied-service.js'
import { signInAs } from '../dashboard/browser.js'
import { expectRounds, nothing, SentStatements } from '../../support/statements-sent.js'

let proxy: ProxiedService['proxy']
let service: ProxiedService['service']
let stop: ProxiedService['stop']
beforeAll(async () => {
  ;({ proxy, service, stop } = await startProxiedService())
})
afterAll(() => stop())

const statements = new SentStatements()
/** The change feed checks its connection with empty queries. On a busy machine, it connects and listens again. */
const feedStatements = new SentStatements()

/** Returns the statements sent during `work`. Messages that close idle connections do not count. */
async function statementsSentDuring(work: () => Promise<void>): Promise<string[]> {
  // Times of use are written every ten seconds. Writing them now leaves ten seconds without such statements.
  await service.app.get(TokenUse).beforeApplicationShutdown()
  await service.app.get(SessionUse).beforeApplicationShutdown()
  statements.read(proxy.takeSentBytes('queries'))
  proxy.takeSentBytes('changes')
  await work()
  const byFeed = feedStatements.read(proxy.takeSentBytes('changes'))
  return [
    ...byFeed.filter((text) => !text.startsWith('LISTEN ')),
    ...statements.read(proxy.takeSentBytes('queries')),
  ]
}

async function inBatches(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done += 20) await Promise.all(Array.from({ length: 20 }, work))
}

/** Returns a token with the right format and a wrong checksum. */
function forge(): string {
  const value = createTokenValue('live')
  return value.slice(0, -1) + (value.endsWith('0') ? '1' : '0')
}

const statusFor = async (token: string) =>
  (await service.call('GET', '/v1/auth/token/self', { token })).status

const guard = () => service.app.get(AuthGuard)
const request = { ip: '127.0.0.1' } as FastifyRequest

it('sends statements for an unknown token with a valid checksum', async () => {
  const sent = await statementsSentDuring(async () => {
    expect(await statusFor(createTokenValue('live'))).toBe(401)
  })
  expect(sent.length).toBeGreaterThan(0)
})

it('sends at most 10 statements for 500 concurrent checks of unknown tokens', async () => {
  const sent = await statementsSentDuring(async () => {
    const checks = Array.from({ length: 500 }, async () =>
      guard().authenticate(`Bearer ${createTokenValue('live')}`, request),
    )
    const refused = (await Promise.allSettled(checks)).filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(500)
  })
  const lookups = sent.filter((text) => text.includes('FROM "tokens"'))
  expect(lookups.length).toBeGreaterThan(0)
  expect(lookups.length).toBeLessThanOrEqual(10)
})

it('sends no statement for 1,000 tokens with wrong checksums', async () => {
  const sent = await statementsSentDuring(() =>
    inBatches(1000, async () => {
      expect(await statusFor(forge())).toBe(401)
    }),
  )
  expect(sent).toEqual([])
})

it.each([
  ['a token', {}],
  ['a restricted token', { allowed_ips: ['127.0.0.0/8'], not_before: '2026-01-01T00:00:00Z' }],
])('sends no statement for 1,000 repeated checks of %s', async (_kind, restrictions) => {
  const { token } = await service.mint(undefined, undefined, undefined, restrictions)
  expect(await statusFor(token)).toBe(200)
  const round = () =>
    statementsSentDuring(() =>
      inBatches(100, async () => {
        expect(await statusFor(token)).toBe(200)
      }),
    )
  await expectRounds(service, 10, round, nothing)
})

it('sends no statement for 1,000 repeated checks of a session', async () => {
  const cookie = await signInAs(service, (await service.mint()).token)
  const path = '/dashboard/api/v1/auth/token/self'
  const status = async (value: string) =>
    (await service.call('GET', path, { token: null, headers: { cookie: value } })).status
  expect(await status(cookie)).toBe(200)
  const round = () =>
    statementsSentDuring(() =>
      inBatches(100, async () => {
        expect(await status(cookie)).toBe(200)
      }),
    )
  await expectRounds(service, 10, round, nothing)
})

it('sends no statement for alternating checks of valid and forged tokens in the guard', async () => {
  const { id, token } = await service.mint()
  expect(await statusFor(token)).toBe(200)
  const round = async () => {
    for (let i = 0; i < 100; i++) {
      const found = await guard().authenticate(`Bearer ${token}`, request)
      expect(found.name).toBe('a test token')
      await expect((async () => guard().authenticate(`Bearer ${forge()}`, request))()).rejects.toMatchObject({
        code: 'invalid_token',
      })
    }
  }
  await expectRounds(service, 10, () => statementsSentDuring(round), nothing)
  expect((await service.call('GET', `/v1/auth/token/${id}`)).body.last_used_at).not.toBeNull()
})
