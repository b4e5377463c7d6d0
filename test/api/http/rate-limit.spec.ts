import { DatabaseProxy } from '../../support/database-proxy.js'
import { exchange } from '../../support/raw-socket.js'
import { accepted, keepFarFromTheHour, self } from '../../support/rate-limits.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let unlimited: Service
beforeAll(async () => (unlimited = await startService()))
afterAll(() => unlimited.stop())
keepFarFromTheHour()

const startLimited = (limit: string, workspaceLimit = 'off') =>
  startService({ db: unlimited.db, env: { RATE_LIMIT: limit, WORKSPACE_RATE_LIMIT: workspaceLimit } })

/** Waits for the first half of a window, so that the window does not end during the next requests. */
async function earlyInWindow(seconds: number): Promise<void> {
  await waitFor('a new window', () => Date.now() % (seconds * 1000) < seconds * 500)
}

/** Sends requests in the next window until one returns the expected status. */
async function inNextWindow(
  seconds: number,
  send: () => Promise<ServiceResponse>,
  expected: number,
): Promise<ServiceResponse> {
  const getWindow = (ms: number) => Math.floor(ms / (seconds * 1000))
  const now = getWindow(Date.now())
  await waitFor('the clock to reach the next window', () => getWindow(Date.now()) > now)
  return waitFor('the next window', async () => {
    const response = await send()
    return response.status === expected ? response : null
  })
}

const remaining = ({ headers }: ServiceResponse) =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit')!)![1])

describe('one instance', () => {
  let service: Service
  beforeAll(async () => (service = await startLimited('5/1h')))
  afterAll(() => service.stop())

  it('returns 429 before the body arrives', async () => {
    const { token } = await service.mint()
    for (let i = 0; i < 5; i++) await self(service, token)
    const head = [
      'POST /api/v1/links HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'content-length: 100',
    ]
    const response = await exchange(service.origin, `${head.join('\r\n')}\r\n\r\n`)
    expect(response.status).toBe(429)
    expect(response.body.code).toBe('rate_limited')
  })

  it('accepts exactly the limit of concurrent requests', async () => {
    const { token } = await service.mint()
    const responses = await Promise.all(Array.from({ length: 30 }, () => self(service, token)))
    expect(accepted(responses)).toBe(5)
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })

  it('counts each token separately, including rejected requests', async () => {
    const [one, other] = [await service.mint('links:read'), await service.mint()]
    for (let i = 0; i < 5; i++)
      expect((await service.call('GET', '/v1/auth/tokens', { token: one.token })).status).toBe(403)
    expect((await service.call('GET', '/v1/auth/tokens', { token: one.token })).status).toBe(429)
    expect((await self(service, other.token)).status).toBe(200)
  })

  it('does not limit calls without a token', async () => {
    for (let i = 0; i < 10; i++) {
      const response = await service.call('POST', '/v1/auth/revoke', { token: null, body: { token: 'x' } })
      expect(response.status).toBe(204)
      expect(response.headers.get('ratelimit')).toBeNull()
    }
  })
})

