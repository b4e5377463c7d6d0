/** What a workspace may have at most, also when many requests ask for it at the same time. */
import { LiveFollower } from '../../support/live-follower.js'
import { startService } from '../../support/service.js'
import type { Answer, Service } from '../../support/service.js'
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
const atOnce = 12
const url = 'https://receiver.example/hooks'

let service: Service
beforeAll(async () => (service = await startService({ env: limits })))
afterAll(() => service.stop())

let workspaces = 0
/** A token of a new workspace. */
async function freshWorkspace(): Promise<{ name: string; token: string }> {
  const name = `workspace-${++workspaces}`
  await service.addWorkspace(name)
  return { name, token: (await service.mint(undefined, name)).token }
}

let keys = 0
/** Half of the requests have an Idempotency-Key, because they take another way to the database. */
const keyOf = (i: number): Record<string, string> =>
  i % 2 === 0 ? {} : { 'idempotency-key': `key-${++keys}` }

/** Sends requests at once. All but `room` of them must be refused by the quota. */
async function expectRoomFor(
  room: number,
  setting: keyof typeof limits,
  ask: (i: number) => Promise<Answer>,
  limit = Number(limits[setting]),
): Promise<void> {
  const answers = await Promise.all(Array.from({ length: atOnce }, (_, i) => ask(i)))
  const refused = answers.filter(({ status }) => status === 403)
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(room)
  expect(refused).toHaveLength(atOnce - room)
  for (const { body } of refused) {
    expect(body).toMatchObject({ code: 'quota_exceeded', limit, setting })
    expect(body.detail).toContain(setting)
  }
}

it('creates webhooks up to the limit, and another one after a deletion', async () => {
  const { token } = await freshWorkspace()
  const create = (i: number) =>
    service.call('POST', '/v1/webhooks', {
      token,
      body: { url, events: ['link.created'] },
      headers: keyOf(i),
    })
  await expectRoomFor(3, 'WORKSPACE_WEBHOOKS', create)
  const [webhook] = (await service.call('GET', '/v1/webhooks', { token })).body.data
  await service.call('DELETE', `/v1/webhooks/${webhook.id}`, { token })
  await expectRoomFor(1, 'WORKSPACE_WEBHOOKS', create)
  const other = await freshWorkspace()
  const { status } = await service.call('POST', '/v1/webhooks', {
    token: other.token,
    body: { url, events: ['*'] },
  })
  expect(status).toBe(201)
})

it('creates tokens up to the limit, without counting revoked and expired ones', async () => {
  const { name, token } = await freshWorkspace()
  const create = (i: number) =>
    service.call('POST', '/v1/auth/token', {
      token,
      body: { name: 'CI', scopes: ['links:read'] },
      headers: keyOf(i),
    })
  // The calling token is one of the four.
  await expectRoomFor(3, 'WORKSPACE_TOKENS', create)
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
  await expectRoomFor(2, 'WORKSPACE_TOKENS', create)
  // The command line is not limited, so the operator can always get in.
  expect((await service.mint(undefined, name)).token).toMatch(/^lsk_/)
})

it('opens live streams up to the limit, whichever tokens ask, and another one after one has ended', async () => {
  const { name, token } = await freshWorkspace()
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
  await followers[0]!.leave()
  await waitFor('room for a stream', async () => {
    const again = await open(0)
    if (again.status === 200) followers.push(again)
    return again.status === 200
  })
  await Promise.all(followers.slice(1).map((follower) => follower.leave()))
})

it('takes unfinished imports up to the limit, and another one after one is canceled', async () => {
  const { token } = await freshWorkspace()
  const create = () => upload(service, 'url\nhttps://example.com/\n', {}, { token })
  await expectRoomFor(2, 'WORKSPACE_IMPORTS', create)
  const { data } = (await service.call('GET', '/v1/imports', { token })).body
  expect(data).toHaveLength(2)
  await service.call('DELETE', `/v1/imports/${data[0].id}`, { token })
  await expectRoomFor(1, 'WORKSPACE_IMPORTS', create)
})

it('stores imports up to the limit of bytes, including finished ones', async () => {
  const { token } = await freshWorkspace()
  const line = `https://example.com/${'x'.repeat(1_000)}\n`
  const create = async () => {
    const answer = await upload(service, `url\n${line.repeat(600)}`, {}, { token })
    if (answer.status === 202) await service.call('DELETE', `/v1/imports/${answer.body.id}`, { token })
    return answer
  }
  await expectRoomFor(1, 'WORKSPACE_IMPORT_BYTES', create, 1024 ** 2)
  expect((await upload(service, `url\n${line}`, {}, { token })).status).toBe(202)
})

it('starts replays up to the limit, and counts dry runs without one', async () => {
  const { name, token } = await freshWorkspace()
  const webhook = await makeWebhook(service, { workspace: name })
  await makeDelivery(service, webhook, { status: 'failed' })
  const replay = (body: object) =>
    service.call('POST', `/v1/webhooks/${webhook.id}/replay`, { token, body: { since: '1h', ...body } })
  await expectRoomFor(2, 'WORKSPACE_REPLAYS', (i) => replay(i % 2 === 0 ? {} : { from: 'events' }))
  for (const from of ['deliveries', 'events'])
    expect((await replay({ from, dry_run: true })).status).toBe(202)
})

it('limits nothing when the quotas are off', async () => {
  const off = Object.fromEntries(Object.keys(limits).map((setting) => [setting, 'off']))
  const unlimited = await startService({ env: off })
  try {
    const ask = (path: string, body: object) => unlimited.call('POST', path, { body })
    for (let i = 0; i < 5; i++) {
      expect((await ask('/v1/webhooks', { url, events: ['*'] })).status).toBe(201)
      expect((await ask('/v1/auth/token', { name: 'CI' })).status).toBe(201)
      expect((await upload(unlimited, 'url\nhttps://example.com/\n', {})).status).toBe(202)
    }
  } finally {
    await unlimited.stop()
  }
})
