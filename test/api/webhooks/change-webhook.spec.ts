import { withoutInstance } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { makeDeliveries, makeWebhook, uuidOf, withoutSecret } from '../../support/factories/webhooks.js'

let service: Service
let elsewhere: string
beforeAll(async () => {
  service = await shareService()
  await service.addWorkspace('elsewhere')
  elsewhere = (await service.mint(undefined, 'elsewhere')).token
})
afterAll(() => service.stop())

const unknown = 'wh_01kaj3w4q2e6r8t0y1v3b5n7mz'
const get = (id: string) => service.call('GET', `/v1/webhooks/${id}`)
const patch = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  service.call('PATCH', `/v1/webhooks/${id}`, { body, headers })
const remove = (id: string, headers: Record<string, string> = {}) =>
  service.call('DELETE', `/v1/webhooks/${id}`, { headers })

const everything = { description: 'Mine', events: ['click', 'link.created'], max_in_flight: 5 }
const make = async () => withoutSecret(await makeWebhook(service, everything))
const setStatus = (webhook: { id: string }, status: string, reason: string | null = null) =>
  service.db.query('UPDATE webhooks SET status = $2, disabled_reason = $3 WHERE id = $1', [
    uuidOf(webhook),
    status,
    reason,
  ])

describe('a change', () => {
  it.each([
    ['url', 'https://elsewhere.example/new'],
    ['events', ['*']],
    ['events', ['link.created', 'click']],
    ['description', 'New'],
    ['description', null],
    ['max_in_flight', 100],
    ['status', 'paused'],
  ])('of %s to %j leaves the rest as it is', async (field, value) => {
    const made = await make()
    const changed = await patch(made.id, { [field]: value })
    expect(changed.status).toBe(200)
    expect(changed.body).toEqual({ ...made, [field]: value, updated_at: changed.body.updated_at })
    expect(Date.parse(changed.body.updated_at)).toBeGreaterThan(Date.parse(made.updated_at))
    expect((await get(made.id)).body).toEqual(changed.body)
  })

  it('may come as a merge patch by name', async () => {
    const { id } = await make()
    const headers = { 'content-type': 'application/merge-patch+json' }
    expect((await patch(id, { description: 'Merged' }, headers)).body.description).toBe('Merged')
  })

  it('that changes nothing is no change: the same updated_at, the same ETag, nothing in the audit log', async () => {
    const secret = 'the secret that it has already'
    const { id } = await makeWebhook(service, { ...everything, secret })
    const { body: made, headers } = await get(id)
    const etag = headers.get('etag')
    for (const body of [
      {},
      everything,
      { url: made.url, status: 'active', secret },
      { events: ['click', 'link.created', 'click'] },
    ]) {
      const answer = await patch(made.id, body)
      expect([answer.status, answer.body]).toEqual([200, made])
      expect(answer.headers.get('etag')).toBe(etag)
    }
    const { body } = await service.call('GET', `/v1/audit-log?object_id=${made.id}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual(['webhook.created'])
  })

  it('gives another version each time, however fast', async () => {
    const { id, updated_at } = await make()
    const seen = [updated_at]
    for (let i = 0; i < 20; i++) seen.push((await patch(id, { description: `${i}` })).body.updated_at)
    expect(new Set(seen).size).toBe(21)
    expect(seen).toEqual([...seen].sort())
  })

  it('of 32 at the same time to different fields loses none', async () => {
    const { id } = await make()
    const bodies = [{ description: 'D' }, { events: ['*'] }, { max_in_flight: 7 }, { status: 'paused' }]
    const answers = await Promise.all(Array.from({ length: 32 }, (_, i) => patch(id, bodies[i % 4])))
    expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(200))
    expect((await get(id)).body).toMatchObject(Object.assign({}, ...bodies) as object)
  })
})

describe('the status', () => {
  it('decides whether what waits is pending or held', async () => {
    const webhook = await make()
    await makeDeliveries(service, webhook, 7)
    await makeDeliveries(service, webhook, 3, 'succeeded')
    expect((await get(webhook.id)).body).toMatchObject({ pending: 7, held: 0 })
    expect((await patch(webhook.id, { status: 'paused' })).body).toMatchObject({ pending: 0, held: 7 })
    expect((await patch(webhook.id, { status: 'active' })).body).toMatchObject({ pending: 7, held: 0 })
    await setStatus(webhook, 'disabled', 'Gone.')
    expect((await get(webhook.id)).body).toMatchObject({ pending: 0, held: 7, disabled_reason: 'Gone.' })
  })

  it.each(['active', 'paused'])(
    'of a disabled webhook may become %s, and the reason is gone',
    async (status) => {
      const webhook = await make()
      await setStatus(webhook, 'disabled', 'No attempt has succeeded for 5 days.')
      expect((await patch(webhook.id, { description: 'still off' })).body).toMatchObject({
        status: 'disabled',
        disabled_reason: 'No attempt has succeeded for 5 days.',
      })
      expect((await patch(webhook.id, { status })).body).toMatchObject({ status, disabled_reason: null })
    },
  )

  const lane = {
    paused_until: '2099-01-01T00:00:00Z',
    probe_at: '2099-01-01T00:00:00Z',
    failures_in_a_row: 9,
    failing_since: '2026-01-01T00:00:00Z',
    last_failure_at: '2026-01-02T00:00:00Z',
    failures_since: 9,
    warned_at: '2026-01-02T00:00:00Z',
    last_success_at: '2025-01-01T00:00:00.000Z',
  }
  it.each([
    ['active again', 'paused', { status: 'active' }, 0],
    ['active again after it was disabled', 'disabled', { status: 'active' }, 0],
    ['sent elsewhere', 'active', { url: 'https://new.example/hooks' }, 0],
    ['sent elsewhere while it is paused', 'paused', { url: 'https://new.example/hooks' }, 9],
    ['paused', 'active', { status: 'paused' }, 9],
    ['described', 'active', { description: 'x' }, 9],
  ])('%s: what stopped its lane is forgotten or not', async (_, status, change, failures) => {
    const webhook = await make()
    await setStatus(webhook, status)
    const columns = Object.keys(lane)
    await service.db.query(
      `UPDATE lanes SET ${columns.map((name, i) => `${name} = $${i + 2}`).join(', ')} WHERE webhook_id = $1`,
      [uuidOf(webhook), ...Object.values(lane)],
    )
    const { body } = await patch(webhook.id, change)
    const [row] = await service.db.query('SELECT * FROM lanes WHERE webhook_id = $1', [uuidOf(webhook)])
    expect(row).toMatchObject({ failures_in_a_row: failures, failures_since: failures })
    for (const name of ['paused_until', 'probe_at', 'failing_since', 'last_failure_at', 'warned_at'])
      expect({ name, isNull: row![name] === null }).toEqual({ name, isNull: failures === 0 })
    expect(body).toMatchObject({
      last_success_at: '2025-01-01T00:00:00.000Z',
      failing_since: failures === 0 ? null : '2026-01-01T00:00:00.000Z',
    })
  })
})

describe('If-Match', () => {
  it('lets a change of the present version through, and refuses a stale one', async () => {
    const { id } = await make()
    const stale = (await get(id)).headers.get('etag')!
    const changed = await patch(id, { description: 'First' }, { 'if-match': stale })
    expect(changed.status).toBe(200)
    for (const answer of [
      await patch(id, { description: 'Second' }, { 'if-match': stale }),
      await remove(id, { 'if-match': stale }),
    ])
      expect([answer.status, answer.body.code]).toEqual([412, 'precondition_failed'])
    expect((await get(id)).body).toEqual(changed.body)
    expect((await remove(id, { 'if-match': changed.headers.get('etag')! })).status).toBe(204)
  })

  it('lets one of 20 through who have read the same version, and no delivery spoils it', async () => {
    const webhook = await make()
    const ifMatch = { 'if-match': (await get(webhook.id)).headers.get('etag')! }
    await makeDeliveries(service, webhook, 1)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => patch(webhook.id, { description: `${i}` }, ifMatch)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(412)])
  })
})

describe('a deleted webhook', () => {
  it('is gone for everybody; its row stays', async () => {
    const webhook = await make()
    const deleted = await remove(webhook.id)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    const never = withoutInstance(await get(unknown))
    for (const answer of [await get(webhook.id), await patch(webhook.id, {}), await remove(webhook.id)])
      expect(withoutInstance(answer)).toEqual(never)
    const { body } = await service.call('GET', '/v1/webhooks?limit=100')
    expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(webhook.id)
    const rows = await service.db.query('SELECT deleted_at FROM webhooks WHERE id = $1', [uuidOf(webhook)])
    expect(rows).toEqual([{ deleted_at: expect.any(Date) }])
  })

  it('is deleted once, however many ask', async () => {
    const { id } = await make()
    const answers = await Promise.all(Array.from({ length: 20 }, () => remove(id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array<number>(19).fill(404)])
  })
})

const calls = [
  ['GET', '', 'webhooks:read'],
  ['PATCH', '', 'webhooks:write'],
  ['DELETE', '', 'webhooks:write'],
  ['POST', '/secret/rotate', 'webhooks:write'],
] as const

describe('a webhook of another workspace', () => {
  it.each(calls)('is as unknown as one that never was: %s%s', async (method, suffix) => {
    const made = await make()
    const ask = (id: string) =>
      service.call(method, `/v1/webhooks/${id}${suffix}`, {
        token: elsewhere,
        ...(method === 'PATCH' ? { body: { description: 'mine now' } } : {}),
      })
    const [answer, never] = [await ask(made.id), await ask(unknown)]
    expect(answer.status).toBe(404)
    expect(withoutInstance(answer)).toEqual(withoutInstance(never))
    expect(answer.text.length).toBe(never.text.length)
    expect((await get(made.id)).body).toEqual(made)
  })
})

describe('a scope', () => {
  it.each([
    ['POST', null, 'webhooks:write'],
    ['POST', null, 'events:read'],
    ['GET', null, 'webhooks:read'],
    ...calls,
  ] as const)(
    'for %s %s is %s, and no other is needed but to receive events',
    async (method, suffix, scope) => {
      const all = [
        'webhooks:read',
        'webhooks:write',
        'links:read',
        'links:write',
        'events:read',
        'tokens:write',
      ]
      const { id } = await make()
      const ask = (token: string | null) =>
        service.call(method, suffix === null ? '/v1/webhooks' : `/v1/webhooks/${id}${suffix}`, {
          token,
          ...(suffix === null && method === 'POST'
            ? { body: { url: 'https://a.example', events: ['*'] } }
            : {}),
          ...(method === 'PATCH' ? { body: {} } : {}),
        })
      const { token: without } = await service.mint(all.filter((each) => each !== scope).join())
      const refused = await ask(without)
      expect([refused.status, refused.body.required]).toEqual([403, [scope]])
      expect((await ask(null)).status).toBe(401)
      const isMaking = suffix === null && method === 'POST'
      const { token: only } = await service.mint(isMaking ? 'webhooks:write,events:read' : scope)
      expect((await ask(only)).status).toBeLessThan(300)
    },
  )
})
