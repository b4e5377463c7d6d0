import { payloads } from '../../../src/events/payloads.js'
import { withoutInstance } from '../../support/factories/links.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import {
  makeDelivery,
  makeEvent,
  makeManyDeliveries,
  makeWebhook,
} from '../../support/factories/deliveries.js'
import type { MadeWebhook } from '../../support/factories/deliveries.js'

let service: Service
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('other')
})
afterAll(() => service.stop())

const list = (webhook: MadeWebhook, query = '') =>
  service.call('GET', `/v1/webhooks/${webhook.id}/deliveries${query && `?${query}`}`)
const read = (webhook: MadeWebhook, id: string) =>
  service.call('GET', `/v1/webhooks/${webhook.id}/deliveries/${id}`)
const getDeliveryIds = ({ body }: ServiceResponse): string[] => body.data.map(({ id }: { id: string }) => id)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const firstFailed = {
  errorClass: 'http_status',
  errorMessage: 'The receiver responded with 503.',
  statusCode: 503,
}

const clickedLink = payloads.click.example.link

describe('getting a delivery', () => {
  it('returns all fields, and the attempts, oldest first', async () => {
    const webhook = await makeWebhook(service)
    const event = await makeEvent(service, webhook)
    const { id } = await makeDelivery(service, webhook, {
      eventId: event.uuid,
      status: 'succeeded',
      attempts: [firstFailed, { statusCode: 204, durationMs: 21, body: '' }],
    })
    const { status, headers, body } = await read(webhook, id)
    expect(status).toBe(200)
    expect(headers.get('etag')).toMatch(/^"/)
    const second = {
      id: expect.stringMatching(/^att_[0-7][0-9a-z]{25}$/),
      number: 2,
      started_at: time,
      duration_ms: 21,
      status_code: 204,
      error: null,
      remote_address: '203.0.113.80',
      request_headers: expect.objectContaining({ 'webhook-id': event.id, 'webhook-attempt': '2' }),
      response_headers: { 'content-type': 'text/plain' },
      response_body: '',
      response_truncated: false,
      timings: { dns_ms: 1.5, connect_ms: 2.25, tls_ms: null, first_byte_ms: 20, total_ms: 21 },
    }
    expect(body).toEqual({
      id,
      webhook_id: webhook.id,
      event_id: event.id,
      event_type: 'click',
      subject: { type: 'link', id: clickedLink.id, name: clickedLink.slug },
      sequence: 1,
      status: 'succeeded',
      attempt_count: 2,
      next_attempt_at: null,
      waiting_for: null,
      last_attempt: second,
      test: false,
      batch_id: null,
      canceled_reason: null,
      created_at: time,
      completed_at: time,
      attempts: [expect.objectContaining({ number: 1 }), second],
    })
    expect(body.attempts[0]).toMatchObject({
      status_code: 503,
      error: { class: 'http_status', message: 'The receiver responded with 503.', phase: null },
    })
  })

  it('returns no attempts before the first one', async () => {
    const webhook = await makeWebhook(service)
    const due = new Date(Date.now() + 60_000)
    const { id } = await makeDelivery(service, webhook, { nextAttemptAt: due })
    expect((await read(webhook, id)).body).toMatchObject({
      status: 'pending',
      sequence: null,
      attempt_count: 0,
      next_attempt_at: due.toISOString(),
      last_attempt: null,
      completed_at: null,
      attempts: [],
    })
  })

  it.each(['paused', 'disabled'] as const)('returns held while the webhook is %s', async (status) => {
    const webhook = await makeWebhook(service, { status })
    const { id } = await makeDelivery(service, webhook)
    const held = { id, status: 'held', next_attempt_at: null }
    expect((await read(webhook, id)).body).toMatchObject(held)
    expect((await list(webhook)).body.data).toEqual([expect.objectContaining(held)])
    await service.db.query(`UPDATE webhooks SET status = 'active' WHERE id = $1`, [webhook.uuid])
    expect((await read(webhook, id)).body).toMatchObject({ status: 'pending', next_attempt_at: time })
  })

  it('returns why a delivery was canceled', async () => {
    const webhook = await makeWebhook(service)
    const { id } = await makeDelivery(service, webhook, { status: 'canceled', endReason: 'retention' })
    expect((await read(webhook, id)).body).toMatchObject({
      status: 'canceled',
      canceled_reason: 'retention',
      completed_at: time,
    })
  })
})

describe('listing deliveries', () => {
  it('returns the same records as getting a delivery, without the attempts', async () => {
    const webhook = await makeWebhook(service)
    await makeDelivery(service, webhook, {
      status: 'succeeded',
      attempts: [firstFailed, { statusCode: 200 }],
    })
    await makeDelivery(service, webhook, { status: 'failed', attempts: [firstFailed] })
    await makeDelivery(service, webhook, { status: 'failed', attempts: [firstFailed], test: true })
    await makeDelivery(service, webhook)
    const { body } = await list(webhook)
    expect(body.data).toHaveLength(4)
    for (const record of body.data) {
      const { attempts, ...fields } = (await read(webhook, record.id)).body
      expect(record).toEqual(fields)
      expect(attempts.at(-1) ?? null).toEqual(record.last_attempt)
    }
  })

  it('returns an empty page for a webhook without deliveries', async () => {
    expect((await list(await makeWebhook(service))).body).toEqual({
      data: [],
      has_more: false,
      next_cursor: null,
    })
  })

  describe('with filters', () => {
    let active: MadeWebhook
    let paused: MadeWebhook
    const ids: Record<string, string> = {}
    const times: Record<string, string> = {}
    beforeAll(async () => {
      active = await makeWebhook(service)
      paused = await makeWebhook(service, { status: 'paused' })
      const now = Date.now()
      const all = [
        [active, 'pending', 'click'],
        [active, 'succeeded', 'click'],
        [active, 'succeeded', 'link.created'],
        [active, 'failed', 'link.created'],
        [active, 'canceled', 'click'],
        [paused, 'pending', 'click'],
        [paused, 'failed', 'click'],
      ] as const
      for (const [i, [webhook, status, type]] of all.entries()) {
        const at = new Date(now - 7 + i)
        const name = `${webhook === active ? 'active' : 'paused'} ${status} ${type}`
        ids[name] = (await makeDelivery(service, webhook, { status, type, at })).id
        times[name] = at.toISOString()
      }
    })

    it.each([
      ['active', 'status=pending', ['active pending click']],
      ['active', 'status=held', []],
      ['active', 'status=succeeded', ['active succeeded link.created', 'active succeeded click']],
      ['active', 'status=failed', ['active failed link.created']],
      ['active', 'status=canceled', ['active canceled click']],
      ['active', 'event=link.created', ['active failed link.created', 'active succeeded link.created']],
      ['active', 'event=webhook.test', []],
      ['active', 'event=click&status=succeeded', ['active succeeded click']],
      ['paused', 'status=held', ['paused pending click']],
      ['paused', 'status=pending', []],
      ['paused', 'status=failed', ['paused failed click']],
      ['paused', 'created_after=2099-01-01T00:00:00Z', []],
      ['paused', 'created_before=2001-01-01T00:00:00Z', []],
      ['paused', 'created_after=0000-01-01T00:00:00Z&status=held', ['paused pending click']],
    ])('of the %s webhook, %s returns %j', async (which, query, names) => {
      const response = await list(which === 'active' ? active : paused, query)
      expect(response.status).toBe(200)
      expect(getDeliveryIds(response)).toEqual(names.map((name) => ids[name]))
    })

    it('excludes both ends of a time range', async () => {
      const from = times['active succeeded click']!
      const to = times['active canceled click']!
      expect(getDeliveryIds(await list(active, `created_after=${from}&created_before=${to}`))).toEqual([
        ids['active failed link.created'],
        ids['active succeeded link.created'],
      ])
    })
  })

  describe('with filters on attempts', () => {
    let webhook: MadeWebhook
    const ids: Record<string, string> = {}
    beforeAll(async () => {
      webhook = await makeWebhook(service)
      const timeout = { errorClass: 'timeout', errorMessage: 'Too late.' }
      const all = {
        untried: {},
        timedOut: { attempts: [firstFailed, timeout], type: 'link.created' },
        refused: { attempts: [firstFailed], status: 'failed' },
        succeeded: { attempts: [firstFailed, { statusCode: 200 }], status: 'succeeded' },
      } as const
      for (const [i, [name, fields]] of Object.entries(all).entries())
        ids[name] = (
          await makeDelivery(service, webhook, {
            ...(fields as Parameters<typeof makeDelivery>[2]),
            at: new Date(Date.now() - 10 + i),
          })
        ).id
    })

    it.each([
      ['tried=true', ['succeeded', 'refused', 'timedOut']],
      ['tried=true&status=pending', ['timedOut']],
      ['tried=true&event=click', ['succeeded', 'refused']],
      ['error_class=timeout', ['timedOut']],
      ['error_class=http_status', ['refused']],
      ['error_class=http_status&event=link.created', []],
      ['error_class=timeout&event=link.created&tried=true&status=pending', ['timedOut']],
      ['error_class=dns', []],
    ])('%s returns %j', async (query, names) => {
      expect(getDeliveryIds(await list(webhook, query))).toEqual(names.map((name) => ids[name]))
    })
  })

  it('returns the subject of each event only with events:read', async () => {
    const webhook = await makeWebhook(service)
    for (const type of ['link.created', 'webhook.failing', 'webhook.test'] as const) {
      const event = await makeEvent(service, webhook, type)
      await makeDelivery(service, webhook, { eventId: event.uuid, type })
    }
    await makeDelivery(service, webhook)
    const subjectsFor = async (token: string) =>
      (await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries`, { token })).body.data.map(
        ({ subject }: any) => subject,
      )
    const { link } = payloads['link.created'].example
    const { webhook: failing } = payloads['webhook.failing'].example
    expect(await subjectsFor(service.token)).toEqual([
      null,
      null,
      { type: 'webhook', id: failing.id, name: failing.url },
      { type: 'link', id: link.id, name: link.slug },
    ])
    const { token } = await service.mint('webhooks:read')
    expect(await subjectsFor(token)).toEqual([null, null, null, null])
  })

  it.each(['', 'status=failed', 'event=click', 'status=failed&event=click'])(
    'returns each delivery exactly once over pages while new ones are created: %s',
    async (filter) => {
      const webhook = await makeWebhook(service)
      await makeManyDeliveries(service, webhook, 46)
      const all = getDeliveryIds(await list(webhook, `limit=100&${filter}`))
      expect(all).toEqual([...all].sort().reverse())
      const seen: string[] = []
      for (let cursor = ''; ;) {
        const page = await list(webhook, `limit=5&${filter}${cursor}`)
        seen.push(...getDeliveryIds(page))
        if (!page.body.has_more) break
        await makeDelivery(service, webhook, { status: 'failed' })
        cursor = `&cursor=${page.body.next_cursor}`
      }
      expect(seen).toEqual(all)
    },
  )

  it('rejects a cursor of other filters or of another webhook', async () => {
    const [webhook, other] = [await makeWebhook(service), await makeWebhook(service)]
    await makeManyDeliveries(service, webhook, 6)
    const { next_cursor } = (await list(webhook, 'limit=2&status=failed')).body
    expect((await list(webhook, `limit=3&status=failed&cursor=${next_cursor}`)).body.data).toHaveLength(3)
    for (const [which, query] of [
      [webhook, ''],
      [webhook, '&status=succeeded'],
      [webhook, '&status=failed&event=click'],
      [webhook, '&status=failed&created_before=2099-01-01T00:00:00Z'],
      [other, '&status=failed'],
    ] as const) {
      const { status, body } = await list(which, `cursor=${next_cursor}${query}`)
      expect({ query, status }).toEqual({ query, status: 400 })
      expect(body).toMatchObject({ code: 'invalid_query', errors: [{ parameter: 'cursor' }] })
    }
  })
})

it('shows only the newest 100 attempts of a delivery, oldest first', async () => {
  const webhook = await makeWebhook(service)
  const { id } = await makeDelivery(service, webhook, {
    status: 'failed',
    attempts: Array.from({ length: 103 }, () => firstFailed),
  })
  const { body } = await read(webhook, id)
  expect(body.attempt_count).toBe(103)
  expect(body.attempts.map(({ number }: { number: number }) => number)).toEqual(
    Array.from({ length: 100 }, (_, i) => i + 4),
  )
})

describe('not found', () => {
  const unknown = 'dlv_01kaj4d0qaf2bv7m3x9c6t1hwk'

  it('returns the same 404 for foreign, deleted and unknown webhooks', async () => {
    const foreign = await makeWebhook(service, { workspace: 'other' })
    const deleted = await makeWebhook(service, { deletedAt: new Date() })
    const responses: unknown[] = []
    for (const webhook of [foreign, deleted, { ...foreign, id: 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz' }]) {
      const { id } = await makeDelivery(service, webhook)
      for (const path of ['', `/${id}`])
        responses.push(
          withoutInstance(await service.call('GET', `/v1/webhooks/${webhook.id}/deliveries${path}`)),
        )
    }
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })

  it('returns 404 for a delivery of another webhook', async () => {
    const [webhook, other] = [await makeWebhook(service), await makeWebhook(service)]
    const { id } = await makeDelivery(service, webhook)
    expect((await read(webhook, id)).status).toBe(200)
    const responses = [await read(other, id), await read(webhook, unknown), await read(webhook, 'x')]
    for (const response of responses.map(withoutInstance))
      expect(response).toEqual(withoutInstance(responses[0]!))
    expect(responses[0]!.status).toBe(404)
  })
})
