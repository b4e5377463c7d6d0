/** After ENCRYPTION_KEY was changed, stored secrets are unreadable, and webhooks need new ones. */
import { expectFieldError } from '../../support/bad-input.js'
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { makeWebhook, signingSecrets } from '../../support/factories/webhooks.js'

const secret = 'sealed with the former key'
let db: TestDatabase
let before: Service
let service: Service
beforeAll(async () => {
  db = await createDatabase()
  before = await startService({ db })
  service = await startService({
    db,
    env: { ENCRYPTION_KEY: 'another encryption key, just as long as the first' },
  })
})
afterAll(async () => {
  await service.stop()
  await before.stop()
  await db.drop()
})

const createWebhook = () => makeWebhook(before, { secret })
const createWithHeaders = () =>
  makeWebhook(before, { secret, headers: { authorization: 'Bearer one', 'x-tenant': 'acme' } })
const patch = (id: string, body: unknown) => service.call('PATCH', `/v1/webhooks/${id}`, { body })
const rotate = (id: string, body: unknown) =>
  service.call('POST', `/v1/webhooks/${id}/secret/rotate`, { body })

it('replaces an unreadable secret, which no longer signs', async () => {
  const { id } = await createWebhook()
  const { status, body } = await patch(id, { secret: 'the second secret' })
  expect([status, body.secret_hint, body.secret_rotation]).toEqual([200, '…cret', null])
  expect(await signingSecrets(service, id)).toEqual(['the second secret'])
})

it('seals the same secret again with the new key', async () => {
  const { id } = await createWebhook()
  expect((await patch(id, { secret })).status).toBe(200)
  expect(await signingSecrets(service, id)).toEqual([secret])
})

it.each([{}, { overlap: '30d' }, { overlap: '0s' }])(
  'rotates an unreadable secret with %j',
  async (overlap) => {
    const { id } = await createWebhook()
    const { status, body } = await rotate(id, overlap)
    expect([status, body.secret_rotation]).toEqual([200, null])
    expect(await signingSecrets(service, id)).toEqual([body.secret])
  },
)

it('also removes the unreadable old secret of an earlier rotation', async () => {
  const { id } = await createWebhook()
  await before.call('POST', `/v1/webhooks/${id}/secret/rotate`, { body: {} })
  const { body } = await rotate(id, { secret: 'the third' })
  expect(body.secret_rotation).toBeNull()
  expect(await signingSecrets(service, id)).toEqual(['the third'])
})

it('supports overlaps again after the first new secret', async () => {
  const { id } = await createWebhook()
  await rotate(id, { secret: 'the second' })
  expect((await rotate(id, { secret: 'the third' })).body.secret_rotation).not.toBeNull()
  expect(await signingSecrets(service, id)).toEqual(['the third', 'the second'])
})

it('keeps the secret when other fields change', async () => {
  const { id } = await createWebhook()
  expect((await patch(id, { description: 'x' })).status).toBe(200)
  expect(await signingSecrets(before, id)).toEqual([secret])
})

it('rejects a test with secret_unreadable, and records no event', async () => {
  const { id } = await createWebhook()
  const events = () => service.db.query('SELECT FROM events').then(({ length }) => length)
  const count = await events()
  for (const headers of [{}, { 'idempotency-key': `test-${id}` }]) {
    const { status, body } = await service.call('POST', `/v1/webhooks/${id}/test`, { body: {}, headers })
    expect([status, body.code]).toEqual([409, 'secret_unreadable'])
  }
  expect(await events()).toBe(count)
})

describe('unreadable headers', () => {
  it('are shown by name, and kept when other fields change', async () => {
    const { id } = await createWithHeaders()
    const { body } = await patch(id, { description: 'x' })
    expect(body.headers).toEqual({ authorization: '…', 'x-tenant': '…' })
    expect((await before.call('POST', `/v1/webhooks/${id}/test`, { body: {} })).status).toBe(200)
  })

  it('must all be set again or removed', async () => {
    const { id } = await createWithHeaders()
    expectFieldError(
      await patch(id, { headers: { authorization: 'Bearer two' } }),
      '/headers/x-tenant',
      'unreadable_value',
    )
    const { status, body } = await patch(id, { headers: { authorization: 'Bearer two', 'x-tenant': null } })
    expect([status, body.headers]).toEqual([200, { authorization: '…' }])
  })

  it('reject a test with headers_unreadable after the secret is replaced', async () => {
    const { id } = await createWithHeaders()
    await patch(id, { secret: 'the second secret' })
    const test = () => service.call('POST', `/v1/webhooks/${id}/test`, { body: {} })
    const { status, body } = await test()
    expect([status, body.code]).toEqual([409, 'headers_unreadable'])
    expect((await patch(id, { headers: null })).body.headers).toEqual({})
    expect((await test()).status).toBe(200)
  })
})
