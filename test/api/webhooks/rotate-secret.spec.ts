import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import {
  getWebhookUuid,
  makeWebhook,
  signingSecrets,
  withoutSecret,
} from '../../support/factories/webhooks.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const first = 'the first secret, chosen by the caller'
const day = 86_400_000
const createWebhook = () => makeWebhook(service, { secret: first })
const get = (id: string) => service.call('GET', `/v1/webhooks/${id}`)
const patch = (id: string, body: unknown) => service.call('PATCH', `/v1/webhooks/${id}`, { body })
const rotate = (id: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', `/v1/webhooks/${id}/secret/rotate`, {
    headers,
    ...(body === undefined ? {} : { body }),
  })

const inMs = (time: string, from = Date.now()) => Date.parse(time) - from

describe('a rotation', () => {
  it('without a body generates and shows a secret, and keeps the old one signing for 24 hours', async () => {
    const { id, updated_at } = await createWebhook()
    const { status, headers, body } = await rotate(id)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('location')).toBeNull()
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(body.secret_hint).toBe(`…${body.secret.slice(-4)}`)
    expect(Math.abs(inMs(body.secret_rotation.old_ends_at) - day)).toBeLessThan(10_000)
    expect(Date.parse(body.updated_at)).toBeGreaterThan(Date.parse(updated_at))
    expect(await signingSecrets(service, id)).toEqual([body.secret, first])
    expect(await signingSecrets(service, id, new Date(Date.now() + day + 10_000))).toEqual([body.secret])
    const read = await get(id)
    expect(read.body).toEqual(withoutSecret(body))
    expect(read.headers.get('etag')).toBe(headers.get('etag'))
  })

  it('to a given secret does not show the secret', async () => {
    const { id } = await createWebhook()
    const { status, body } = await rotate(id, { secret: 'the second', overlap: '1h' })
    expect(status).toBe(200)
    expect(body.secret).toBeNull()
    expect(Math.abs(inMs(body.secret_rotation.old_ends_at) - 3_600_000)).toBeLessThan(10_000)
    expect(await signingSecrets(service, id)).toEqual(['the second', first])
  })

  it('with an overlap of 0s deletes the old secret immediately', async () => {
    const { id } = await createWebhook()
    const { body } = await rotate(id, { secret: 'the second', overlap: '0s' })
    expect(body.secret_rotation).toBeNull()
    expect(await signingSecrets(service, id)).toEqual(['the second'])
    const rows = await service.db.query('SELECT sealed_old_secret FROM webhooks WHERE id = $1', [
      getWebhookUuid({ id }),
    ])
    expect(rows).toEqual([{ sealed_old_secret: null }])
  })

  it('during an overlap removes the oldest secret immediately', async () => {
    const { id } = await createWebhook()
    await rotate(id, { secret: 'the second', overlap: '30d' })
    await rotate(id, { secret: 'the third' })
    expect(await signingSecrets(service, id)).toEqual(['the third', 'the second'])
  })

  it('back to the old secret swaps the two secrets', async () => {
    const { id } = await createWebhook()
    await rotate(id, { secret: 'the second' })
    await rotate(id, { secret: first })
    expect(await signingSecrets(service, id)).toEqual([first, 'the second'])
  })

  it('to the current secret can shorten the overlap but not extend it', async () => {
    const { id } = await createWebhook()
    const rotated = (await rotate(id, { secret: 'the second', overlap: '1h' })).body
    for (const overlap of ['1h', '24h', '30d'])
      expect((await rotate(id, { secret: 'the second', overlap })).body).toEqual(rotated)
    const { body } = await rotate(id, { secret: 'the second', overlap: '5m' })
    expect(inMs(body.secret_rotation.old_ends_at)).toBeLessThan(310_000)
    expect(await signingSecrets(service, id)).toEqual(['the second', first])
    expect((await rotate(id, { secret: 'the second', overlap: '0s' })).body.secret_rotation).toBeNull()
    expect(await signingSecrets(service, id)).toEqual(['the second'])
  })

  it('is not shown after its overlap', async () => {
    const { id } = await createWebhook()
    await rotate(id)
    await service.db.query(`UPDATE webhooks SET old_secret_ends_at = now() - interval '1 ms' WHERE id = $1`, [
      getWebhookUuid({ id }),
    ])
    expect((await get(id)).body.secret_rotation).toBeNull()
    expect(await signingSecrets(service, id)).toHaveLength(1)
  })

  it('is replayed for a repeated Idempotency-Key', async () => {
    const { id } = await createWebhook()
    const headers = { 'idempotency-key': 'rotate-once' }
    const [one, two] = [await rotate(id, undefined, headers), await rotate(id, undefined, headers)]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.text).toBe(one.text)
    expect(two.headers.get('idempotent-replayed')).toBe('true')
    expect(await signingSecrets(service, id)).toEqual([one.body.secret, first])
  })

  it('run 10 times concurrently keeps two of the returned secrets', async () => {
    const { id } = await createWebhook()
    const responses = await Promise.all(Array.from({ length: 10 }, () => rotate(id)))
    const returned = responses.map(({ body }) => body.secret)
    expect(new Set(returned).size).toBe(10)
    const signing = await signingSecrets(service, id)
    expect(signing).toHaveLength(2)
    for (const secret of signing) expect(returned).toContain(secret)
  })
})

describe('a change to the secret', () => {
  it('keeps the old secret signing for 24 hours, and does not show the new one', async () => {
    const { id } = await createWebhook()
    const { status, body } = await patch(id, { secret: 'the second secret', description: 'x' })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('secret')
    expect(body).toMatchObject({ secret_hint: '…cret', description: 'x' })
    expect(Math.abs(inMs(body.secret_rotation.old_ends_at) - day)).toBeLessThan(10_000)
    expect(await signingSecrets(service, id)).toEqual(['the second secret', first])
  })

  it('to the current secret changes nothing, including the overlap', async () => {
    const { id } = await createWebhook()
    const { body } = await patch(id, { secret: 'the second secret' })
    expect((await patch(id, { secret: 'the second secret' })).body).toEqual(body)
    expect(await signingSecrets(service, id)).toEqual(['the second secret', first])
  })
})
