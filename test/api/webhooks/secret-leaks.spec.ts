/** A generated signing secret is shown once, and no secret appears in logs, the audit log or database dumps. */
import { WebhookSecrets } from '../../../src/webhooks/webhook-secrets.js'
import { readAllRows } from '../../support/database.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { getWebhookUuid } from '../../support/factories/webhooks.js'

let service: Service
let log = ''
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' }, onLog: (text) => (log += text) })
})
afterAll(() => service.stop())

const request = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call(method, path, { headers, ...(body === undefined ? {} : { body }) })

it('a secret is not shown in later responses, logs or dumps', async () => {
  const chosen = 'chosen-Kx81mQ-by-the-caller'
  const url = 'https://receiver.example/hooks'
  const created = await request(
    'POST',
    '/v1/webhooks',
    { url, events: ['*'] },
    { 'idempotency-key': 'created' },
  )
  const { id } = created.body
  const changed = 'changed-7Pd02z-by-the-caller'
  const responses = [
    await request(
      'POST',
      '/v1/webhooks',
      { url, events: ['*'], secret: chosen },
      { 'idempotency-key': 'chosen' },
    ),
    await request('PATCH', `/v1/webhooks/${id}`, { secret: changed }),
  ]
  const rotated = await request(
    'POST',
    `/v1/webhooks/${id}/secret/rotate`,
    {},
    { 'idempotency-key': 'rotated' },
  )
  const secrets = [created.body.secret as string, chosen, changed, rotated.body.secret as string]
  for (const secret of secrets) expect(secret.length).toBeGreaterThan(20)

  responses.push(
    await request('PATCH', `/v1/webhooks/${id}`, { secret: `${chosen}\u0000`, description: 1 }),
    await request('POST', `/v1/webhooks/${id}/secret/rotate`, { secret: chosen, overlap: 'x' }),
    await request('POST', '/v1/links', { url: 'https://target.example' }),
    await request('GET', `/v1/webhooks/${id}`),
    await request('GET', '/v1/webhooks'),
    await request('GET', '/v1/audit-log?limit=100'),
    await request('GET', '/v1/events'),
    await request('DELETE', `/v1/webhooks/${id}`, undefined, { 'x-request-id': 'last-request' }),
  )
  expect(responses.map(({ status }) => status)).toEqual([201, 200, 422, 422, 201, 200, 200, 200, 200, 204])
  await waitFor('the last line of the log', () => log.includes('last-request'))

  const stored = await readAllRows(service.db)
  expect(stored).toContain(url)
  for (const secret of secrets) {
    const core = secret.replace('whsec_', '')
    for (const { text } of responses) expect(text).not.toContain(core)
    expect(log).not.toContain(core)
    const bytes = [Buffer.from(core), Buffer.from(core, 'base64')]
    const forms = bytes.flatMap((each) => [each.toString('hex'), each.toString('base64')])
    for (const form of [core, ...forms]) expect(stored.includes(form)).toBe(false)
  }
})

it('a sealed secret cannot be moved to another webhook', async () => {
  const url = 'https://receiver.example/hooks'
  const body = { url, events: ['*'], secret: 'the same in both' }
  const [one, two] = [
    await request('POST', '/v1/webhooks', body),
    await request('POST', '/v1/webhooks', body),
  ]
  const rows = await service.db.query<{ id: string; sealed_secret: Buffer }>(
    'SELECT id, sealed_secret FROM webhooks',
  )
  expect(new Set(rows.map(({ sealed_secret }) => sealed_secret.toString('hex'))).size).toBe(rows.length)
  const sealedSecret = rows.find(({ id }) => id === getWebhookUuid(two.body))!.sealed_secret
  const secrets = service.app.get(WebhookSecrets)
  expect(
    [one, two].map(({ body: { id } }) => secrets.isReadable({ id: getWebhookUuid({ id }), sealedSecret })),
  ).toEqual([false, true])
})

it('the audit log contains only the host of a webhook URL', async () => {
  const url = 'https://receiver.example:8443/T0000/credential-in-the-path'
  const { id } = (await request('POST', '/v1/webhooks', { url, events: ['click'] })).body
  const created = await request('GET', `/v1/audit-log?object_id=${id}`)
  expect(created.text).not.toContain('credential')
  expect(created.body.data[0].object.name).toBe('receiver.example:8443')
  await request('PATCH', `/v1/webhooks/${id}`, {
    description: 'x',
    secret: 'another secret',
    status: 'paused',
  })
  await request('POST', `/v1/webhooks/${id}/secret/rotate`, { overlap: '0s' })
  await request('DELETE', `/v1/webhooks/${id}`)
  await request('DELETE', `/v1/webhooks/${id}`)
  const { body, text } = await request('GET', `/v1/audit-log?object_id=${id}`)
  expect(text).not.toContain('credential')
  expect(body.data.map(({ action, object, details }: any) => ({ action, object, details }))).toEqual(
    [
      { action: 'webhook.deleted', details: { host: 'receiver.example:8443' } },
      { action: 'webhook.secret_rotated', details: { old_ends_at: null } },
      {
        action: 'webhook.changed',
        details: { fields: ['description', 'status', 'secret'], status: 'paused' },
      },
      { action: 'webhook.created', details: { host: 'receiver.example:8443', events: ['click'] } },
    ].map((entry) => ({ ...entry, object: { type: 'webhook', id, name: 'x' } })),
  )
  for (const { actor, address } of body.data) expect([actor.type, address]).toEqual(['token', '127.0.0.1'])
  const byAction = (await request('GET', '/v1/audit-log?action=webhook.deleted')).body.data
  expect(byAction.map(({ object }: any) => object.id)).toContain(id)
  const asToken = id.replace('wh_', 'tok_')
  expect((await request('GET', `/v1/audit-log?object_id=${asToken}`)).body.data).toEqual([])
})
