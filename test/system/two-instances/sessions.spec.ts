/** A session that ends on one instance ends on the other instances within a second. */
import { endListening, feedIsUp, here, there } from '../../support/two-instances.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const rounds = 5
const maxDelayMs = 1000
const fromPage = { 'sec-fetch-site': 'same-origin' }

const readSelf = (service: Service, cookie: string) =>
  service.call('GET', '/dashboard/api/v1/auth/token/self', { token: null, headers: { cookie } })

async function signIn(token: string): Promise<string> {
  const { status, headers } = await here.call('POST', '/dashboard/session', {
    token: null,
    body: { token },
    headers: fromPage,
  })
  expect(status).toBe(204)
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  // The other instance caches the session from now on.
  expect((await readSelf(there, cookie)).status).toBe(200)
  return cookie
}

const signOut = async (cookie: string, query = '') =>
  expect(
    (
      await here.call('DELETE', `/dashboard/session${query}`, {
        token: null,
        headers: { cookie, ...fromPage },
      })
    ).status,
  ).toBe(204)

async function expectEndedThere(cookie: string): Promise<void> {
  await waitFor(
    'the other instance to refuse the session',
    async () => (await readSelf(there, cookie)).status === 401,
    maxDelayMs,
  )
  expect((await readSelf(there, cookie)).status).toBe(401)
}

it.each([
  ['', () => Promise.resolve()],
  [', right after the listening connections were terminated', endListening],
])('ends a session on the other instance when its token is revoked%s', async (_name, disturb) => {
  for (let round = 0; round < rounds; round++) {
    await feedIsUp()
    const { id, token } = await here.mint('links:read')
    const cookie = await signIn(token)
    await disturb()
    expect((await here.call('DELETE', `/v1/auth/token/${id}`)).status).toBe(204)
    await expectEndedThere(cookie)
  }
})

it('signing out ends only that session on the other instance', async () => {
  await feedIsUp()
  const { token } = await here.mint('links:read')
  const [cookie, other] = [await signIn(token), await signIn(token)]
  await signOut(cookie)
  await expectEndedThere(cookie)
  expect((await readSelf(there, other)).status).toBe(200)
})

it('signing out everywhere ends all sessions of the token on the other instance', async () => {
  await feedIsUp()
  const [token, otherToken] = [await here.mint('links:read'), await here.mint('links:read')]
  const [one, two, other] = [
    await signIn(token.token),
    await signIn(token.token),
    await signIn(otherToken.token),
  ]
  await signOut(one, '?all=true')
  await expectEndedThere(one)
  await expectEndedThere(two)
  expect((await readSelf(there, other)).status).toBe(200)
})
