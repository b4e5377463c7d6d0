/** Two instances on one database: a session that ends on one is worth nothing on the other within a second. */
import { endListening, feedIsUp, here, there } from '../../support/two-instances.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'

const rounds = 5
const promisedMs = 1000
const fromPage = { 'sec-fetch-site': 'same-origin' }

const ask = (service: Service, cookie: string) =>
  service.call('GET', '/dashboard/api/v1/auth/token/self', { token: null, headers: { cookie } })

async function signIn(token: string): Promise<string> {
  const { status, headers } = await here.call('POST', '/dashboard/session', {
    token: null,
    body: { token },
    headers: fromPage,
  })
  expect(status).toBe(204)
  const cookie = headers.get('set-cookie')!.split(';')[0]!
  // The other instance remembers it from now on.
  expect((await ask(there, cookie)).status).toBe(200)
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
    async () => (await ask(there, cookie)).status === 401,
    promisedMs,
  )
  expect((await ask(there, cookie)).status).toBe(401)
}

it.each([
  ['', () => Promise.resolve()],
  [', also when the listening connections were terminated just before', endListening],
])('by the revocation of its token%s', async (_when, disturb) => {
  for (let round = 0; round < rounds; round++) {
    await feedIsUp()
    const { id, token } = await here.mint('links:read')
    const cookie = await signIn(token)
    await disturb()
    expect((await here.call('DELETE', `/v1/auth/token/${id}`)).status).toBe(204)
    await expectEndedThere(cookie)
  }
})

it('by signing out, which leaves the other sessions of the token', async () => {
  await feedIsUp()
  const { token } = await here.mint('links:read')
  const [cookie, other] = [await signIn(token), await signIn(token)]
  await signOut(cookie)
  await expectEndedThere(cookie)
  expect((await ask(there, other)).status).toBe(200)
})

it('by signing out everywhere, which leaves those of other tokens', async () => {
  await feedIsUp()
  const [mine, another] = [await here.mint('links:read'), await here.mint('links:read')]
  const [one, two, theirs] = [await signIn(mine.token), await signIn(mine.token), await signIn(another.token)]
  await signOut(one, '?all=true')
  await expectEndedThere(one)
  await expectEndedThere(two)
  expect((await ask(there, theirs)).status).toBe(200)
})
