/** The webhook portal: links, sessions, and what a session may reach. */
import { createHmac } from 'node:crypto'

import { TokenCache } from '../../../src/auth/token-cache.js'
import { decodeId } from '../../../src/platform/database/ids.js'
import { deriveKey } from '../../../src/platform/database/sealing.js'
import { RouteTable } from '../../../src/platform/http/route-table.js'
import { makeLink } from '../../support/factories/links.js'
import { makeWebhook } from '../../support/factories/webhooks.js'
import { startReceiver } from '../../support/receiver.js'
import type { Receiver } from '../../support/receiver.js'
import { pepper, startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { duringTransaction } from '../../support/transactions.js'
import { waitFor } from '../../support/wait-for.js'
import { cookieFrom, fromPage, signInAs } from './browser.js'

let service: Service
let receiver: Receiver
let webhook: { id: string }
let other: { id: string }
beforeAll(async () => {
  service = await startService({
    env: { ROLE: 'all', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', RATE_LIMIT: 'off' },
  })
  receiver = await startReceiver()
  webhook = await createWebhook()
  other = await createWebhook()
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
// Sign-ins are limited per minute and IP address.
beforeEach(() => service.db.query('TRUNCATE rate_windows'))

async function createWebhook() {
  const body = { url: `${receiver.origin}/hooks`, events: ['link.created'] }
  return (await service.call('POST', '/v1/webhooks', { body })).body as { id: string }
}

const createLink = (body?: object, options: object = {}) =>
  service.call('POST', `/v1/webhooks/${webhook.id}/portal`, { body, ...options })

const codeIn = ({ body }: ServiceResponse) => new URL(body.url as string).hash.replace('#code=', '')

const openPortal = (code: string, at = service) =>
  at.call('POST', '/dashboard/portal/session', {
    token: null,
    body: { code },
    headers: fromPage,
    undocumented: true,
  })

async function startSession(allow?: string[]): Promise<string> {
  return cookieFrom(await openPortal(codeIn(await createLink({ allow }))))
}

const fromPortal = (cookie: string, method: string, path: string, body?: object) =>
  service.call(method, `/dashboard/portal/api${path}`, {
    token: null,
    headers: { ...fromPage, cookie },
    ...(body ? { body } : {}),
    undocumented: true,
  })

describe('a portal link', () => {
  it('is not accepted by the dashboard of 0.1.0, which would open the whole workspace', async () => {
    const findCount = async (table: string, purpose: string, value: string) => {
      const hash = createHmac('sha256', deriveKey(pepper, 'dashboard')).update(`${purpose} ${value}`).digest()
      return (await service.db.query(`SELECT FROM ${table} WHERE hash = $1`, [hash])).length
    }
    const code = codeIn(await createLink())
    expect(await findCount('dashboard_codes', 'code', code)).toBe(0)
    expect(await findCount('dashboard_codes', 'portal code', code)).toBe(1)
    const value = cookieFrom(await openPortal(code)).split('=')[1]!
    expect(await findCount('dashboard_sessions', 'session', value)).toBe(0)
    expect(await findCount('dashboard_sessions', 'portal session', value)).toBe(1)
  })

  it('has the code in the fragment, and is valid for one hour', async () => {
    const { status, body, headers } = await createLink()
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body.url).toMatch(
      new RegExp(`^http://[^/]+/dashboard/portal/webhooks/${webhook.id}#code=[A-Za-z0-9_-]{43}$`),
    )
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 3_600_000)).toBeLessThan(60_000)
  })

  it('is created once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'portal-link' }
    const [first, second] = [await createLink({}, { headers }), await createLink({}, { headers })]
    expect(second.text).toBe(first.text)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    const other = await createLink({ expires_in: '2h' }, { headers })
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
  })

  it('ends with the token that created it', async () => {
    const { token, id } = await service.mint('webhooks:read,webhooks:write', undefined, '10m')
    const { body: record } = await service.call('GET', '/v1/auth/token/self', { token })
    const response = await createLink({ expires_in: '24h' }, { token })
    expect(response.body.expires_at).toBe(record.expires_at)
    const cookie = cookieFrom(await openPortal(codeIn(response)))
    expect((await fromPortal(cookie, 'GET', `/v1/webhooks/${webhook.id}`)).status).toBe(200)
    await service.call('DELETE', `/v1/auth/token/${id}`)
    expect((await fromPortal(cookie, 'GET', `/v1/webhooks/${webhook.id}`)).status).toBe(401)
  })

  it('works once, only in the portal, and only until it expires', async () => {
    const code = codeIn(await createLink())
    const inDashboard = await service.call('POST', '/dashboard/session', {
      token: null,
      body: { code },
      headers: fromPage,
    })
    expect(inDashboard.body.code).toBe('invalid_code')
    const responses = await Promise.all([openPortal(code), openPortal(code), openPortal(code)])
    expect(responses.map(({ status }) => status).sort()).toEqual([204, 401, 401])
    const late = codeIn(await createLink())
    await service.db.query(`UPDATE dashboard_codes SET expires_at = now()`)
    expect((await openPortal(late)).body.code).toBe('invalid_code')
  })

  it('signs in with the one database connection of its request', async () => {
    const small = await startService({ env: { DATABASE_POOL_SIZE: '2' } })
    try {
      const path = `/v1/webhooks/${(await makeWebhook(small)).id}/portal`
      const codes: string[] = []
      for (let i = 0; i < 6; i++) codes.push(codeIn(await small.call('POST', path, { body: {} })))
      small.app.get(TokenCache).evict(decodeId('tok', small.tokenId)!)
      const responses = await Promise.all(codes.map((code) => openPortal(code, small)))
      expect(responses.map(({ status }) => status)).toEqual(codes.map(() => 204))
    } finally {
      await small.stop()
    }
  })

  it('is rejected when its token is revoked during the sign-in', async () => {
    const { token, id } = await service.mint('webhooks:read,webhooks:write')
    const code = codeIn(await createLink({}, { token }))
    let opening!: Promise<ServiceResponse>
    await duringTransaction(service, async (tx) => {
      await tx.query('UPDATE tokens SET revoked_at = now() WHERE id = $1', [decodeId('tok', id)])
      opening = openPortal(code)
      await waitFor('the sign-in to wait for the revocation', async () => {
        const waiting = await service.db.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        )
        return waiting.length > 0
      })
    })
    expect((await opening).body.code).toBe('token_revoked')
  })

  it.each([
    [{ expires_in: '25h' }, '/expires_in'],
    [{ expires_in: '10' }, '/expires_in'],
    [{ allow: ['delete'] }, '/allow'],
    [{ allow: 'test' }, '/allow'],
    [{ allow: ['test', 'test', 'test', 'test'] }, '/allow'],
    [{ webhook: 'x' }, '/webhook'],
  ])('is not created from %j', async (body, pointer) => {
    const response = await createLink(body, { undocumented: true })
    expect([response.status, response.body.errors[0].pointer]).toEqual([422, pointer])
  })

  it('needs both scopes, and a webhook of the workspace', async () => {
    const { token } = await service.mint('webhooks:write')
    expect((await createLink({}, { token })).status).toBe(403)
    const unknown = 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz'
    expect((await service.call('POST', `/v1/webhooks/${unknown}/portal`, { body: {} })).status).toBe(404)
  })

  it('is recorded in the audit log without its code', async () => {
    const response = await createLink({ allow: ['test'] })
    await openPortal(codeIn(response))
    const { body, text } = await service.call('GET', '/v1/audit-log?limit=2')
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'session.created',
      'webhook.portal_link_created',
    ])
    expect(body.data[1]).toMatchObject({ object: { id: webhook.id }, details: { allow: ['test'] } })
    expect(text).not.toContain(codeIn(response))
  })
})

