/** Events of tokens: which changes record them, who may read them, and which webhooks receive them. */
import { TokenCommands } from '../../../src/auth/token-commands.js'
import { TokenExpiry } from '../../../src/auth/token-expiry.js'
import { decodeId } from '../../../src/platform/database/ids.js'
import { readEvents, waitForCompleteFeed } from '../../support/factories/events.js'
import { receiverUrl, getWebhookUuid, makeWebhook } from '../../support/factories/webhooks.js'
import { startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'

let service: Service
beforeAll(async () => (service = await startService({ env: { ROLE: 'all' } })))
afterAll(() => service.stop())

interface Minted {
  id: string
  token: string
}

const create = async (body: object = {}, token = service.token): Promise<Minted> =>
  (await service.call('POST', '/v1/auth/token', { token, body: { name: 'ci', ...body } })).body
const getTokenEvents = async ({ id }: { id: string }) =>
  (await readEvents(service)).filter(({ data }) => data.token?.id === id)
const typesFor = async (token: { id: string }) => (await getTokenEvents(token)).map(({ type }) => type)

describe('token.created', () => {
  it('is recorded by the API, with the token as the API shows it and without its value', async () => {
    const minted = await create({ scopes: ['links:read'], expires_in: '30d' })
    const shown: object = (await service.call('GET', `/v1/auth/token/${minted.id}`)).body
    const [event] = await getTokenEvents(minted)
    expect(event!.type).toBe('token.created')
    expect(shown).toMatchObject(event!.data.token)
    expect(event!.data.token).toMatchObject({ scopes: ['links:read'], created_by: service.tokenId })
    expect(JSON.stringify(event)).not.toContain(minted.token)
  })

  it('is recorded for the successor of a rotated token', async () => {
    const old = await create()
    const { body: successor } = await service.call('POST', `/v1/auth/token/${old.id}/rotate`)
    const [event] = await getTokenEvents(successor)
    expect(event).toMatchObject({ type: 'token.created', data: { token: { rotated_from: old.id } } })
    expect(await typesFor(old)).toEqual(['token.created'])
  })

  it('is recorded by the command line', async () => {
    const token = await service.app.get(TokenCommands).create({ workspace: 'default', name: 'ops' })
    expect((await getTokenEvents(token))[0]!.data.token).toMatchObject({ name: 'ops', created_by: null })
  })

  it('is recorded once for a repeated request', async () => {
    const request = { body: { name: 'once' }, headers: { 'idempotency-key': 'once' } }
    const { body } = await service.call('POST', '/v1/auth/token', request)
    await service.call('POST', '/v1/auth/token', request)
    expect(await typesFor(body)).toEqual(['token.created'])
  })
})

describe('token.revoked', () => {
  const getRevocations = async (token: Minted) =>
    (await getTokenEvents(token)).filter(({ type }) => type === 'token.revoked')

  it('is recorded once, although the revocation is repeated', async () => {
    const token = await create()
    for (let i = 0; i < 2; i++) await service.call('DELETE', `/v1/auth/token/${token.id}`)
    const events = await getRevocations(token)
    expect(events.map(({ data }) => data)).toEqual([
      {
        token: expect.objectContaining({ id: token.id, status: 'revoked' }),
        revoked_by: service.tokenId,
      },
    ])
  })

  it('names the token itself when it revokes itself or its value is reported', async () => {
    const [own, leaked] = [await create(), await create()]
    await service.call('DELETE', '/v1/auth/token/self', { token: own.token })
    await service.call('POST', '/v1/auth/revoke', { token: null, body: { token: leaked.token } })
    for (const token of [own, leaked]) {
      const [event] = await getRevocations(token)
      expect(event!.data.revoked_by).toBe(token.id)
      expect(JSON.stringify(event)).not.toContain(token.token)
    }
  })

  it('is recorded for each descendant', async () => {
    const parent = await create()
    const child = await create({}, parent.token)
    const grandchild = await create({}, child.token)
    await service.call('DELETE', `/v1/auth/token/${parent.id}?descendants=true`)
    for (const token of [parent, child, grandchild]) expect(await getRevocations(token)).toHaveLength(1)
  })

  it('names no token for the command line', async () => {
    const token = await create()
    await service.app.get(TokenCommands).revoke(token.id)
    expect((await getRevocations(token))[0]!.data.revoked_by).toBeNull()
  })
})

describe('token.expiring', () => {
  const report = () => Promise.all([1, 2].map(() => service.app.get(TokenExpiry, { strict: false }).handle()))
  const moveTo = (token: Minted, hoursLeft: number) =>
    service.db.query(`UPDATE tokens SET expires_at = now() + $2 * interval '1 hour' WHERE id = $1`, [
      decodeId('tok', token.id),
      hoursLeft,
    ])
  const age = (token: Minted) =>
    service.db.query(`UPDATE tokens SET created_at = created_at - interval '30 days' WHERE id = $1`, [
      decodeId('tok', token.id),
    ])
  const daysReported = async (token: Minted) =>
    (await getTokenEvents(token))
      .filter(({ type }) => type === 'token.expiring')
      .map(({ data }) => data.days_left as number)

  it('is recorded once 7 days and once 1 day before the expiry, by concurrent jobs', async () => {
    const token = await create({ expires_in: '30d' })
    await age(token)
    for (const [hoursLeft, expected] of [
      [7 * 24 + 1, []],
      [7 * 24 - 1, [7]],
      [25, [7]],
      [23, [7, 1]],
      [1, [7, 1]],
    ] as const) {
      await moveTo(token, hoursLeft)
      await report()
      await report()
      expect({ hoursLeft, days: await daysReported(token) }).toEqual({ hoursLeft, days: expected })
    }
  })

  it('is recorded only for the last day if a token has expired that far unnoticed', async () => {
    const token = await create({ expires_in: '30d' })
    await age(token)
    await moveTo(token, 20)
    await report()
    expect(await daysReported(token)).toEqual([1])
  })

  it('is not recorded for reports that were due when the token was created, or for a revoked token', async () => {
    const [day, week, revoked] = [
      await create({ expires_in: '24h' }),
      await create({ expires_in: '6d' }),
      await create({ expires_in: '30d' }),
    ]
    await age(revoked)
    await moveTo(revoked, 20)
    await service.call('DELETE', `/v1/auth/token/${revoked.id}`)
    await report()
    for (const token of [day, week, revoked]) expect(await daysReported(token)).toEqual([])
    await moveTo(week, 20)
    await service.db.query(`UPDATE tokens SET created_at = now() - interval '5 days' WHERE id = $1`, [
      decodeId('tok', week.id),
    ])
    await report()
    expect(await daysReported(week)).toEqual([1])
  })

  it('is not recorded immediately for a token that was replaced', async () => {
    const [soon, later] = [await create(), await create()]
    for (const token of [soon, later]) await age(token)
    await service.call('POST', `/v1/auth/token/${soon.id}/rotate`, { body: { overlap: '24h' } })
    await service.call('POST', `/v1/auth/token/${later.id}/rotate`, { body: { overlap: '30d' } })
    await report()
    for (const token of [soon, later]) expect(await daysReported(token)).toEqual([])
    await moveTo(later, 100)
    await report()
    expect(await daysReported(later)).toEqual([7])
  })
})

describe('without tokens:read', () => {
  let reader: Minted
  let token: Minted
  beforeAll(async () => {
    reader = await service.mint('events:read,links:write')
    token = await create()
  })

  it('lists and feeds of events have no events of tokens', async () => {
    await service.call('POST', '/v1/links', { body: { url: 'https://a.example' } })
    await waitForCompleteFeed(service)
    for (const query of [
      '?limit=100',
      '?limit=100&after=',
      '?type=token.created',
      '?type=token.created&after=',
    ]) {
      const { status, body } = await service.call('GET', `/v1/events${query}`, { token: reader.token })
      expect(status).toBe(200)
      const types: string[] = body.data.map(({ type }: { type: string }) => type)
      expect(types.filter((type) => type.startsWith('token.'))).toEqual([])
      if (!query.includes('type')) expect(types).toContain('link.created')
    }
    const { body } = await service.call('GET', '/v1/events?type=token.created')
    expect(body.data).not.toEqual([])
  })

  it('an event of a token is not found', async () => {
    const [event] = await getTokenEvents(token)
    const read = (by: string) => service.call('GET', `/v1/events/${event!.id}`, { token: by })
    expect((await read(reader.token)).status).toBe(404)
    expect((await read(service.token)).status).toBe(200)
  })
})

describe('a webhook', () => {
  const deliveredTo = (webhook: { id: string }) =>
    service.db
      .query<{ event_type: string }>('SELECT event_type FROM deliveries WHERE webhook_id = $1 ORDER BY id', [
        getWebhookUuid(webhook),
      ])
      .then((rows) => rows.map(({ event_type }) => event_type))

  it('receives events of tokens only if it subscribes to them by name', async () => {
    const [all, named] = [
      await makeWebhook(service, { events: ['*'] }),
      await makeWebhook(service, { events: ['*', 'token.created', 'token.revoked'] }),
    ]
    const token = await create()
    await service.call('DELETE', `/v1/auth/token/${token.id}`)
    expect(await deliveredTo(all)).toEqual([])
    expect(await deliveredTo(named)).toEqual(['token.created', 'token.revoked'])
  })

  it('is created for them, or changed while it subscribes to them, only with tokens:read', async () => {
    const { token } = await service.mint('webhooks:write,events:read')
    const body = { url: receiverUrl, events: ['*', 'token.revoked'] }
    const refused = { status: 403, required: ['tokens:read'] }
    const getOutcome = ({ status, body: { required } }: { status: number; body: any }) => ({
      status,
      required,
    })
    expect(getOutcome(await service.call('POST', '/v1/webhooks', { token, body }))).toEqual(refused)
    const { id } = await makeWebhook(service, { events: ['*'] })
    const patch = (change: object, by = token) =>
      service.call('PATCH', `/v1/webhooks/${id}`, { token: by, body: change })
    expect(getOutcome(await patch({ events: ['token.created'] }))).toEqual(refused)
    expect((await patch({ events: ['token.created'] }, service.token)).status).toBe(200)
    expect(getOutcome(await patch({ url: 'https://elsewhere.example/' }))).toEqual(refused)
    expect((await patch({ description: 'D' })).status).toBe(200)
    expect((await patch({ events: ['*'] })).status).toBe(200)
    expect((await patch({ url: 'https://elsewhere.example/' })).status).toBe(200)
  })

  it('keeps its URL without tokens:read while it has deliveries of them, even if it has unsubscribed', async () => {
    const { token } = await service.mint('webhooks:write,events:read')
    const webhook = await makeWebhook(service, { events: ['*', 'token.created'] })
    const patch = (body: object, by = token) =>
      service.call('PATCH', `/v1/webhooks/${webhook.id}`, { token: by, body })
    expect((await patch({ status: 'paused' })).status).toBe(200)
    await create()
    expect(await deliveredTo(webhook)).toEqual(['token.created'])
    const moved = { url: 'https://elsewhere.example/' }
    const refused = { status: 403, body: { required: ['tokens:read'] } }
    expect(await patch({ ...moved, events: ['*'] })).toMatchObject(refused)
    expect((await patch({ events: ['*'] })).status).toBe(200)
    expect(await patch(moved)).toMatchObject(refused)
    expect((await patch(moved, service.token)).status).toBe(200)
    // Tests contain only examples.
    await service.db.query('UPDATE deliveries SET test = true WHERE webhook_id = $1', [
      getWebhookUuid(webhook),
    ])
    expect((await patch({ url: receiverUrl })).status).toBe(200)
  })
})
