import { cases, expectFieldError } from '../../support/bad-input.js'
import { getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { WebhookHeaders } from '../../../src/webhooks/webhook-headers.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const mask = '…'
const create = (headers: unknown) =>
  service.call('POST', '/v1/webhooks', {
    body: { url: 'https://receiver.example/hooks', events: ['click'], headers },
  })
const get = async (id: string) => (await service.call('GET', `/v1/webhooks/${id}`)).body
const patch = (id: string, body: unknown, token = service.token) =>
  service.call('PATCH', `/v1/webhooks/${id}`, { body, token })
const make = (headers: Record<string, string> = { Authorization: 'Bearer one', 'X-Tenant': 'acme' }) =>
  makeWebhook(service, { headers })

/** Returns the headers that a worker would send. */
async function stored(id: string): Promise<Record<string, string>> {
  const [row] = await service.db.query<{ sealedHeaders: Buffer | null }>(
    'SELECT sealed_headers AS "sealedHeaders" FROM webhooks WHERE id = $1',
    [getWebhookUuid({ id })],
  )
  const headers = service.app.get(WebhookHeaders).open({ id: getWebhookUuid({ id }), ...row! })
  return Object.fromEntries(headers)
}

it('shows names in lower case and masks values', async () => {
  const { status, body, text } = await create({ Authorization: 'Bearer one', 'X-Tenant': 'acme' })
  expect([status, body.headers]).toEqual([201, { authorization: mask, 'x-tenant': mask }])
  expect(text).not.toContain('Bearer')
  expect((await get(body.id)).headers).toEqual({ authorization: mask, 'x-tenant': mask })
  expect(await stored(body.id)).toEqual({ authorization: 'Bearer one', 'x-tenant': 'acme' })
})

it.each([undefined, null, {}])('a webhook created with headers %j has none', async (headers) => {
  const { status, body } = await create(headers)
  expect([status, body.headers]).toEqual([201, {}])
  expect(await stored(body.id)).toEqual({})
})

describe('a change', () => {
  it.each([
    [{ headers: { AUTHORIZATION: 'Bearer two' } }, { authorization: 'Bearer two', 'x-tenant': 'acme' }],
    [{ headers: { 'X-Tenant': null } }, { authorization: 'Bearer one' }],
    [{ headers: { 'x-new': '1', authorization: null } }, { 'x-tenant': 'acme', 'x-new': '1' }],
    [{ headers: null }, {}],
    [{ description: 'x' }, { authorization: 'Bearer one', 'x-tenant': 'acme' }],
    [{ url: 'https://receiver.example/other' }, { authorization: 'Bearer one', 'x-tenant': 'acme' }],
  ])('to %j is a merge patch', async (body, headers) => {
    const { id } = await make()
    const changed = await patch(id, body)
    expect(changed.status).toBe(200)
    expect(Object.keys(changed.body.headers).sort()).toEqual(Object.keys(headers).sort())
    expect(await stored(id)).toEqual(headers)
  })

  it.each([
    { headers: {} },
    { headers: { authorization: 'Bearer one' } },
    { headers: { 'x-unknown': null } },
  ])('to %j has no effect', async (body) => {
    const { id } = await make()
    const before = await get(id)
    expect((await patch(id, body)).body).toEqual(before)
    expect(await get(id)).toEqual(before)
  })

  it('requires no events:read, and does not resume the lane', async () => {
    const { id } = await make()
    await service.db.query('UPDATE lanes SET failures_in_a_row = 9 WHERE webhook_id = $1', [
      getWebhookUuid({ id }),
    ])
    const { token } = await service.mint('webhooks:write')
    expect((await patch(id, { headers: { authorization: 'Bearer two' } }, token)).status).toBe(200)
    const rows = await service.db.query('SELECT failures_in_a_row FROM lanes WHERE webhook_id = $1', [
      getWebhookUuid({ id }),
    ])
    expect(rows).toEqual([{ failures_in_a_row: 9 }])
  })

  it('is listed in the audit log by the name of the field', async () => {
    const { id } = await make()
    await patch(id, { headers: { 'x-private-name': 'Bearer two' } })
    const { body, text } = await service.call('GET', `/v1/audit-log?object_id=${id}`)
    expect(body.data[0]).toMatchObject({ action: 'webhook.changed', details: { fields: ['headers'] } })
    expect(text).not.toMatch(/Bearer|x-private-name/)
  })

  it('cannot set a mask, which would replace the stored value', async () => {
    const { id } = await make()
    const { headers } = await get(id)
    const refused = await patch(id, { headers })
    expectFieldError(refused, '/headers/authorization', 'masked_value')
    expectFieldError(refused, '/headers/x-tenant', 'masked_value')
    expect(await stored(id)).toEqual({ authorization: 'Bearer one', 'x-tenant': 'acme' })
  })

  it('cannot exceed the limits together with the stored headers', async () => {
    const { id } = await make()
    const more = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`x-${i}`, 'v']))
    expectFieldError(await patch(id, { headers: more }), '/headers', 'too_many')
    expect((await patch(id, { headers: { ...more, authorization: null } })).status).toBe(200)
    expectFieldError(
      await patch(id, { headers: { 'x-0': 'v'.repeat(4096), 'x-1': 'v'.repeat(4096) } }),
      '/headers',
    )
  })
})