describe('a portal session', () => {
  it('has a cookie that browsers send only to the portal', async () => {
    const response = await openPortal(codeIn(await createLink({ expires_in: '15m' })))
    expect(response.headers.get('set-cookie')).toMatch(
      /^link_service_portal=[A-Za-z0-9_-]{43}; Path=\/dashboard\/portal; HttpOnly; SameSite=Strict; Max-Age=(?:900|89\d)$/,
    )
  })

  it('describes itself, and ends', async () => {
    const cookie = await startSession(['test', 'rotate'])
    const describe = () =>
      service.call('GET', '/dashboard/portal/session', {
        token: null,
        headers: { cookie },
        undocumented: true,
      })
    expect((await describe()).body).toEqual({
      webhook_id: webhook.id,
      allow: ['test', 'rotate'],
      expires_at: expect.stringMatching(/Z$/),
    })
    const ended = await service.call('DELETE', '/dashboard/portal/session', {
      token: null,
      headers: { ...fromPage, cookie },
      undocumented: true,
    })
    expect(ended.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await describe()).status).toBe(401)
    expect((await fromPortal(cookie, 'GET', `/v1/webhooks/${webhook.id}`)).status).toBe(401)
    const { body } = await service.call('GET', '/v1/audit-log?action=session.ended')
    expect(body.data).toMatchObject([
      {
        actor: { type: 'token', id: service.tokenId },
        object: { type: 'session' },
        details: { webhook_id: webhook.id },
      },
    ])
  })

  it('ends at its time', async () => {
    const cookie = await startSession()
    const read = () => fromPortal(cookie, 'GET', `/v1/webhooks/${webhook.id}`)
    expect((await read()).status).toBe(200)
    const sessions = await service.db.query<{ id: string }>(
      `UPDATE dashboard_sessions SET ends_at = now() WHERE webhook_id IS NOT NULL RETURNING id`,
    )
    for (const { id } of sessions)
      await service.db.query(`SELECT pg_notify('link_service_changes', 'session:' || $1)`, [id])
    await waitFor('the session to end', async () => (await read()).status === 401)
  })

  it('works only under the path of the portal', async () => {
    const cookie = await startSession(['test'])
    const value = cookie.split('=')[1]!
    for (const [path, name] of [
      ['/dashboard/api', 'link_service_session'],
      ['/dashboard/api', 'link_service_portal'],
      ['/api', 'link_service_portal'],
    ] as const) {
      const response = await service.call('GET', `${path}/v1/webhooks/${webhook.id}`, {
        token: null,
        headers: { cookie: `${name}=${value}` },
        undocumented: true,
      })
      expect([path, response.status]).toEqual([path, 401])
    }
    const session = (await signInAs(service, service.token)).split('=')[1]!
    const reversed = await fromPortal(`link_service_portal=${session}`, 'GET', `/v1/webhooks/${webhook.id}`)
    expect(reversed.status).toBe(401)
  })

  it('cannot end sessions of the token that created its link', async () => {
    const dashboard = await signInAs(service, service.token)
    const portal = await startSession()
    for (const query of ['', '?all=true']) {
      const { status } = await service.call('DELETE', `/dashboard/session${query}`, {
        token: null,
        headers: { ...fromPage, cookie: `link_service_session=${portal.split('=')[1]!}` },
      })
      expect(status).toBe(204)
    }
    const { status } = await service.call('GET', '/dashboard/api/v1/auth/token/self', {
      token: null,
      headers: { cookie: dashboard },
    })
    expect(status).toBe(200)
    expect((await fromPortal(portal, 'GET', `/v1/webhooks/${webhook.id}`)).status).toBe(200)
  })

  it('reads the webhook, its deliveries and their attempts', async () => {
    const cookie = await startSession()
    await makeLink(service)
    const { body } = await fromPortal(cookie, 'GET', `/v1/webhooks/${webhook.id}/deliveries`)
    expect(body.data.length).toBeGreaterThan(0)
    const [{ id }] = body.data
    const path = `/v1/webhooks/${webhook.id}/deliveries/${id}`
    expect((await fromPortal(cookie, 'GET', path)).body.id).toBe(id)
    expect((await fromPortal(cookie, 'GET', `/v1/webhooks/${webhook.id}/stats`)).status).toBe(200)
  })

  it('performs only the actions that its link allows', async () => {
    await makeLink(service)
    const { body } = await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)
    const base = `/v1/webhooks/${webhook.id}`
    const calls: Record<string, [path: string, body?: object][]> = {
      test: [[`${base}/test`, {}]],
      replay: [
        [`${base}/deliveries/${body.data[0].id}/redeliver`],
        [`${base}/replay`, { since: '1d', status: 'all', dry_run: true }],
      ],
      rotate: [[`${base}/secret/rotate`, {}]],
    }
    for (const allowed of [undefined, 'test', 'replay', 'rotate']) {
      const cookie = await startSession(allowed === undefined ? [] : [allowed])
      for (const [action, requests] of Object.entries(calls))
        for (const [path, payload] of requests) {
          const { status } = await fromPortal(cookie, 'POST', path, payload)
          expect([allowed, path, status < 300 ? 'done' : status]).toEqual([
            allowed,
            path,
            action === allowed ? 'done' : 403,
          ])
        }
    }
  })

  it('replays no events that the webhook never had', async () => {
    const cookie = await startSession(['replay'])
    const body = { since: '1d', from: 'events' }
    const response = await fromPortal(cookie, 'POST', `/v1/webhooks/${webhook.id}/replay`, body)
    expect(response).toMatchObject({ status: 403, body: { code: 'restricted', restriction: 'portal' } })
  })

  it('gets the response of an unknown webhook for every other webhook', async () => {
    const cookie = await startSession(['test', 'replay', 'rotate'])
    const ignoringId = ({ body }: ServiceResponse) => ({ ...body, instance: null })
    const unknown = await service.call('GET', '/v1/webhooks/wh_01kaj3w4q2e6r8t0y1v3b5n7mz')
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/deliveries'],
      ['GET', '/stats'],
      ['POST', '/test'],
      ['POST', '/secret/rotate'],
    ] as const) {
      const response = await fromPortal(cookie, method, `/v1/webhooks/${other.id}${path}`)
      expect([path, response.status, ignoringId(response)]).toEqual([path, 404, ignoringId(unknown)])
    }
  })

  it('is rejected by every other route', async () => {
    const cookie = await startSession(['test', 'replay', 'rotate'])
    const link = await makeLink(service, { title: 'Private title' })
    const open = new Set([
      'GET /v1/instance/deliveries',
      'GET /v1/webhooks/:id',
      'GET /v1/webhooks/:id/deliveries',
      'GET /v1/webhooks/:id/deliveries/:delivery_id',
      'POST /v1/webhooks/:id/deliveries/:delivery_id/redeliver',
      'POST /v1/webhooks/:id/replay',
      'POST /v1/webhooks/:id/secret/rotate',
      'GET /v1/webhooks/:id/stats',
      'POST /v1/webhooks/:id/test',
      // Accepts any caller that has the value of the token to revoke.
      'POST /v1/auth/revoke',
    ])
    const routes = service.app
      .get(RouteTable)
      .routes.filter(({ method, url }) => url.startsWith('/api/v1/') && method !== 'HEAD')
      .map(({ method, url }) => [method, url.slice('/api'.length)] as const)
    expect(routes.length).toBeGreaterThan(50)
    for (const [method, url] of routes) {
      if (open.delete(`${method} ${url}`)) continue
      const path = url.startsWith('/v1/links')
        ? url.replace(':id', link.id).replace(':slug', link.slug)
        : url.replace(':id', webhook.id)
      const response = await fromPortal(
        cookie,
        method,
        path.replace(/:\w+/g, 'x'),
        method === 'GET' ? undefined : {},
      )
      expect([method, url, response.status]).toEqual([method, url, response.status === 404 ? 404 : 403])
      expect(response.text).not.toContain('Private title')
    }
    expect([...open]).toEqual([])
  })
})
