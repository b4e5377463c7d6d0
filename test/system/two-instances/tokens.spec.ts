/** Two instances on one database: what is revoked on one is refused on the other within a second, come what may. */
import { ChangeFeed } from '../../../src/platform/database/change-feed.js'
import { makeTokenValue } from '../../../src/auth/token-value.js'
import { roundsOf } from '../../support/rounds.js'
import type { Service } from '../../support/service.js'
import { endListening, feedIsUp, here, proxy, there } from '../../support/two-instances.js'
import { waitFor } from '../../support/wait-for.js'

const rounds = roundsOf(100, 25)
const promisedMs = 1000

const ask = (service: Service, token: string) => service.call('GET', '/v1/auth/token/self', { token })

/** A token that the other instance remembers and trusts. */
async function warmToken(): Promise<{ id: string; token: string }> {
  await feedIsUp()
  const made = await here.mint('links:read')
  expect((await ask(there, made.token)).status).toBe(200)
  return made
}

async function expectRefusedThere(token: string): Promise<void> {
  const refused = await waitFor(
    'the other instance to refuse the token',
    async () => {
      const answer = await ask(there, token)
      return answer.status === 200 ? null : answer
    },
    promisedMs,
  )
  expect(refused.status).toBe(401)
  expect(refused.body.code).toBe('token_revoked')
  expect((await ask(there, token)).status).toBe(401)
}

async function revokeHere(id: string, token: string): Promise<void> {
  expect((await here.call('DELETE', `/v1/auth/token/${id}`)).status).toBe(204)
  expect((await ask(here, token)).status).toBe(401)
}

it(`what is revoked on one is refused on the other, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await warmToken()
    await revokeHere(id, token)
    await expectRefusedThere(token)
  }
})

it(`also when the listening connections were terminated just before, ${rounds} times in a row`, async () => {
  for (let round = 0; round < rounds; round++) {
    const { id, token } = await warmToken()
    await endListening()
    await revokeHere(id, token)
    await expectRefusedThere(token)
  }
}, 90_000)

it('also when the listening connection has gone silent, and nobody was told', async () => {
  for (let round = 0; round < 3; round++) {
    const { id, token } = await warmToken()
    proxy.silence('changes')
    await revokeHere(id, token)
    await expectRefusedThere(token)
    proxy.heal()
  }
})

it('also when it is terminated and comes back in between', async () => {
  const { id, token } = await warmToken()
  proxy.silence('changes')
  await revokeHere(id, token)
  proxy.heal()
  await waitFor('the loss', () => !there.app.get(ChangeFeed).isFresh())
  await feedIsUp()
  await expectRefusedThere(token)
})

it('the trust in a silent connection ends by the clock, without waiting for anything to notice', async () => {
  const { id, token } = await warmToken()
  proxy.silence('changes')
  await revokeHere(id, token)
  const now = performance.now.bind(performance)
  performance.now = () => now() + promisedMs
  try {
    expect((await ask(there, token)).body.code).toBe('token_revoked')
  } finally {
    performance.now = now
    proxy.heal()
  }
})

it('a record that was read before the revocation is not remembered after it', async () => {
  await feedIsUp()
  const { id, token } = await here.mint('links:read')
  proxy.holdAnswers()
  const underWay = ask(there, token)
  await waitFor('the record to be read', () => proxy.holdsAnswers)
  await revokeHere(id, token)
  // Its answer comes after every notification of what was committed before it.
  await there.app.get(ChangeFeed).catchUp()
  proxy.letAnswersGo()
  await underWay
  await expectRefusedThere(token)
})

it('an expiry brought forward by a rotation is heard of too', async () => {
  const { id, token } = await warmToken()
  const { status } = await here.call('POST', `/v1/auth/token/${id}/rotate`, { body: { overlap: '1s' } })
  expect(status).toBe(201)
  const refused = await waitFor('the overlap to end there', async () => {
    const answer = await ask(there, token)
    return answer.status === 200 ? null : answer
  })
  expect(refused.body.code).toBe('token_expired')
})

describe('without its database an instance lets nobody in', () => {
  it('and says 503 with Retry-After, until it is back', async () => {
    const { token } = await warmToken()
    proxy.refuse()
    const refused = await waitFor(
      'the end of the trust',
      async () => {
        const answer = await ask(there, token)
        return answer.status === 200 ? null : answer
      },
      promisedMs,
    )
    for (const answer of [refused, await ask(there, token), await ask(there, makeTokenValue('live'))]) {
      expect(answer.status).toBe(503)
      expect(answer.body.code).toBe('unavailable')
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
      expect(answer.text).not.toMatch(/ECONN|127\.0\.0\.1:|postgres|terminated/i)
    }
    expect((await ask(there, 'malformed')).status).toBe(401)
    expect((await there.call('POST', '/v1/auth/revoke', { token: null, body: { token } })).status).toBe(503)
    const ready = await there.call('GET', '/readyz?for=api')
    expect(ready.status).toBe(503)
    expect(ready.body.parts).toMatchObject({
      database: 'failing',
      migrations: 'failing',
      change_feed: 'failing',
    })
    expect((await there.call('GET', '/healthz')).status).toBe(200)

    proxy.heal()
    await waitFor('the instance to work again', async () => (await ask(there, token)).status === 200)
    await waitFor('it to be ready', async () => (await there.call('GET', '/readyz?for=api')).status === 200)
  })

  it('nor does it when every connection has gone silent', async () => {
    const { token } = await warmToken()
    proxy.silence('changes', 'queries')
    const silentSince = performance.now()
    const late: number[] = []
    const asking = Array.from({ length: 5 }, async (_, i) => {
      await waitFor('its turn', () => performance.now() - silentSince > promisedMs + i * 100)
      late.push((await ask(there, token)).status)
    })
    await waitFor('time to pass', () => performance.now() - silentSince > promisedMs + 700)
    expect(late.filter((status) => status === 200)).toEqual([])
    proxy.heal()
    await Promise.all(asking)
    expect((await here.call('DELETE', '/v1/auth/token/self', { token })).status).toBe(204)
    await waitFor('the instance to work again', async () => (await ask(there, token)).status === 401)
  })
})