describe('a new host', () => {
  const elsewhere = 'https://attacker.example/hooks'

  it('does not receive the stored values', async () => {
    const { id } = await make()
    const before = await get(id)
    for (const body of [
      { url: elsewhere },
      { url: elsewhere, headers: { authorization: 'Bearer two' } },
      { url: 'https://receiver.example:8443/hooks' },
    ]) {
      const refused = await patch(id, body)
      expectFieldError(refused, '/headers', 'other_origin')
      expect(refused.text).toContain('x-tenant')
      expect(refused.text).not.toContain('acme')
    }
    expect(await get(id)).toEqual(before)
  })

  it('is recognized on every version of Node.js', async () => {
    const { id } = await make()
    await patch(id, {
      url: 'https://strasse.example/hooks',
      headers: { authorization: 'Bearer two', 'x-tenant': null },
    })
    expectFieldError(await patch(id, { url: 'https://straẞe.example/hooks' }), '/headers', 'other_origin')
  })

  it.each([{ headers: null }, { headers: { authorization: 'Bearer two', 'x-tenant': null } }])(
    'is accepted with %j',
    async (fields) => {
      const { id } = await make()
      const { status, body } = await patch(id, { url: elsewhere, ...fields })
      expect([status, body.url]).toEqual([200, elsewhere])
    },
  )
})

it.each(cases([1, 'x-a: 1', true, [], ['x-a', '1']]))('rejects %s as headers', async (_, headers) => {
  expectFieldError(await create(headers), '/headers', 'invalid_headers')
  const { id } = await make()
  expectFieldError(await patch(id, { headers }), '/headers', 'invalid_headers')
})

it('names each invalid header', async () => {
  const refused = await create({ 'webhook-id': '1', 'a b': '1', 'x-a': 'secret\nvalue', 'x-b': 'fine' })
  expectFieldError(refused, '/headers/webhook-id', 'reserved_header')
  expectFieldError(refused, '/headers/a b', 'invalid_header')
  expectFieldError(refused, '/headers/x-a', 'invalid_header')
  expect(refused.body.errors).toHaveLength(3)
  expect(refused.text).not.toContain('secret')
})

it('keeps a header named like a property of an object', async () => {
  const raw = '{"url":"https://a.example","events":["click"],"headers":{"__proto__":"p","constructor":"c"}}'
  const { status, text, body } = await service.call('POST', '/v1/webhooks', { raw })
  expect(status).toBe(201)
  expect(text).toContain('"headers":{"__proto__":"…","constructor":"…"}')
  expect(JSON.stringify(await stored(body.id))).toBe('{"__proto__":"p","constructor":"c"}')
})
