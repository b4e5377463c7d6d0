import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeWebhook, signingSecrets, uuidOf, withoutSecret } from '../../support/factories/webhooks.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())

const first = 'the first secret, chosen by the caller'
const day = 86_400_000
const make = () => makeWebhook(service, { secret: first })
const get = (id: string) => service.call('GET', `/v1/webhooks/${id}`)
const patch = (id: string, body: unknown) => service.call('PATCH', `/v1/webhooks/${id}`, { body })
const rotate = (id: string, body?: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', `/v1/webhooks/${id}/secret/rotate`, {
    headers,
    ...(body === undefined ? {} : { body }),
  })

const inMs = (time: string, from = Date.now()) => Date.parse(time) - from

describe('a rotation', () => {
  it('without a body makes a secret and shows it; the old one signs beside it for 24 hours', async () => {
    const { id, updated_at } = await make()
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

  it('to a secret of the caller does not show it', async () => {
    const { id } = await make()
    const { status, body } = await rotate(id, { secret: 'the second', overlap: '1h' })
    expect(status).toBe(200)
    expect(body.secret).toBeNull()
    expect(Math.abs(inMs(body.secret_rotation.old_ends_at) - 3_600_000)).toBeLessThan(10_000)
    expect(await signingSecrets(service, id)).toEqual(['the second', first])
  })

  it('with an overlap of 0s ends the old secret at once, and forgets it', async () => {
    const { id } = await make()
    const { body } = await rotate(id, { secret: 'the second', overlap: '0s' })
    expect(body.secret_rotation).toBeNull()
    expect(await signingSecrets(service, id)).toEqual(['the second'])
    const rows = await service.db.query('SELECT sealed_old_secret FROM webhooks WHERE id = $1', [
      uuidOf({ id }),
    ])
    expect(rows).toEqual([{ sealed_old_secret: null }])
  })

  it('during an overlap ends the oldest secret at once', async () => {
    const { id } = await make()
    await rotate(id, { secret: 'the second', overlap: '30d' })
    await rotate(id, { secret: 'the third' })
    expect(await signingSecrets(service, id)).toEqual(['the third', 'the second'])
  })

  it('back to the old secret swaps them', async () => {
    const { id } = await make()
    await rotate(id, { secret: 'the second' })
    await rotate(id, { secret: first })
    expect(await signingSecrets(service, id)).toEqual([first, 'the second'])
  })

  it('to the present secret rotates nothing, and can only shorten the overlap', async () => {
    const { id } = await make()
    const rotated = (await rotate(id, { secret: 'the second', overlap: '1h' })).body
    for (const overlap of ['1h', '24h', '30d'])
      expect((await rotate(id, { secret: 'the second', overlap })).body).toEqual(rotated)
    const { body } = await rotate(id, { secret: 'the second', overlap: '5m' })
    expect(inMs(body.secret_rotation.old_ends_at)).toBeLessThan(310_000)
    expect(await signingSecrets(service, id)).toEqual(['the second', first])
    expect((await rotate(id, { secret: 'the second', overlap: '0s' })).body.secret_rotation).toBeNull()
    expect(await signingSecrets(service, id)).toEqual(['the second'])
  })

  it('that is over shows no more', async () => {
    const { id } = await make()
    await rotate(id)
    await service.db.query(`UPDATE webhooks SET old_secret_ends_at = now() - interval '1 ms' WHERE id = $1`, [
      uuidOf({ id }),
    ])
    expect((await get(id)).body.secret_rotation).toBeNull()
    expect(await signingSecrets(service, id)).toHaveLength(1)
  })

  it('that is repeated with its Idempotency-Key is made once, and its answer comes again', async () => {
    const { id } = await make()
    const headers = { 'idempotency-key': 'rotate-once' }
    const [one, two] = [await rotate(id, undefined, headers), await rotate(id, undefined, headers)]
    expect([one.status, two.status]).toEqual([200, 200])
    expect(two.text).toBe(one.text)
    expect(two.headers.get('idempotent-replayed')).toBe('true')
    expect(await signingSecrets(service, id)).toEqual([one.body.secret, first])
  })

  it('of 10 at the same time leaves two secrets, each of them one that was given out', async () => {
    const { id } = await make()
    const answers = await Promise.all(Array.from({ length: 10 }, () => rotate(id)))
    const given = answers.map(({ body }) => body.secret)
    expect(new Set(given).size).toBe(10)
    const left = await signingSecrets(service, id)
    expect(left).toHaveLength(2)
    for (const secret of left) expect(given).toContain(secret)
  })
})

describe('a change of the secret', () => {
  it('lets the old one sign for 24 hours, and does not show the new one', async () => {
    const { id } = await make()
    const { status, body } = await patch(id, { secret: 'the second secret', description: 'x' })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('secret')
    expect(body).toMatchObject({ secret_hint: '…cret', description: 'x' })
    expect(Math.abs(inMs(body.secret_rotation.old_ends_at) - day)).toBeLessThan(10_000)
    expect(await signingSecrets(service, id)).toEqual(['the second secret', first])
  })

  it('to the secret that it has leaves everything as it is, an overlap too', async () => {
    const { id } = await make()
    const { body } = await patch(id, { secret: 'the second secret' })
    expect((await patch(id, { secret: 'the second secret' })).body).toEqual(body)
    expect(await signingSecrets(service, id)).toEqual(['the second secret', first])
  })
})
