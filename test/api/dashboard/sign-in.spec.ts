/** Signing in to the dashboard by token or code, and the session cookie. */
import { SignInTokens } from '../../../src/sessions/sign-in-tokens.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { cookieFrom, fromPage, getSignInCode, signIn, signInAs } from './browser.js'

// The tests that share this service stay below the limit of sign-ins per minute and IP address.
let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

const self = (cookie: string) =>
  service.call('GET', '/dashboard/api/v1/auth/token/self', { token: null, headers: { cookie } })

it('returns 204 and an HttpOnly, SameSite=Strict cookie for a token', async () => {
  const response = await signIn(service, { token: service.token })
  expect([response.status, response.text]).toEqual([204, ''])
  expect(response.headers.get('set-cookie')).toMatch(
    /^link_service_session=[A-Za-z0-9_-]{43}; Path=\/dashboard; HttpOnly; SameSite=Strict; Max-Age=604800$/,
  )
  expect((await self(cookieFrom(response))).body.id).toBe(service.tokenId)
})

it('sets a Secure cookie with the prefix __Secure- under https', async () => {
  const secure = await startService({ env: { PUBLIC_URL: 'https://go.example' } })
  const response = await signIn(secure, { token: secure.token })
  expect(response.headers.get('set-cookie')).toMatch(
    /^__Secure-link_service_session=[^;]{43}; .*; Secure; Max-Age=/,
  )
  await secure.stop()
})

it('accepts a code once, even in concurrent requests', async () => {
  const code = getSignInCode(await service.app.get(SignInTokens).createUrlForToken(service.tokenId))
  const responses = await Promise.all(Array.from({ length: 5 }, () => signIn(service, { code })))
  expect(responses.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401, 401])
  expect(responses.find(({ status }) => status === 401)!.body.code).toBe('invalid_code')
  expect((await self(cookieFrom(responses.find(({ status }) => status === 204)!))).status).toBe(200)
})

it('rejects a code that is ten minutes old', async () => {
  const code = getSignInCode(await service.app.get(SignInTokens).createUrlForToken(service.tokenId))
  await service.db.query(`UPDATE dashboard_codes SET expires_at = expires_at - interval '10 minutes'`)
  expect(await signIn(service, { code })).toMatchObject({ status: 401, body: { code: 'invalid_code' } })
})

it('accepts a code of a new token with every scope', async () => {
  const code = getSignInCode(await service.app.get(SignInTokens).createUrlForNewToken('default'))
  const { body } = await self(cookieFrom(await signIn(service, { code })))
  expect(body.name).toBe('dashboard')
  expect(body.scopes).toContain('tokens:write')
  // The token outlives a session that starts just before the code expires.
  const lifeMinutes = (Date.parse(body.expires_at) - Date.parse(body.created_at)) / 60_000
  expect(lifeMinutes).toBe(7 * 24 * 60 + 10)
})

it.each([
  ['neither a token nor a code', {}, 422, 'validation_failed'],
  ['both a token and a code', { token: 'a', code: 'b' }, 422, 'validation_failed'],
  ['an unknown field', { password: 'a' }, 422, 'validation_failed'],
  ['a malformed token', { token: 'lsk_live_nonsense' }, 401, 'invalid_token'],
  ['an unknown code', { code: 'nonsense' }, 401, 'invalid_code'],
])('rejects %s', async (_name, body, status, code) => {
  const response = await signIn(service, body)
  expect(response).toMatchObject({ status, body: { code } })
  expect(response.headers.get('set-cookie')).toBeNull()
})

it('rejects a revoked or expired token, and records this in the audit log', async () => {
  const revoked = await service.mint('links:read')
  await service.call('DELETE', `/v1/auth/token/${revoked.id}`)
  const expired = await service.mint('links:read', undefined, '60s')
  await service.db.query(`UPDATE tokens SET expires_at = now() WHERE expires_at IS NOT NULL`)
  for (const [{ id, token }, reason] of [
    [revoked, 'token_revoked'],
    [expired, 'token_expired'],
  ] as const) {
    expect(await signIn(service, { token })).toMatchObject({ status: 401, body: { code: reason } })
    const { body } = await service.call('GET', `/v1/audit-log?token_id=${id}&action=session.refused`)
    expect(body.data).toMatchObject([{ object: { type: 'token', id }, details: { reason } }])
  }
})

it('limits the attempts per IP address', async () => {
  const fresh = await startService()
  const codes: string[] = []
  // The attempts may span two minutes, of which at least one exceeds the limit.
  for (let i = 0; i < 41; i++) codes.push((await signIn(fresh, { code: 'nonsense' })).body.code)
  expect(codes.slice(0, 20)).toEqual(Array(20).fill('invalid_code'))
  expect(codes).toContain('rate_limited')
  await fresh.stop()
})

it('records sessions in the audit log, and logs no secrets', async () => {
  let logged = ''
  const service = await startService({ onLog: (text) => (logged += text) })
  const code = getSignInCode(await service.app.get(SignInTokens).createUrlForToken(service.tokenId))
  const cookie = cookieFrom(await signIn(service, { code }))
  await service.call('DELETE', '/dashboard/session', { token: null, headers: { cookie, ...fromPage } })
  const { body } = await service.call('GET', '/v1/audit-log')
  const actions = body.data.map(({ action }: { action: string }) => action)
  expect(actions.slice(0, 2)).toEqual(['session.ended', 'session.created'])
  const [, ended] = body.data
  expect(ended).toMatchObject({ actor: { type: 'token', id: service.tokenId }, object: { type: 'session' } })
  const other = await signInAs(service, service.token)
  const rows = await service.db.query(`SELECT encode(hash, 'escape') AS hash FROM dashboard_sessions`)
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain(other.split('=')[1])
  for (const text of [logged, JSON.stringify(body)])
    for (const value of [code, cookie.split('=')[1]!, service.token]) expect(text).not.toContain(value)
  await service.stop()
})
