/** The quotas of a workspace, including with concurrent requests. */
import { LiveFollower } from '../../support/live-follower.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { upload } from '../../support/factories/imports.js'
import { makeDelivery, makeWebhook } from '../../support/factories/deliveries.js'
import { waitFor } from '../../support/wait-for.js'

const limits = {
  WORKSPACE_WEBHOOKS: '3',
  WORKSPACE_TOKENS: '4',
  WORKSPACE_LIVE_STREAMS: '6',
  WORKSPACE_IMPORTS: '2',
  WORKSPACE_IMPORT_BYTES: '1MiB',
  WORKSPACE_REPLAYS: '2',
}
const requestCount = 12
const url = 'https://receiver.example/hooks'

let service: Service
beforeAll(async () => (service = await startService({ env: limits })))
afterAll(() => service.stop())

let workspaces = 0
/** Creates a workspace with a token. */
async function createWorkspace(): Promise<{ name: string; token: string }> {
  const name = `workspace-${++workspaces}`
  await service.addWorkspace(name)
  return { name, token: (await service.mint(undefined, name)).token }
}

let keys = 0
/** Gives every second request an Idempotency-Key, because these requests use another code path. */
const createKeyHeader = (i: number): Record<string, string> =>
  i % 2 === 0 ? {} : { 'idempotency-key': `key-${++keys}` }

/** Sends concurrent requests, of which the quota must accept exactly `accepted`. */
async function expectAccepted(
  accepted: number,
  setting: keyof typeof limits,
  send: (i: number) => Promise<ServiceResponse>,
  limit = Number(limits[setting]),
): Promise<void> {
  const responses = await Promise.all(Array.from({ length: requestCount }, (_, i) => send(i)))
  const refused = responses.filter(({ status }) => status === 403)
  expect(responses.filter(({ status }) => status < 300)).toHaveLength(accepted)
  expect(refused).toHaveLength(requestCount - accepted)
  for (const { body } of refused) {
    expect(body).toMatchObject({ code: 'quota_exceeded', limit, setting })
    expect(body.detail).toContain(setting)
  }
}

it('creates webhooks up to the limit, and another one after a deletion', async () => {
  const { token } = await createWorkspace()
  const create = (i: number) =>
    service.call('POST', '/v1/webhooks', {
      token,
      body: { url, events: ['link.created'] },
      headers: createKeyHeader(i),
    })
  await expectAccepted(3, 'WORKSPACE_WEBHOOKS', create)
  const [webhook] = (await service.call('GET', '/v1/webhooks', { token })).body.data
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { token })
  await expectAccepted(1, 'WORKSPACE_WEBHOOKS', create)
  const other = await createWorkspace()
  const { status } = await service.call('POST', '/v1/webhooks', {
    token: other.token,
    body: { url, events: ['*'] },
  })
  expect(status).toBe(201)
})

it('creates tokens up to the limit, without counting revoked and expired ones', async () => {
  const { name, token } = await createWorkspace()
  const create = (i: number) =>
    service.call('POST', '/v1/auth/token', {
      token,
      body: { name: 'CI', scopes: ['links:read'] },
      headers: createKeyHeader(i),
    })
  // The calling token is one of the four.
  await expectAccepted(3, 'WORKSPACE_TOKENS', create)
  const { data } = (await service.call('GET', '/v1/auth/tokens', { token })).body
  const rotated = await service.call('POST', `/v1/auth/token/${data[0].id}/rotate`, { token })
  expect([rotated.status, rotated.body.code]).toEqual([403, 'quota_exceeded'])
  await service.call('DELETE', `/v1/auth/token/${data[0].id}`, { token })
  await service.db.query(
    `UPDATE tokens SET expires_at = now() - interval '1 s' WHERE id = (
       SELECT tokens.id FROM tokens JOIN workspaces ON workspaces.id = workspace_id AND workspaces.name = $1
       WHERE created_by IS NOT NULL AND revoked_at IS NULL LIMIT 1)`,
    [name],
  )
  await expectAccepted(2, 'WORKSPACE_TOKENS', create)
  // The command line is not limited, so the operator can always get in.
  expect((await service.mint(undefined, name)).token).toMatch(/^lsk_/)
})

