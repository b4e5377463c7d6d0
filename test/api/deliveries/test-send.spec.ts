import { Webhook as Verifier } from 'standardwebhooks'

import { decodeId } from '../../../src/platform/database/ids.js'
import { eventTypes } from '../../../src/events/catalog.js'
import { payloads } from '../../../src/events/payloads.js'
import { WebhookSecrets } from '../../../src/webhooks/webhook-secrets.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { makeWebhook, secret, readStats } from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'
import { startReceiver } from './receiver.js'
import type { Receiver } from './receiver.js'

let service: Service
let receiver: Receiver
beforeAll(async () => {
  receiver = await startReceiver()
  service = await startService({
    env: { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', WEBHOOK_TIMEOUT: '2s' },
  })
})
afterAll(async () => {
  await service.stop()
  await receiver.stop()
})
beforeEach(() => {
  receiver.received.length = 0
  receiver.respond = (response) => response.writeHead(204).end()
})

const make = (fields: Parameters<typeof makeWebhook>[1] = {}) =>
  makeWebhook(service, { url: receiver.url, ...fields })
const test = (webhook: MadeWebhook, body?: object): Promise<ServiceResponse> =>
  service.call('POST', `/v1/webhooks/${webhook.id}/test`, { body })
const listDeliveries = async (webhook: MadeWebhook): Promise<any[]> =>
  (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`)).body.data
const eventRows = (id: string) =>
  service.db.query<{ type: string; body: string }>('SELECT type, body FROM events WHERE id = $1', [
    decodeId('evt', id),
  ])

describe('a test', () => {
  it('is sent immediately and signed, and the response shows the request and the result', async () => {
    const webhook = await make()
    const { status, body } = await test(webhook)
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['attempt', 'delivered', 'event', 'request', 'verdict'])
    expect(body).toMatchObject({
      delivered: true,
      verdict: `The receiver responded with 204 in ${body.attempt.duration_ms} ms.`,
      event: {
        id: expect.stringMatching(/^evt_/),
        type: 'webhook.test',
        data: { webhook_id: webhook.id, message: expect.any(String) },
      },
      attempt: { number: 1, status_code: 204, error: null },
    })
    expect(receiver.received).toHaveLength(1)
    const [{ method, path, headers, body: sent }] = receiver.received as [(typeof receiver.received)[0]]
    expect([method, path]).toEqual(['POST', '/hooks?of=link-service'])
    expect(sent).toBe(body.request.body)
    expect(JSON.parse(sent)).toEqual(body.event)
    expect(headers).toMatchObject(body.request.headers)
    expect(body.attempt.request_headers).toEqual(body.request.headers)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^link-service\/\d/),
      'webhook-id': body.event.id,
      'webhook-attempt': '1',
    })
    expect(headers).not.toHaveProperty('webhook-sequence')
    expect(new Verifier(secret).verify(sent, headers as Record<string, string>)).toEqual(body.event)
  })

  it('returns a curl command with every header and without the secret', async () => {
    const webhook = await make()
    const { body, text } = await test(webhook, {})
    const { curl, url, headers } = body.request
    expect(curl).toMatch(/^curl /)
    expect(curl).toContain(`'${url}'`)
    for (const [name, value] of Object.entries(headers))
      expect(curl).toContain(`-H '${name}: ${String(value)}'`)
    expect(curl).toContain(`--data-binary '${body.request.body}'`)
    expect(text).not.toContain(secret)
    expect(text).not.toContain(secret.slice('whsec_'.length))
  })

  it('returns the URL as sent', async () => {
    const { body } = await test(await make({ url: `${receiver.url}&x='[1-3]'{a,b}&y=ü` }))
    const { path } = receiver.received[0]!
    expect(path).toBe('/hooks?of=link-service&x=%27[1-3]%27{a,b}&y=%C3%BC')
    expect(body.request.url).toBe(new URL(path, receiver.url).href)
    expect(body.request.curl).toContain(`'${body.request.url}'`)
  })

  it('is also signed with the old secret during the overlap', async () => {
    const webhook = await make()
    const old = 'an older secret, of words'
    const sealed = service.app
      .get(WebhookSecrets, { strict: false })
      .replace(webhook.uuid, old, null, null).sealedSecret
    await service.db.query(
      `UPDATE webhooks SET sealed_old_secret = $2, old_secret_ends_at = now() + interval '1 hour' WHERE id = $1`,
      [webhook.uuid, sealed],
    )
    const { body } = await test(webhook)
    const { headers, body: sent } = body.request
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2)
    expect(new Verifier(secret).verify(sent, headers)).toEqual(body.event)
    const oldKey = Buffer.from(old).toString('base64')
    expect(new Verifier(oldKey).verify(sent, headers)).toEqual(body.event)
  })

  it.each(['paused', 'disabled'] as const)('is sent to a %s webhook', async (status) => {
    const { body } = await test(await make({ status }))
    expect(body.delivered).toBe(true)
    expect(receiver.received).toHaveLength(1)
  })

  it('is listed as a delivery, but not counted or sent to other webhooks', async () => {
    const [webhook, other] = [await make(), await make({ events: ['*', 'webhook.test'] })]
    const { body } = await test(webhook)
    const [delivery, ...more] = await listDeliveries(webhook)
    expect(more).toEqual([])
    expect(delivery).toMatchObject({
      event_id: body.event.id,
      event_type: 'webhook.test',
      sequence: null,
      status: 'succeeded',
      attempt_count: 1,
      next_attempt_at: null,
      test: true,
      last_attempt: body.attempt,
    })
    const { started_at, duration_ms } = body.attempt as { started_at: string; duration_ms: number }
    expect(Date.parse(delivery.completed_at)).toBe(Date.parse(started_at) + duration_ms)
    expect(await listDeliveries(other)).toEqual([])
    expect(receiver.received).toHaveLength(1)
    expect(await readStats(service, webhook)).toMatchObject({
      emitted: 0,
      attempts: 0,
      success_rate_24h: null,
    })
    expect(await service.db.query('SELECT * FROM lane_hours')).toEqual([])
  })
})

describe('the event of a test', () => {
  it('is recorded with the sent bytes for webhook.test', async () => {
    const { body } = await test(await make())
    expect(await eventRows(body.event.id)).toEqual([{ type: 'webhook.test', body: body.request.body }])
  })

  it.each(eventTypes.filter((type) => type !== 'webhook.test'))(
    'is the example for %s, and is not recorded',
    async (type) => {
      const webhook = await make({ events: ['webhook.failing'] })
      const { status, body } = await test(webhook, { event: type })
      expect(status).toBe(200)
      expect(body.event).toMatchObject({ type, data: payloads[type].example })
      expect(JSON.parse(receiver.received[0]!.body)).toEqual(body.event)
      expect(await eventRows(body.event.id)).toEqual([])
      expect(await listDeliveries(webhook)).toEqual([
        expect.objectContaining({ event_id: body.event.id, event_type: type, test: true }),
      ])
    },
  )
})

describe('a test to a receiver', () => {
  it('that fails returns a verdict and is not retried', async () => {
    receiver.respond = (response) =>
      response.writeHead(500, { 'content-type': 'text/plain' }).end('out of paper')
    const webhook = await make()
    const { status, body } = await test(webhook)
    expect([status, body.delivered]).toEqual([200, false])
    expect(body.verdict).toContain('The receiver responded with 500')
    expect(body.attempt).toMatchObject({
      status_code: 500,
      error: { class: 'http_status' },
      response_body: 'out of paper',
    })
    const [delivery] = await listDeliveries(webhook)
    expect(delivery).toMatchObject({ status: 'failed', test: true, next_attempt_at: null })
    expect(await readStats(service, webhook)).toMatchObject({ emitted: 0, failed: 0, attempts: 0 })
  })

  it('that redirects does not follow the redirect', async () => {
    receiver.respond = (response) => response.writeHead(301, { location: 'https://www.example.com/' }).end()
    const { body } = await test(await make())
    expect(body.verdict).toContain('use that URL for the webhook instead')
    expect(body.attempt.error.class).toBe('redirect')
    expect(receiver.received).toHaveLength(1)
  })

  it('that responds with 410 does not disable the webhook', async () => {
    receiver.respond = (response) => response.writeHead(410).end()
    const webhook = await make()
    expect((await test(webhook)).body.delivered).toBe(false)
    const rows = await service.db.query('SELECT status FROM webhooks WHERE id = $1', [webhook.uuid])
    expect(rows).toEqual([{ status: 'active' }])
  })

  it('that refuses connections returns a verdict', async () => {
    const { body } = await test(await make({ url: 'http://127.0.0.1:9/' }))
    expect(body.delivered).toBe(false)
    expect(body.attempt).toMatchObject({ status_code: null, response_headers: null, response_body: null })
    expect(body.verdict).toMatch(/^[A-Z].+\.$/)
  })
})
