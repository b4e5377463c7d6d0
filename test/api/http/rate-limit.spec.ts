import { DatabaseProxy } from '../../support/database-proxy.js'
import { exchange } from '../../support/raw-socket.js'
import { accepted, farFromTheHour, self } from '../../support/rate-limits.js'
import { startService } from '../../support/service.js'
import type { Answer, Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

let off: Service
beforeAll(async () => (off = await startService()))
afterAll(() => off.stop())

const limited = (limit: string, ofWorkspace = 'off') =>
  startService({ db: off.db, env: { RATE_LIMIT: limit, WORKSPACE_RATE_LIMIT: ofWorkspace } })

/** Waits for a moment in the first half of a window, so that none ends in the middle of what follows. */
async function earlyInWindow(seconds: number): Promise<void> {
  await waitFor('a new window', () => Date.now() % (seconds * 1000) < seconds * 500)
}

/** Looks at the clock first: asking the service all the while would only keep the machine busy. */
async function inNextWindow(seconds: number, ask: () => Promise<Answer>, wanted: number): Promise<Answer> {
  const windowOf = (ms: number) => Math.floor(ms / (seconds * 1000))
  const now = windowOf(Date.now())
  await waitFor('the clock to reach the next window', () => windowOf(Date.now()) > now)
  return waitFor('the next window', async () => {
    const answer = await ask()
    return answer.status === wanted ? answer : null
  })
}

const remaining = ({ headers }: Answer) =>
  Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get('ratelimit')!)![1])

describe('one instance', () => {
  let service: Service
  beforeAll(async () => (service = await limited('5/2s')))
  afterAll(() => service.stop())

  it('counts down in its headers, refuses the first too many with Retry-After, and starts anew', async () => {
    const { token } = await service.mint()
    await earlyInWindow(2)
    const left: number[] = []
    for (let i = 0; i < 5; i++) {
      const answer = await self(service, token)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('ratelimit-policy')).toBe('"default";q=5;w=2')
      left.push(remaining(answer))
    }
    expect(left).toEqual([4, 3, 2, 1, 0])

    const refused = await self(service, token)
    expect(refused.status).toBe(429)
    expect(refused.body.code).toBe('rate_limited')
    expect(refused.headers.get('retry-after')).toMatch(/^[12]$/)
    expect(refused.headers.get('ratelimit')).toBe(`"default";r=0;t=${refused.headers.get('retry-after')}`)
    expect(refused.headers.get('ratelimit-policy')).toBe('"default";q=5;w=2')

    const renewed = await inNextWindow(2, () => self(service, token), 200)
    expect(remaining(renewed)).toBe(4)
  })

  it('returns 429 before the body arrives', async () => {
    const { token } = await service.mint()
    await earlyInWindow(2)
    for (let i = 0; i < 5; i++) await self(service, token)
    const head = [
      'POST /api/v1/links HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'content-length: 100',
    ]
    const answer = await exchange(service.origin, `${head.join('\r\n')}\r\n\r\n`)
    expect(answer.status).toBe(429)
    expect(answer.body.code).toBe('rate_limited')
  })

  it('accepts exactly as many when all come at once', async () => {
    const { token } = await service.mint()
    await earlyInWindow(2)
    const answers = await Promise.all(Array.from({ length: 30 }, () => self(service, token)))
    expect(accepted(answers)).toBe(5)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  })

  it('counts each token by itself, and refusals for scope or input too', async () => {
    const [one, other] = [await service.mint('links:read'), await service.mint()]
    await earlyInWindow(2)
    for (let i = 0; i < 5; i++)
      expect((await service.call('GET', '/v1/auth/tokens', { token: one.token })).status).toBe(403)
    expect((await service.call('GET', '/v1/auth/tokens', { token: one.token })).status).toBe(429)
    expect((await self(service, other.token)).status).toBe(200)
  })

  it('does not keep the one too many as the answer to its Idempotency-Key', async () => {
    const { token } = await service.mint()
    await earlyInWindow(2)
    await Promise.all(Array.from({ length: 5 }, () => self(service, token)))
    const create = () =>
      service.call('POST', '/v1/auth/token', {
        token,
        body: { name: 'a' },
        headers: { 'idempotency-key': 'limited' },
      })
    expect((await create()).status).toBe(429)
    const made = await inNextWindow(2, create, 201)
    expect(made.headers.get('idempotent-replayed')).toBeNull()
  })

  it('has no limit for what needs no token', async () => {
    for (let i = 0; i < 10; i++) {
      const answer = await service.call('POST', '/v1/auth/revoke', { token: null, body: { token: 'x' } })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('ratelimit')).toBeNull()
    }
  })
})