it('opens live streams of all tokens up to the limit, and another one after one has ended', async () => {
  const { name, token } = await createWorkspace()
  const tokens = [token, (await service.mint('clicks:read', name)).token]
  const open = (i: number) =>
    LiveFollower.start(`${service.origin}/api/v1/clicks/live`, { authorization: `Bearer ${tokens[i % 2]}` })
  const opened = await Promise.all(Array.from({ length: 8 }, (_, i) => open(i)))
  const followers = opened.filter(({ status }) => status === 200)
  expect(followers).toHaveLength(6)
  const refused = await service.call('GET', '/v1/clicks/live', { token })
  expect(refused.body).toMatchObject({
    code: 'quota_exceeded',
    limit: 6,
    setting: 'WORKSPACE_LIVE_STREAMS',
  })
  await followers[0]!.disconnect()
  await waitFor('a free stream', async () => {
    const again = await open(0)
    if (again.status === 200) followers.push(again)
    return again.status === 200
  })
  await Promise.all(followers.slice(1).map((follower) => follower.disconnect()))
})

it('accepts unfinished imports up to the limit, and another one after a cancellation', async () => {
  const { token } = await createWorkspace()
  const create = () => upload(service, 'url\nhttps://example.com/\n', {}, { token })
  await expectAccepted(2, 'WORKSPACE_IMPORTS', create)
  const { data } = (await service.call('GET', '/v1/imports', { token })).body
  expect(data).toHaveLength(2)
  await service.call('DELETE', `/v1/imports/${data[0].id}`, { token })
  await expectAccepted(1, 'WORKSPACE_IMPORTS', create)
})

it('replays the response of an import even if another one would exceed the limit', async () => {
  const { token } = await createWorkspace()
  const create = (line: string) =>
    upload(service, `url\n${line}\n`, {}, { token, headers: { 'idempotency-key': 'last' } })
  const first = await create('https://example.com/1')
  expect((await upload(service, 'url\nhttps://example.com/\n', {}, { token })).status).toBe(202)
  const again = await create('https://example.com/1')
  expect([again.status, again.body.id]).toEqual([202, first.body.id])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const other = await create('https://example.com/2')
  expect([other.status, other.body.code]).toEqual([422, 'idempotency_mismatch'])
})

it('stores imports up to the byte limit, including finished ones', async () => {
  const { token } = await createWorkspace()
  const line = `https://example.com/${'x'.repeat(1_000)}\n`
  const create = async () => {
    const response = await upload(service, `url\n${line.repeat(600)}`, {}, { token })
    if (response.status === 202) await service.call('DELETE', `/v1/imports/${response.body.id}`, { token })
    return response
  }
  await expectAccepted(1, 'WORKSPACE_IMPORT_BYTES', create, 1024 ** 2)
  expect((await upload(service, `url\n${line}`, {}, { token })).status).toBe(202)
})

it('starts replays up to the limit, and does not limit dry runs', async () => {
  const { name, token } = await createWorkspace()
  const webhook = await makeWebhook(service, { workspace: name })
  await makeDelivery(service, webhook, { status: 'failed' })
  const replay = (body: object) =>
    service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { token, body: { since: '1h', ...body } })
  await expectAccepted(2, 'WORKSPACE_REPLAYS', (i) => replay(i % 2 === 0 ? {} : { from: 'events' }))
  for (const from of ['deliveries', 'events'])
    expect((await replay({ from, dry_run: true })).status).toBe(202)
})

it('limits nothing when the quotas are off', async () => {
  const off = Object.fromEntries(Object.keys(limits).map((setting) => [setting, 'off']))
  const unlimited = await startService({ env: off })
  try {
    const post = (path: string, body: object) => unlimited.call('POST', path, { body })
    for (let i = 0; i < 5; i++) {
      expect((await post('/v1/webhooks', { url, events: ['*'] })).status).toBe(201)
      expect((await post('/v1/auth/token', { name: 'CI' })).status).toBe(201)
      expect((await upload(unlimited, 'url\nhttps://example.com/\n', {})).status).toBe(202)
    }
  } finally {
    await unlimited.stop()
  }
})
