/** A token that is revoked on one instance is rejected on another within a second, even without notifications. */
import { ChangeFeed } from '../../../src/platform/database/change-feed.js'
import { createTokenValue } from '../../../src/auth/token-value.js'
import { countRounds } from '../../support/rounds.js'
import type { Service } from '../../support/service.js'
import { endListening, feedIsUp, here, proxy, there } from '../../support/two-instances.js'
import { waitFor } from '../../support/wait-for.js'

const rounds = countRounds(100, 12)
const maxDelayMs = 1000

const readSelf = (service: Service, token: string) => service.call('GET', '/v1/auth/token/self', { token })

/** Creates a token that the other instance has cached. */
async function warmToken(): Promise<{ id: string; token: string }> {
  await feedIsUp()
  const created = await here.mint('links:read')
  expect((await readSelf(there, created.token)).status).toBe(200)
  return created
}

async function expectRejectedThere(token: string): Promise<void> {
  const refused = await waitFor(
    'the other instance to refuse the token',
    async () => {
      const response = await readSelf(there, token)
      return response.status === 200 ? null : response
    },
    maxDelayMs,
  )
  expect(refused.status).toBe(401)
  expect(refused.body.code).toBe('token_revoked')
  expect((await readSelf(there, token)).status).toBe(401)
}

async function revokeHere(id: string, token: string): Promise<void> {
  expect((await here.call('DELETE', `/v1/auth/token/${id}`)).status).toBe(204)
  expect((await readSelf(here, token)).status).toBe(401)
}

it(`rejects a revoked token on the other instance, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await warmToken()
    await revokeHere(id, token)
    await expectRejectedThere(token)
  }
})

it(`rejects a revoked token right after the listening connections were terminated, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await warmToken()
    await endListening()
    await revokeHere(id, token)
    await expectRejectedThere(token)
  }
}, 90_000)

it('rejects a revoked token while the listening connection is silent', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, token } = await warmToken()
    proxy.silenceConnections('changes')
    await revokeHere(id, token)
    await expectRejectedThere(token)
    proxy.restoreConnections()
  }
})

it('rejects a revoked token after the listening connection was lost and reconnected', async () => {
  const { id, token } = await warmToken()
  proxy.silenceConnections('changes')
  await revokeHere(id, token)
  proxy.restoreConnections()
  await waitFor('the connection loss', () => !there.app.get(ChangeFeed).isFresh())
  await feedIsUp()
  await expectRejectedThere(token)
})

it('stops trusting its cache after a second on a silent connection', async () => {
  const { id, token } = await warmToken()
  proxy.silenceConnections('changes')
  await revokeHere(id, token)
  const now = performance.now.bind(performance)
  performance.now = () => now() + maxDelayMs
  try {
    expect((await readSelf(there, token)).body.code).toBe('token_revoked')
  } finally {
    performance.now = now
    proxy.restoreConnections()
  }
})

it('does not cache a token that was read before its revocation', async () => {
  await feedIsUp()
  const { id, token } = await here.mint('links:read')
  proxy.holdResponses()
  const pendingRequest = readSelf(there, token)
  await waitFor('the record to be read', () => proxy.hasHeldResponses)
  await revokeHere(id, token)
  // The confirmation arrives after the notifications of all earlier commits.
  await there.app.get(ChangeFeed).catchUp()
  proxy.releaseResponses()
  await pendingRequest
  await expectRejectedThere(token)
})

it('applies the earlier expiry that a rotation sets', async () => {
  const { id, token } = await warmToken()
  const { status } = await here.call('POST', `/v1/auth/token/${id}/rotate`, { body: { overlap: '1s' } })
  expect(status).toBe(201)
  const refused = await waitFor('the overlap to end on the other instance', async () => {
    const response = await readSelf(there, token)
    return response.status === 200 ? null : response
  })
  expect(refused.body.code).toBe('token_expired')
})

describe('an instance without its database', () => {
  it('rejects all tokens with 503 and Retry-After until the database is back', async () => {
    const { token } = await warmToken()
    proxy.refuseConnections()
    const refused = await waitFor(
      'the cache to expire',
      async () => {
        const response = await readSelf(there, token)
        return response.status === 200 ? null : response
      },
      maxDelayMs,
    )
    for (const response of [
      refused,
      await readSelf(there, token),
      await readSelf(there, createTokenValue('live')),
    ]) {
      expect(response.status).toBe(503)
      expect(response.body.code).toBe('unavailable')
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(response.text).not.toMatch(/ECONN|127\.0\.0\.1:|postgres|terminated/i)
    }
    expect((await readSelf(there, 'malformed')).status).toBe(401)
    expect((await there.call('POST', '/v1/auth/revoke', { token: null, body: { token } })).status).toBe(503)
    const ready = await there.call('GET', '/readyz?for=api')
    expect(ready.status).toBe(503)
    expect(ready.body.parts).toMatchObject({
      database: 'failing',
      migrations: 'failing',
      change_feed: 'failing',
    })
    expect((await there.call('GET', '/healthz')).status).toBe(200)

    proxy.restoreConnections()
    await waitFor('the instance to work again', async () => (await readSelf(there, token)).status === 200)
    await waitFor(
      'the instance to be ready',
      async () => (await there.call('GET', '/readyz?for=api')).status === 200,
    )
  })

  it('accepts no token when every connection is silent', async () => {
    const { token } = await warmToken()
    proxy.silenceConnections('changes', 'queries')
    const silentSince = performance.now()
    const statuses: number[] = []
    const requests = Array.from({ length: 5 }, async (_, i) => {
      await waitFor('the start of the request', () => performance.now() - silentSince > maxDelayMs + i * 100)
      statuses.push((await readSelf(there, token)).status)
    })
    await waitFor('time to pass', () => performance.now() - silentSince > maxDelayMs + 700)
    expect(statuses.filter((status) => status === 200)).toEqual([])
    proxy.restoreConnections()
    await Promise.all(requests)
    expect((await here.call('DELETE', '/v1/auth/token/self', { token })).status).toBe(204)
    await waitFor('the instance to work again', async () => (await readSelf(there, token)).status === 401)
  })
})