describe('a window', () => {
  // Half of it is long enough for the requests of a test, even on a busy machine.
  const windowSeconds = 6
  const policy = `"default";q=5;w=${windowSeconds}`
  let service: Service
  beforeAll(async () => (service = await startLimited(`5/${windowSeconds}s`)))
  afterAll(() => service.stop())

  it('counts down in its headers, rejects further requests with Retry-After, and resets', async () => {
    const { token } = await service.mint()
    await earlyInWindow(windowSeconds)
    const remainingCounts: number[] = []
    for (let i = 0; i < 5; i++) {
      const response = await self(service, token)
      expect(response.status).toBe(200)
      expect(response.headers.get('ratelimit-policy')).toBe(policy)
      remainingCounts.push(remaining(response))
    }
    expect(remainingCounts).toEqual([4, 3, 2, 1, 0])

    const refused = await self(service, token)
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe('rate_limited')
    expect(refused.headers.get('retry-after')).toMatch(/^[1-6]$/)
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${refused.headers.get('retry-after')}`)
    expect(refused.headers.get('ratelimit-policy')).toBe(policy)

    const renewed = await inNextWindow(windowSeconds, () => self(service, token), 200)
    expect(remaining(renewed)).toBe(4)
  })

  it('does not store a 429 for its Idempotency-Key', async () => {
    const { token } = await service.mint()
    await earlyInWindow(windowSeconds)
    await Promise.all(Array.from({ length: 5 }, () => self(service, token)))
    const create = () =>
      service.call('POST', '/v1/auth/token', {
        token,
        body: { name: 'a' },
        headers: { 'idempotency-key': 'limited' },
      })
    expect((await create()).status).toBe(429)
    const created = await inNextWindow(windowSeconds, create, 201)
    expect(created.headers.get('idempotent-replayed')).toBeNull()
  })
})

describe('the tokens of a workspace', () => {
  let service: Service
  beforeAll(async () => {
    service = await startLimited('4/1h', '6/1h')
    await service.addWorkspace('other')
  })
  afterAll(() => service.stop())

  const policy = '"default";q=4;w=3600, "workspace";q=6;w=3600'
  const state = ({ headers }: ServiceResponse) => headers.get('ratelimit')!.replace(/;t=\d+/g, '')
  /** Creates a workspace and tokens without any counted requests. */
  const createWorkspaceTokens = async (name: string, count: number) => {
    await service.addWorkspace(name)
    return Promise.all(Array.from({ length: count }, async () => (await service.mint(undefined, name)).token))
  }

  it('share a limit in addition to their own, and responses name the exceeded one', async () => {
    const [a, b, c] = (await createWorkspaceTokens('shared', 3)) as [string, string, string]
    const states: string[] = []
    const use = async (tokens: string[]) => {
      for (const token of tokens) {
        const response = await self(service, token)
        expect([response.status, response.headers.get('ratelimit-policy')]).toEqual([200, policy])
        states.push(state(response))
      }
    }
    await use([a, a, a, a])
    // The workspace has requests left, so the token has exceeded its own limit.
    const ofToken = await self(service, a)
    await use([b, b])
    const ofWorkspace = await self(service, c)
    expect(states).toEqual([
      '"default";r=3, "workspace";r=5',
      '"default";r=2, "workspace";r=4',
      '"default";r=1, "workspace";r=3',
      '"default";r=0, "workspace";r=2',
      '"default";r=3, "workspace";r=1',
      '"default";r=2, "workspace";r=0',
    ])
    expect([ofToken.status, ofWorkspace.status]).toEqual([429, 429])
    expect(ofToken.body.detail).toMatch(
      /^This token may make 4 requests in 3600 seconds\. Wait \d+ seconds\.$/,
    )
    expect(ofWorkspace.body.detail).toMatch(
      /^All tokens of this workspace together may make 6 requests in 3600 seconds\. Wait \d+ seconds\.$/,
    )
    expect(state(ofWorkspace)).toBe('"default";r=4, "workspace";r=0')
    for (const { headers } of [ofToken, ofWorkspace]) {
      expect(headers.get('ratelimit-policy')).toBe(policy)
      expect(headers.get('retry-after')).toMatch(/^\d+$/)
    }
    const { token: otherToken } = await service.mint(undefined, 'other')
    expect((await self(service, otherToken)).status).toBe(200)
  })

  it('are not affected by a token that exceeds its own limit', async () => {
    const [greedy, modest] = (await createWorkspaceTokens('greedy', 2)) as [string, string]
    const responses = await Promise.all(Array.from({ length: 30 }, () => self(service, greedy)))
    expect(accepted(responses)).toBe(4)
    expect((await self(service, modest)).status).toBe(200)
    expect((await self(service, modest)).status).toBe(200)
    expect((await self(service, modest)).body.detail).toContain('workspace')
  })

  it('can share a limit without limits of their own', async () => {
    const only = await startLimited('off', '3/1h')
    try {
      const tokens = await createWorkspaceTokens('together', 4)
      const statuses: number[] = []
      for (const token of tokens) {
        const response = await self(only, token)
        statuses.push(response.status)
        expect(response.headers.get('ratelimit-policy')).toBe('"workspace";q=3;w=3600')
      }
      expect(statuses).toEqual([200, 200, 200, 429])
    } finally {
      await only.stop()
    }
  })
})

it('sends at most 100 statements to count 300 requests', async () => {
  const proxy = await DatabaseProxy.start(unlimited.db.url)
  const service = await startService({
    db: { ...unlimited.db, url: proxy.url },
    env: { RATE_LIMIT: '100000/1h', WORKSPACE_RATE_LIMIT: '100000/1h' },
  })
  try {
    const { token } = await service.mint()
    expect((await self(service, token)).status).toBe(200)
    proxy.takeSentBytes('queries')
    for (let i = 0; i < 300; i++) expect((await self(service, token)).status).toBe(200)
    const sent = proxy.takeSentBytes('queries').toString('latin1')
    const statements = sent.match(/UPDATE rate_windows/g) ?? []
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.length).toBeLessThan(100)
  } finally {
    await service.stop()
    await proxy.stop()
  }
})

it('sends no headers and does not limit requests when limits are off', async () => {
  const responses = await Promise.all(Array.from({ length: 50 }, () => self(unlimited, unlimited.token)))
  expect(accepted(responses)).toBe(50)
  expect(responses[0]!.headers.get('ratelimit')).toBeNull()
  expect(responses[0]!.headers.get('ratelimit-policy')).toBeNull()
})
