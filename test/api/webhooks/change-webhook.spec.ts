import { withoutInstance } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import {
  getWebhookUuid,
  makeDeliveries,
  makeWebhook,
  withoutSecret,
} from '../../support/factories/webhooks.js'

let service: Service
let otherToken: string
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('elsewhere')
  otherToken = (await service.mint(undefined, 'elsewhere')).token
})
afterAll(() => service.stop())

const unknown = 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz'
const get = (id: string) => service.call('GET', `/v1/webhooks/${id}`)
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('PATCH', `/v1/webhooks/${id}`, { body, headers })
const remove = (id: string, headers: Record<string, string> = {}) =>
  service.call('DELETE', `/v1/webhooks/${id}`, { headers })

const allFields = { description: 'Mine', events: ['click', 'link.created'], max_in_flight: 5 }
const createWebhook = async () => withoutSecret(await makeWebhook(service, allFields))
const setStatus = (webhook: { id: string }, status: string, reason: string | null = null) =>
  service.db.query('UPDATE webhooks SET status = $2, disabled_reason = $3 WHERE id = $1', [
    getWebhookUuid(webhook),
    status,
    reason,
  ])

describe('a change', () => {
  it.each([
    ['url', 'https://elsewhere.example/new'],
    ['events', ['*']],
    ['events', ['link.created', 'click']],
    ['description', 'New'],
    ['description', null],
    ['max_in_flight', 100],
    ['status', 'paused'],
  ])('of %s to %j keeps the other fields', async (field, value) => {
    const created = await createWebhook()
    const changed = await patch(created.id, { [field]: value })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...created, [field]: value, updated_at: changed.body.updated_at })
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(created.updated_at))
    expect((await get(created.id)).body).toEqual(changed.body)
  })

  it('may have the content type of a merge patch', async () => {
    const { id } = await createWebhook()
    const headers = { 'content-type': 'application/merge-patch+json' }
    expect((await patch(id, { description: 'Merged' }, headers)).body.description).toBe('Merged')
  })

  it('without effect keeps updated_at and the ETag, and writes no audit entry', async () => {
    const secret = 'the present secret'
    const { id } = await makeWebhook(service, { ...allFields, secret })
    const { body: webhook, headers } = await get(id)
    const etag = headers.get('etag')
    for (const body of [
      {},
      allFields,
      { url: webhook.url, status: 'active', secret },
      { events: ['click', 'link.created', 'click'] },
    ]) {
      const response = await patch(webhook.id, body)
      expect([response.status, response.body]).toEqual([200, webhook])
      expect(response.headers.get('etag')).toBe(etag)
    }
    const { body } = await service.call('GET', `/v1/audit-log?object_id=${webhook.id}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['webhook.created'])
  })

  it('always has a new version, even in quick succession', async () => {
    const { id, updated_at } = await createWebhook()
    const seen = [updated_at]
    for (let i = 0; i < 20; i++) seen.push((await patch(id, { description: `${i}` })).body.updated_at)
    expect(new Set(seen).size).toBe(21)
    expect(seen).toEqual([...seen].sort())
  })

  it('is not lost among 32 concurrent changes of different fields', async () => {
    const { id } = await createWebhook()
    const bodies = [{ description: 'D' }, { events: ['*'] }, { max_in_flight: 7 }, { status: 'paused' }]
    const responses = await Promise.all(Array.from({ length: 32 }, (_, i) => patch(id, bodies[i % 4])))
    expect(responses.map(({ status }) => status)).toEqual(Array(32).fill(200))
    expect((await get(id)).body).toMatchObject(Object.assign({}, ...bodies) as object)
  })
})

describe('the status', () => {
  it('decides whether waiting deliveries are pending or held', async () => {
    const webhook = await createWebhook()
    await makeDeliveries(service, webhook, 7)
    await makeDeliveries(service, webhook, 3, 'succeeded')
    expect((await get(webhook.id)).body).toMatchObject({ pending: 7, held: 0 })
    expect((await patch(webhook.id, { status: 'paused' })).body).toMatchObject({ pending: 0, held: 7 })
    expect((await patch(webhook.id, { status: 'active' })).body).toMatchObject({ pending: 7, held: 0 })
    await setStatus(webhook, 'disabled', 'Gone.')
    expect((await get(webhook.id)).body).toMatchObject({ pending: 0, held: 7, disabled_reason: 'Gone.' })
  })

  it.each(['active', 'paused'])(
    'of a disabled webhook can change to %s, which removes the reason',
    async (status) => {
      const webhook = await createWebhook()
      await setStatus(webhook, 'disabled', 'No attempt has succeeded for 5 days.')
      expect((await patch(webhook.id, { description: 'still off' })).body).toMatchObject({
        status: 'disabled',
        disabled_reason: 'No attempt has succeeded for 5 days.',
      })
      expect((await patch(webhook.id, { status })).body).toMatchObject({ status, disabled_reason: null })
    },
  )

  const lane = {
    paused_until: '2099-01-01T00:00:00Z',
    probe_at: '2099-01-01T00:00:00Z',
    failures_in_a_row: 9,
    failing_since: '2026-01-01T00:00:00Z',
    last_failure_at: '2026-01-02T00:00:00Z',
    failures_since: 9,
    warned_at: '2026-01-02T00:00:00Z',
    last_success_at: '2025-01-01T00:00:00.000Z',
  }
  it.each([
    ['activating a paused webhook', 'paused', { status: 'active' }, 0],
    ['activating a disabled webhook', 'disabled', { status: 'active' }, 0],
    ['changing the URL of an active webhook', 'active', { url: 'https://new.example/hooks' }, 0],
    ['changing the URL of a paused webhook', 'paused', { url: 'https://new.example/hooks' }, 9],
    ['pausing', 'active', { status: 'paused' }, 9],
    ['changing the description', 'active', { description: 'x' }, 9],
  ])('resets the failures of the lane or not after %s', async (_, status, change, failures) => {
    const webhook = await createWebhook()
    await setStatus(webhook, status)
    const columns = Object.keys(lane)
    await service.db.query(
      `UPDATE lanes SET ${columns.map((name, i) => `${name} = $${i + 2}`).join(', ')} WHERE webhook_id = $1`,
      [getWebhookUuid(webhook), ...Object.values(lane)],
    )
    const { body } = await patch(webhook.id, change)
    const [row] = await service.db.query('SELECT * FROM lanes WHERE webhook_id = $1', [
      getWebhookUuid(webhook),
    ])
    expect(row).toMatchObject({ failures_in_a_row: failures, failures_since: failures })
    for (const name of ['paused_until', 'probe_at', 'failing_since', 'last_failure_at', 'warned_at'])
      expect({ name, isNull: row![name] === null }).toEqual({ name, isNull: failures === 0 })
    expect(body).toMatchObject({
      last_success_at: '2025-01-01T00:00:00.000Z',
      failing_since: failures === 0 ? null : '2026-01-01T00:00:00.000Z',
    })
  })
})

describe('If-Match', () => {
  it('accepts the current ETag and rejects a stale one', async () => {
    const { id } = await createWebhook()
    const stale = (await get(id)).headers.get('etag')!
    const changed = await patch(id, { description: 'First' }, { 'if-match': stale })
    expect(changed.status).toBe(200)
    for (const response of [
      await patch(id, { description: 'Second' }, { 'if-match': stale }),
      await remove(id, { 'if-match': stale }),
    ])
      expect([response.status, response.body.code]).toEqual([412, 'precondition_failed'])
    expect((await get(id)).body).toEqual(changed.body)
    expect((await remove(id, { 'if-match': changed.headers.get('etag')! })).status).toBe(204)
  })

  it('accepts one of 20 changes to the same version, despite new deliveries', async () => {
    const webhook = await createWebhook()
    const ifMatch = { 'if-match': (await get(webhook.id)).headers.get('etag')! }
    await makeDeliveries(service, webhook, 1)
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(webhook.id, { description: `${i}` }, ifMatch)),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(412)])
  })
})

describe('a deleted webhook', () => {
  it('returns 404, and keeps its row', async () => {
    const webhook = await createWebhook()
    const deleted = await remove(webhook.id)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    const notFound = withoutInstance(await get(unknown))
    for (const response of [await get(webhook.id), await patch(webhook.id, {}), await remove(webhook.id)])
      expect(withoutInstance(response)).toEqual(notFound)
    const { body } = await service.call('GET', '/v1/webhooks?limit=100')
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(webhook.id)
    const rows = await service.db.query('SELECT deleted_at FROM webhooks WHERE id = $1', [
      getWebhookUuid(webhook),
    ])
    expect(rows).toEqual([{ deleted_at: expect.any(Date) }])
  })

  it('is deleted once by concurrent requests', async () => {
    const { id } = await createWebhook()
    const responses = await Promise.all(Array.from({ length: 20 }, () => remove(id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)])
  })
})

const calls = [
  ['GET', '', 'webhooks:read'],
  ['PATCH', '', 'webhooks:write'],
  ['DELETE', '', 'webhooks:write'],
  ['POST', '/secret/rotate', 'webhooks:write'],
] as const

describe('a webhook of another workspace', () => {
  it.each(calls)('returns the same 404 as an unknown webhook: %s%s', async (method, suffix) => {
    const webhook = await createWebhook()
    const request = (id: string) =>
      service.call(method, `/v1/webhooks/${id}${suffix}`, {
        token: otherToken,
        ...(method === 'PATCH' ? { body: { description: 'changed' } } : {}),
      })
    const [response, notFound] = [await request(webhook.id), await request(unknown)]
    expect(response.status).toBe(404)
    expect(withoutInstance(response)).toEqual(withoutInstance(notFound))
    expect(response.text.length).toBe(notFound.text.length)
    expect((await get(webhook.id)).body).toEqual(webhook)
  })
})

describe('the required scope', () => {
  it.each([
    ['POST', null, 'webhooks:write'],
    ['POST', null, 'events:read'],
    ['GET', null, 'webhooks:read'],
    ...calls,
  ] as const)('of %s %s is %s, and events:read only to create a webhook', async (method, suffix, scope) => {
    const all = [
      'webhooks:read',
      'webhooks:write',
      'links:read',
      'links:write',
      'events:read',
      'tokens:write',
    ]
    const { id } = await createWebhook()
    const request = (token: string | null) =>
      service.call(method, suffix === null ? '/v1/webhooks' : `/v1/webhooks/${id}${suffix}`, {
        token,
        ...(suffix === null && method === 'POST'
          ? { body: { url: 'https://a.example', events: ['*'] } }
          : {}),
        ...(method === 'PATCH' ? { body: {} } : {}),
      })
    const { token: without } = await service.mint(all.filter((each) => each !== scope).join())
    const refused = await request(without)
    expect([refused.status, refused.body.required]).toEqual([403, [scope]])
    expect((await request(null)).status).toBe(401)
    const isCreation = suffix === null && method === 'POST'
    const { token: only } = await service.mint(isCreation ? 'webhooks:write,events:read' : scope)
    expect((await request(only)).status).toBeLessThan(300)
  })
})
