/** A session ends on every instance when its token ends, when it expires, and when its owner signs out. */
import { SessionUse } from '../../../src/sessions/session-cache.js'
import { makeWebhook } from '../../support/factories/webhooks.js'
import type { Service } from '../../support/service.js'
import { waitForChangeFeed, feedIsUp, here, there } from '../../support/two-instances.js'
import { cookieFrom, fromPage, signInAs } from './browser.js'

const read = (service: Service, cookie: string) =>
  service.call('GET', '/dashboard/api/v1/auth/token/self', { token: null, headers: { cookie } })
const end = (cookie: string, query = '') =>
  here.call('DELETE', `/dashboard/session${query}`, { token: null, headers: { cookie, ...fromPage } })

beforeEach(feedIsUp)

/** Signs in and caches the session on both instances. */
async function beginSession(token: string): Promise<string> {
  const cookie = await signInAs(here, token)
  for (const service of [here, there]) expect((await read(service, cookie)).status).toBe(200)
  return cookie
}

it('ends a session when its token is revoked', async () => {
  const { id, token } = await here.mint()
  const cookie = await beginSession(token)
  await here.call('DELETE', `/v1/auth/token/${id}`)
  expect(await read(here, cookie)).toMatchObject({ status: 401, body: { code: 'token_revoked' } })
  await waitForChangeFeed()
  expect(await read(there, cookie)).toMatchObject({ status: 401, body: { code: 'token_revoked' } })
})

it('signing out ends only that session and deletes the cookie', async () => {
  const { token } = await here.mint()
  const [one, other] = [await beginSession(token), await beginSession(token)]
  const response = await end(one)
  expect(response.status).toBe(204)
  expect(response.headers.get('set-cookie')).toMatch(/^link_service_session=; .*Max-Age=0$/)
  await waitForChangeFeed()
  for (const service of [here, there]) {
    expect((await read(service, one)).body.code).toBe('no_session')
    expect((await read(service, other)).status).toBe(200)
  }
  expect((await end(one)).status).toBe(204)
})

it('signing out everywhere ends only the sessions of the same token', async () => {
  const { token } = await here.mint()
  const [one, other] = [await beginSession(token), await beginSession(token)]
  const stranger = await beginSession((await here.mint()).token)
  expect((await end(one, '?all=true')).status).toBe(204)
  await waitForChangeFeed()
  for (const service of [here, there]) {
    for (const cookie of [one, other]) expect((await read(service, cookie)).status).toBe(401)
    expect((await read(service, stranger)).status).toBe(200)
  }
})

it('signing out of the portal ends the session on every instance', async () => {
  const { id } = await makeWebhook(here)
  const link = await here.call('POST', `/v1/webhooks/${id}/portal`, { body: {} })
  const code = new URL(link.body.url as string).hash.replace('#code=', '')
  const portal = { token: null, undocumented: true }
  const path = '/dashboard/portal/session'
  const started = await here.call('POST', path, { ...portal, body: { code }, headers: fromPage })
  const headers = { cookie: cookieFrom(started), ...fromPage }
  const readWebhook = (service: Service) =>
    service.call('GET', `/dashboard/portal/api/v1/webhooks/${id}`, { ...portal, headers })
  for (const service of [here, there]) expect((await readWebhook(service)).status).toBe(200)
  expect((await here.call('DELETE', path, { ...portal, headers })).status).toBe(204)
  await waitForChangeFeed()
  for (const service of [here, there]) expect((await readWebhook(service)).body.code).toBe('no_session')
})

it.each([
  ['12 hours without use', `last_used_at = last_used_at - interval '12 hours'`],
  ['7 days in total', `created_at = created_at - interval '7 days'`],
])('ends a session after %s', async (_name, change) => {
  const cookie = await signInAs(here, (await here.mint()).token)
  await here.db.query(`UPDATE dashboard_sessions SET ${change}`)
  for (const service of [here, there])
    expect(await read(service, cookie)).toMatchObject({ status: 401, body: { code: 'no_session' } })
})

it('writes last-used times in batches, and never moves them back', async () => {
  const cookie = await beginSession((await here.mint()).token)
  const future = new Date(Date.now() + 365 * 86_400_000).toISOString()
  const used = () => here.db.query<{ at: Date }>('SELECT max(last_used_at) AS at FROM dashboard_sessions')
  await here.app.get(SessionUse).beforeApplicationShutdown()
  expect((await used())[0]!.at.getTime()).toBeGreaterThan(Date.now() - 60_000)
  await here.db.query('UPDATE dashboard_sessions SET last_used_at = $1', [future])
  await read(here, cookie)
  await here.app.get(SessionUse).beforeApplicationShutdown()
  expect((await used())[0]!.at.toISOString()).toBe(future)
})
