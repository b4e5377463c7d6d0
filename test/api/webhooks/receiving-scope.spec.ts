/** Setting the URL or events of a webhook requires events:read, because the webhook receives events. */
import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { receiverUrl, makeWebhook } from '../../support/factories/webhooks.js'

let service: Service
/** A token with webhooks:write and without events:read. */
let writer: { id: string; token: string }
beforeAll(async () => {
  service = await shareService()
  writer = await service.mint('webhooks:read,webhooks:write,links:write')
})
afterAll(() => service.stop())

const create = (token: string) =>
  service.call('POST', '/v1/webhooks', { token, body: { url: receiverUrl, events: ['link.created'] } })
const patch = (id: string, body: unknown, token = writer.token) =>
  service.call('PATCH', `/v1/webhooks/${id}`, { token, body })
const get = async (id: string) => (await service.call('GET', `/v1/webhooks/${id}`)).body
const refusals = async () =>
  (await service.call('GET', '/v1/audit-log?action=token.refused&limit=100')).body.data as {
    actor: { id: string }
    object: { id: string }
    details: object
  }[]

function expectRejected({ status, headers, body }: ServiceResponse): void {
  expect(status).toBe(403)
  expect(body).toMatchObject({
    code: 'insufficient_scope',
    required: ['events:read'],
    granted: ['links:write', 'webhooks:read', 'webhooks:write'],
  })
  expect(body.detail).toContain('events:read')
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="link-service", error="insufficient_scope", scope="events:read"',
  )
}

it('creating a webhook requires events:read', async () => {
  const count = async () => (await service.db.query('SELECT FROM webhooks')).length
  const before = await count()
  expectRejected(await create(writer.token))
  expect(await count()).toBe(before)
  expect((await create((await service.mint('webhooks:write,events:read')).token)).status).toBe(201)
})

it('creating a webhook without both scopes names both', async () => {
  const { token } = await service.mint('links:read')
  const { status, headers, body } = await create(token)
  expect([status, body.required]).toEqual([403, ['webhooks:write', 'events:read']])
  expect(headers.get('www-authenticate')).toContain('scope="webhooks:write events:read"')
  expect(body.detail).toContain('webhooks:write and events:read')
})

it.each([
  ['the url', { url: 'https://elsewhere.example/hooks' }],
  ['the events', { events: ['link.created', 'click'] }],
  ['fewer events', { events: ['link.deleted'] }],
  ['the events and another field', { description: 'D', events: ['*'] }],
])('changing %s requires events:read', async (_, change) => {
  const { id } = await makeWebhook(service, { events: ['link.created', 'link.deleted'] })
  const before = await get(id)
  expectRejected(await patch(id, change))
  expect(await get(id)).toEqual(before)
  const { token } = await service.mint('webhooks:write,events:read')
  expect((await patch(id, change, token)).status).toBe(200)
})

it('changing other fields does not require events:read, even with the same URL and events', async () => {
  const { id, url, events } = await makeWebhook(service)
  for (const change of [
    { status: 'paused' },
    { max_in_flight: 3, url, events },
    { secret: 'a new one', url },
  ])
    expect((await patch(id, change)).status).toBe(200)
  expect(await get(id)).toMatchObject({ status: 'paused', max_in_flight: 3, url, events })
})

it('404 and 412 take precedence over the missing scope', async () => {
  const { id } = await makeWebhook(service)
  expect((await patch('wh_01kaj3w4q2e6r8t0y1v3b5n7mz', { events: ['*'] })).status).toBe(404)
  const stale = await service.call('PATCH', `/v1/webhooks/${id}`, {
    token: writer.token,
    body: { events: ['*'] },
    headers: { 'if-match': '"stale"' },
  })
  expect(stale.status).toBe(412)
})

it('refusals are recorded in the audit log', async () => {
  const { id, token } = await service.mint('webhooks:write')
  await create(token)
  const webhook = await makeWebhook(service)
  await patch(webhook.id, { events: ['*'] }, token)
  const ofToken = (await refusals()).filter(({ actor }) => actor.id === id)
  expect(ofToken).toEqual([
    expect.objectContaining({
      object: { type: 'token', id, name: 'a test token' },
      details: { required: 'events:read', method: 'PATCH', path: '/api/v1/webhooks/:id' },
    }),
    expect.objectContaining({
      object: { type: 'token', id, name: 'a test token' },
      details: { required: 'events:read', method: 'POST', path: '/api/v1/webhooks' },
    }),
  ])
})

it('a webhook is not affected by the revocation of the token that created it', async () => {
  const creator = await service.mint('webhooks:write,events:read')
  const webhook = await makeWebhook(service, {}, creator.token)
  expect((await service.call('DELETE', `/v1/auth/token/${creator.id}`)).status).toBe(204)
  expect(await get(webhook.id)).toMatchObject({ id: webhook.id, status: 'active', events: webhook.events })
})
