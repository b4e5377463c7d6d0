/** A new ENCRYPTION_KEY makes every stored secret unreadable. Giving webhooks new ones is the way out. */
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { makeWebhook, signingSecrets } from '../../support/factories/webhooks.js'

const secret = 'sealed under the key before'
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

const make = () => makeWebhook(before, { secret })
const patch = (id: string, body: unknown) => service.call('PATCH', `/v1/webhooks/${id}`, { body })
const rotate = (id: string, body: unknown) =>
  service.call('POST', `/v1/webhooks/${id}/secret/rotate`, { body })

it('a secret can be changed; the one that cannot be read signs no more', async () => {
  const { id } = await make()
  const { status, body } = await patch(id, { secret: 'the second secret' })
  expect([status, body.secret_hint, body.secret_rotation]).toEqual([200, '…cret', null])
  expect(await signingSecrets(service, id)).toEqual(['the second secret'])
})

it('the same secret can be given again, and is sealed anew', async () => {
  const { id } = await make()
  expect((await patch(id, { secret })).status).toBe(200)
  expect(await signingSecrets(service, id)).toEqual([secret])
})

it.each([{}, { overlap: '30d' }, { overlap: '0s' }])('a secret can be rotated with %j', async (overlap) => {
  const { id } = await make()
  const { status, body } = await rotate(id, overlap)
  expect([status, body.secret_rotation]).toEqual([200, null])
  expect(await signingSecrets(service, id)).toEqual([body.secret])
})

it('a secret that was still signing from an earlier rotation is gone too', async () => {
  const { id } = await make()
  await before.call('POST', `/v1/webhooks/${id}/secret/rotate`, { body: {} })
  const { body } = await rotate(id, { secret: 'the third' })
  expect(body.secret_rotation).toBeNull()
  expect(await signingSecrets(service, id)).toEqual(['the third'])
})

it('from the new one on there are overlaps again', async () => {
  const { id } = await make()
  await rotate(id, { secret: 'the second' })
  expect((await rotate(id, { secret: 'the third' })).body.secret_rotation).not.toBeNull()
  expect(await signingSecrets(service, id)).toEqual(['the third', 'the second'])
})

it('whatever else is changed leaves the secret as it is', async () => {
  const { id } = await make()
  expect((await patch(id, { description: 'x' })).status).toBe(200)
  expect(await signingSecrets(before, id)).toEqual([secret])
})

it('a test says that the secret cannot be read, and leaves nothing behind', async () => {
  const { id } = await make()
  const events = () => service.db.query('SELECT FROM events').then(({ length }) => length)
  const count = await events()
  for (const headers of [{}, { 'idempotency-key': `test-${id}` }]) {
    const { status, body } = await service.call('POST', `/v1/webhooks/${id}/test`, { body: {}, headers })
    expect([status, body.code]).toEqual([409, 'secret_unreadable'])
  }
  expect(await events()).toBe(count)
})
