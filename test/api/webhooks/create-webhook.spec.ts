import { eventTypes } from '../../../src/events/catalog.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { receiverUrl, getWebhookUuid, makeWebhook, withoutSecret } from '../../support/factories/webhooks.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const create = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/webhooks', { body, headers })
const get = (id: string) => service.call('GET', `/v1/webhooks/${id}`)
const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe('a webhook', () => {
  it('requires only a URL and events, and gets a generated secret, which is shown', async () => {
    const { status, headers, body } = await create({ url: receiverUrl, events: ['link.created', 'click'] })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^wh_[0-7][0-9a-z]{25}$/),
      url: receiverUrl,
      events: ['link.created', 'click'],
      filter: null,
      description: null,
      status: 'active',
      disabled_reason: null,
      max_in_flight: 20,
      ordered: false,
      batch: null,
      secret_hint: `…${body.secret.slice(-4)}`,
      secret_rotation: null,
      format: 'standard',
      headers: {},
      held: 0,
      pending: 0,
      last_success_at: null,
      failing_since: null,
      last_error: null,
      success_rate_24h: null,
      next_attempt_at: null,
      circuit: 'closed',
      created_at: timestamp,
      updated_at: body.created_at,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    })
    expect(headers.get('location')).toBe(`/api/v1/webhooks/${body.id}`)
    expect(headers.get('cache-control')).toBe('no-store')
    const read = await get(body.id)
    expect(read.body).toEqual(withoutSecret(body))
    expect(read.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(read.headers.get('etag')).toBe(headers.get('etag'))
  })

  it('has all given fields, and does not show a given secret', async () => {
    const fields = {
      url: 'https://receiver.example:8443/a/%7Eb?c=d&e',
      events: ['*'],
      description: 'Das Lager \u{1F331} <b>',
      max_in_flight: 100,
    }
    const { status, body } = await create({ ...fields, secret: 'a secret of their own' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ ...fields, secret_hint: '… own' })
    expect(body.secret).toBeNull()
    expect((await get(body.id)).body).toEqual(withoutSecret(body))
  })

  it.each([
    ['secret', 'x'],
    ['secret', 'a'.repeat(256)],
    ['secret', '\u{1F331}'.repeat(256)],
    ['secret', ' with spaces '],
    ['secret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    ['secret', 'WHSEC_not base64'],
    ['description', null],
    ['description', 'x'],
    ['description', '\u{1F331}'.repeat(500)],
    ['max_in_flight', 1],
    ['max_in_flight', 100],
    ['events', ['*']],
    ['events', [...eventTypes, '*']],
    ['url', `${receiverUrl}?${'a'.repeat(2048 - receiverUrl.length - 1)}`],
    ['url', 'https://bücher.example/haken'],
    ['url', 'HTTPS://RECEIVER.EXAMPLE'],
  ])('accepts %s at its limits', async (field, value) => {
    const { status, body } = await create({ url: receiverUrl, events: ['click'], [field]: value })
    expect({ status, errors: body.errors }).toEqual({ status: 201, errors: undefined })
    if (field !== 'secret') expect(body[field]).toEqual(value)
  })

  it.each(eventTypes)('can subscribe to %s', async (name) => {
    expect(await makeWebhook(service, { events: [name] })).toMatchObject({ events: [name] })
  })

  it('removes repeated events', async () => {
    const { events } = await makeWebhook(service, { events: ['click', 'link.created', 'click'] })
    expect(events).toEqual(['click', 'link.created'])
  })

  it('has no hint for a short secret', async () => {
    expect(await makeWebhook(service, { secret: 'hunter2' })).toMatchObject({ secret_hint: '…' })
  })

  it('may use http only if WEBHOOK_ALLOW_HTTP is true', async () => {
    const open = await startService({ env: { WEBHOOK_ALLOW_HTTP: 'true' }, db: service.db })
    const body = { url: 'http://receiver.example/hooks', events: ['click'] }
    expect((await open.call('POST', '/v1/webhooks', { body })).status).toBe(201)
    await open.stop()
    const { status, body: refusal } = await create(body)
    expect([status, refusal.errors[0].pointer]).toEqual([422, '/url'])
  })

  it('is created with its lane', async () => {
    const webhook = await makeWebhook(service)
    const lanes = await service.db.query('SELECT * FROM lanes WHERE webhook_id = $1', [
      getWebhookUuid(webhook),
    ])
    expect(lanes).toEqual([expect.objectContaining({ succeeded: '0', failures_in_a_row: 0, probe_at: null })])
  })
})

describe('a repetition with the same Idempotency-Key', () => {
  const body = { url: receiverUrl, events: ['click'] }
  const count = async () =>
    (await service.db.query<{ count: number }>('SELECT count(*)::int AS count FROM webhooks'))[0]!.count

  it('replays the first response with its secret, and creates nothing', async () => {
    const headers = { 'idempotency-key': 'webhook-1' }
    const first = await create(body, headers)
    const before = await count()
    const second = await create(body, headers)
    expect(second.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect(second.body.secret).toMatch(/^whsec_/)
    for (const name of ['location', 'etag', 'cache-control'])
      expect(second.headers.get(name)).toBe(first.headers.get(name))
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await count()).toBe(before)
    expect((await create({ ...body, description: 'x' }, headers)).body.code).toBe('idempotency_mismatch')
  })

  it('creates one webhook in 20 concurrent requests', async () => {
    const before = await count()
    const headers = { 'idempotency-key': 'webhook-20' }
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(body, headers)))
    expect(await count()).toBe(before + 1)
    expect(new Set(responses.filter(({ status }) => status === 201).map(({ text }) => text)).size).toBe(1)
  })

  it('is validated again after a refusal', async () => {
    const headers = { 'idempotency-key': 'webhook-refused' }
    for (let i = 0; i < 2; i++) {
      const response = await create({ url: 'x', events: [] }, headers)
      expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([422, null])
      expect(response.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
        '/events',
        '/url',
      ])
    }
    expect((await create({ url: receiverUrl, events: ['*'] }, headers)).status).toBe(201)
  })
})