describe('the tokens of a workspace', () => {
  let service: Service
  beforeAll(async () => {
    service = await limited('4/1h', '6/1h')
    await service.addWorkspace('other')
  })
  afterAll(() => service.stop())

  const policy = '"default";q=4;w=3600, "workspace";q=6;w=3600'
  const state = ({ headers }: Answer) => headers.get('ratelimit')!.replace(/;t=\d+/g, '')
  /** A workspace that nothing was counted for, and its tokens. */
  const tokensOfNew = async (name: string, count: number) => {
    await service.addWorkspace(name)
    return Promise.all(Array.from({ length: count }, async () => (await service.mint(undefined, name)).token))
  }

  it('share one limit beside their own; the headers have both, and the refusal says which it was', async () => {
    const [a, b, c] = (await tokensOfNew('shared', 3)) as [string, string, string]
    await farFromTheHour()
    const states: string[] = []
    const use = async (tokens: string[]) => {
      for (const token of tokens) {
        const answer = await self(service, token)
        expect([answer.status, answer.headers.get('ratelimit-policy')]).toEqual([200, policy])
        states.push(state(answer))
      }
    }
    await use([a, a, a, a])
    // Its workspace has some left, so it can only be its own limit.
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
    const { token: elsewhere } = await service.mint(undefined, 'other')
    expect((await self(service, elsewhere)).status).toBe(200)
  })

  it('lose nothing to one that goes on beyond its own limit', async () => {
    const [greedy, modest] = (await tokensOfNew('greedy', 2)) as [string, string]
    await farFromTheHour()
    const answers = await Promise.all(Array.from({ length: 30 }, () => self(service, greedy)))
    expect(accepted(answers)).toBe(4)
    expect((await self(service, modest)).status).toBe(200)
    expect((await self(service, modest)).status).toBe(200)
    expect((await self(service, modest)).body.detail).toContain('workspace')
  })

  it('may have a limit together where none has its own', async () => {
    const only = await limited('off', '3/1h')
    try {
      const tokens = await tokensOfNew('together', 4)
      await farFromTheHour()
      const statuses: number[] = []
      for (const token of tokens) {
        const answer = await self(only, token)
        statuses.push(answer.status)
        expect(answer.headers.get('ratelimit-policy')).toBe('"workspace";q=3;w=3600')
      }
      expect(statuses).toEqual([200, 200, 200, 429])
    } finally {
      await only.stop()
    }
  })
})

it('requests within both limits take far fewer statements than there are requests', async () => {
  const proxy = await DatabaseProxy.before(off.db.url)
  const service = await startService({
    db: { ...off.db, url: proxy.url },
    env: { RATE_LIMIT: '100000/1h', WORKSPACE_RATE_LIMIT: '100000/1h' },
  })
  try {
    const { token } = await service.mint()
    expect((await self(service, token)).status).toBe(200)
    proxy.takeSent('queries')
    for (let i = 0; i < 300; i++) expect((await self(service, token)).status).toBe(200)
    const sent = proxy.takeSent('queries').toString('latin1')
    const statements = sent.match(/UPDATE rate_windows/g) ?? []
    expect(statements.length).toBeGreaterThan(0)
    expect(statements.length).toBeLessThan(100)
  } finally {
    await service.stop()
    await proxy.stop()
  }
})

it('off means no headers and no end', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, () => self(off, off.token)))
  expect(accepted(answers)).toBe(50)
  expect(answers[0]!.headers.get('ratelimit')).toBeNull()
  expect(answers[0]!.headers.get('ratelimit-policy')).toBeNull()
})
