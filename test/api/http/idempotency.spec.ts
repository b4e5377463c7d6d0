import { decodeId } from '../../../src/platform/database/ids.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { makeLink } from '../../support/factories/links.js'
import { startService } from '../../support/service.js'
import type { ServiceResponse, Service } from '../../support/service.js'
import { SentStatements } from '../../support/statements-sent.js'
import pg from 'pg'

import { waitFor } from '../../support/wait-for.js'

let service: Service
beforeAll(async () => (service = await startService()))
afterAll(() => service.stop())

let keys = 0
const newKey = () => `key-${(keys += 1)}`
const create = (key: string, body: unknown = { name: 'a' }, token = service.token) =>
  service.call('POST', '/v1/auth/token', { body, token, headers: { 'idempotency-key': key } })
const countTokens = async () => {
  const rows = await service.db.query<{ count: number }>('SELECT count(*)::int AS count FROM tokens')
  return rows[0]!.count
}
/** Returns the headers that a replayed response repeats. */
const repeatedHeaders = ({ headers }: ServiceResponse) =>
  ['content-type', 'location', 'etag', 'cache-control'].map((name) => headers.get(name))

describe('the same key and body', () => {
  it('replay the first response byte for byte, and create nothing', async () => {
    const key = newKey()
    const first = await create(key, { name: 'a', scopes: ['links:read'], expires_in: '1h' })
    const count = await countTokens()
    const second = await create(key, { name: 'a', scopes: ['links:read'], expires_in: '1h' })

    expect(first.status).toBe(201)
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    expect(second.status).toBe(201)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.text).toBe(first.text)
    expect(repeatedHeaders(second)).toEqual(repeatedHeaders(first))
    expect(await countTokens()).toBe(count)
    expect((await service.call('GET', '/v1/auth/token/self', { token: second.body.token })).status).toBe(200)
  })

  it('replay the response of a rotation', async () => {
    const { id } = await service.mint()
    const headers = { 'idempotency-key': newKey() }
    const rotate = () => service.call('POST', `/v1/auth/token/${id}/rotate`, { headers })
    const [first, second] = [await rotate(), await rotate()]
    expect(first.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect(repeatedHeaders(second)).toEqual(repeatedHeaders(first))
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('replay the response even when a new request would be rejected', async () => {
    const headers = { 'idempotency-key': newKey() }
    const body = { url: 'https://target.example/', expires_at: new Date(Date.now() + 4_000).toISOString() }
    const create = () => service.call('POST', '/v1/links', { body, headers })
    const first = await create()
    expect(first.status).toBe(201)
    await waitFor('the link to expire', () => Date.now() > Date.parse(body.expires_at))
    const second = await create()
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  it('create one token when sent concurrently', async () => {
    for (let round = 0; round < 5; round++) {
      const key = newKey()
      const before = await countTokens()
      const responses = await Promise.all(Array.from({ length: 20 }, () => create(key)))
      expect(await countTokens()).toBe(before + 1)
      const created = responses.filter(({ status }) => status === 201)
      expect(new Set(created.map(({ text }) => text)).size).toBe(1)
      for (const { status, body, headers } of responses.filter(({ status: each }) => each !== 201)) {
        expect({ status, code: body.code }).toEqual({ status: 409, code: 'idempotency_in_progress' })
        expect(headers.get('retry-after')).toBe('1')
      }
      expect((await create(key)).text).toBe(created[0]!.text)
    }
  })
})

describe('the same key', () => {
  it('with another body returns 422, and keeps the first response', async () => {
    const key = newKey()
    const first = await create(key)
    for (const body of [{ name: 'b' }, { name: 'a', scopes: ['links:read'] }, { name: '' }]) {
      const other = await create(key, body)
      expect(other.status).toBe(422)
      expect(other.body).toMatchObject({
        code: 'idempotency_mismatch',
        detail: expect.stringContaining('Use a new key'),
      })
    }
    expect((await create(key)).text).toBe(first.text)
  })

  it('for another operation returns 422', async () => {
    const key = newKey()
    const { id } = await service.mint()
    await create(key)
    const other = await service.call('POST', `/v1/auth/token/${id}/rotate`, {
      body: {},
      headers: { 'idempotency-key': key },
    })
    expect(other.body.code).toBe('idempotency_mismatch')
  })

  it('used by another token is independent', async () => {
    const key = newKey()
    const { token } = await service.mint()
    const [own, other] = [await create(key), await create(key, { name: 'other' }, token)]
    expect(own.status).toBe(201)
    expect(other.status).toBe(201)
    expect(other.headers.get('idempotent-replayed')).toBeNull()
  })

  it('can be reused after 24 hours, and not before', async () => {
    const key = newKey()
    const first = await create(key)
    const age = (interval: string) =>
      service.db.query('UPDATE idempotent_answers SET created_at = now() - $2::interval WHERE key = $1', [
        key,
        interval,
      ])
    await age('23 hours 59 minutes')
    expect((await create(key)).text).toBe(first.text)
    await age('24 hours 1 second')
    const later = await create(key, { name: 'another body' })
    expect(later.status).toBe(201)
    expect(later.body.id).not.toBe(first.body.id)
    expect((await create(key, { name: 'another body' })).text).toBe(later.text)
  })
})

describe('a rejected request', () => {
  const stored = async (key: string) =>
    (await service.db.query('SELECT FROM idempotent_answers WHERE key = $1', [key])).length

  it.each([
    ['an invalid field', 422, { name: '' }],
    ['an excessive scope', 403, { name: 'a', scopes: ['audit:read'] }],
  ])('can be corrected and retried with the same key after %s', async (_, status, body) => {
    const { token } = await service.mint('tokens:write')
    const key = newKey()
    for (let i = 0; i < 2; i++) {
      const refused = await create(key, body, token)
      expect([refused.status, refused.headers.get('idempotent-replayed')]).toEqual([status, null])
      expect(refused.body.instance).toBe(refused.headers.get('x-request-id'))
    }
    expect(await stored(key)).toBe(0)
    const corrected = await create(key, { name: 'a', scopes: ['tokens:write'] }, token)
    expect([corrected.status, corrected.headers.get('idempotent-replayed')]).toEqual([201, null])
  })

  it('does not use up its key for an unknown ID or a taken slug', async () => {
    const headers = { 'idempotency-key': newKey() }
    const unknown = await service.call('POST', '/v1/auth/token/x/rotate', { headers })
    expect([unknown.status, unknown.headers.get('idempotent-replayed')]).toEqual([404, null])

    const link = (slug: string) =>
      service.call('POST', '/v1/links', { body: { url: 'https://target.example/', slug }, headers })
    const { slug } = (await service.call('POST', '/v1/links', { body: { url: 'https://target.example/' } }))
      .body
    expect((await link(slug)).status).toBe(409)
    expect((await link('free-slug')).status).toBe(201)
  })
})

/** Starts a request that waits for a lock until `release` is called. */
async function startBlocked(
  key: string,
  minter: { id: string; token: string },
): Promise<{ response: Promise<ServiceResponse>; release: () => Promise<void> }> {
  const blocker = new pg.Client(service.db.url)
  await blocker.connect()
  await blocker.query('BEGIN')
  await blocker.query('SELECT 1 FROM tokens WHERE id = $1 FOR UPDATE', [decodeId('tok', minter.id)])
  const response = create(key, { name: 'a' }, minter.token)
  await waitFor('the request to wait for the lock', async () => {
    const rows = await service.db.query(
      `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  })
  const release = async () => {
    await blocker.query('COMMIT')
    await blocker.end()
  }
  return { response, release }
}

describe('while the first request is running', () => {
  it('a second request returns 409, and a later retry returns the first response', async () => {
    const key = newKey()
    const minter = await service.mint()
    const { response: first, release } = await startBlocked(key, minter)
    const second = await create(key, { name: 'a' }, minter.token)
    const invalid = await create(key, { name: '' }, minter.token)
    await release()

    expect(second.status).toBe(409)
    expect(second.body.code).toBe('idempotency_in_progress')
    expect(invalid.status).toBe(422)
    const { status, text } = await first
    expect(status).toBe(201)
    expect((await create(key, { name: 'a' }, minter.token)).text).toBe(text)
  })

  it('a request rolls back and replays a response that was committed after its lookup', async () => {
    const key = newKey()
    const minter = await service.mint()
    const first = await create(key, { name: 'a' }, minter.token)
    const count = await countTokens()
    // Simulates a commit of the first request between the second's lookup and its lock on the key.
    await service.db.query('CREATE TABLE saved_answers AS SELECT * FROM idempotent_answers WHERE key = $1', [
      key,
    ])
    await service.db.query('DELETE FROM idempotent_answers WHERE key = $1', [key])
    const { response, release } = await startBlocked(key, minter)
    await service.db.query('INSERT INTO idempotent_answers SELECT * FROM saved_answers')
    await release()

    const second = await response
    expect([second.status, second.text]).toEqual([201, first.text])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(await countTokens()).toBe(count)
  })
})

describe('a stored response', () => {
  it('is encrypted', async () => {
    const key = newKey()
    const { body } = await create(key)
    const rows = await service.db.query<{ dump: string; raw: Buffer }>(
      'SELECT a::text AS dump, sealed_body AS raw FROM idempotent_answers a WHERE key = $1',
      [key],
    )
    expect(rows).toHaveLength(1)
    const [{ dump, raw }] = rows as [{ dump: string; raw: Buffer }]
    for (const secret of [body.token, body.token.slice(9, -6)]) {
      expect(raw.includes(secret)).toBe(false)
      for (const encoding of ['utf8', 'hex', 'base64'] as const)
        expect(dump).not.toContain(Buffer.from(secret).toString(encoding))
    }
  })

  it('returns 409 after it is copied to another key', async () => {
    const [source, other] = [newKey(), newKey()]
    await create(source)
    const first = await create(other, { name: 'other' })
    await service.db.query(
      `UPDATE idempotent_answers SET sealed_body = (SELECT sealed_body FROM idempotent_answers WHERE key = $1)
       WHERE key = $2`,
      [source, other],
    )
    const tokens = () => service.db.query('SELECT FROM tokens').then(({ length }) => length)
    const count = await tokens()
    for (let i = 0; i < 2; i++) {
      const moved = await create(other, { name: 'other' })
      expect([moved.status, moved.body.code]).toEqual([409, 'idempotency_unreadable'])
      expect(moved.text).not.toContain(first.body.token)
    }
    expect(await tokens()).toBe(count)
  })
})

it('does not store a 5xx response', async () => {
  const key = newKey()
  await service.db.query('ALTER TABLE audit_log RENAME TO gone')
  const failed = await create(key)
  await service.db.query('ALTER TABLE gone RENAME TO audit_log')
  expect(failed.status).toBe(500)
  const again = await create(key)
  expect(again.status).toBe(201)
  expect(again.headers.get('idempotent-replayed')).toBeNull()
})

it('does not store a 403 response for a missing scope', async () => {
  const key = newKey()
  const { token } = await service.mint('links:read')
  expect((await create(key, { name: 'a' }, token)).status).toBe(403)
  const rows = await service.db.query('SELECT 1 FROM idempotent_answers WHERE key = $1', [key])
  expect(rows).toHaveLength(0)
})

it('sends two more statements with a key, and three in total for a replay', async () => {
  const proxy = await DatabaseProxy.start(service.db.url)
  const watched = await startService({ db: { ...service.db, url: proxy.url } })
  try {
    const statements = new SentStatements()
    const statementsFor = async (headers: Record<string, string>): Promise<string[]> => {
      statements.read(proxy.takeSentBytes('queries'))
      const body = { url: 'https://target.example/' }
      expect((await watched.call('POST', '/v1/links', { body, headers })).status).toBe(201)
      const sent = statements.read(proxy.takeSentBytes('queries'))
      return sent.flatMap((text) => /(?:START|SELECT|INSERT|COMMIT|ROLLBACK).*/s.exec(text) ?? [])
    }
    await statementsFor({})
    const key = newKey()
    const [without, first, again] = [
      await statementsFor({}),
      await statementsFor({ 'idempotency-key': key }),
      await statementsFor({ 'idempotency-key': key }),
    ]
    const keyStatements = (sent: string[]) => sent.filter((text) => /idempotent_answers|advisory/.test(text))
    expect(keyStatements(without)).toEqual([])
    expect(keyStatements(first)).toEqual([
      expect.stringMatching(/^SELECT pg_try_advisory_xact_lock/),
      expect.stringMatching(/^INSERT INTO idempotent_answers/),
    ])
    // On a slow machine the change feed may lag, so the token may be read again.
    expect(again.filter((text) => !text.includes('FROM "tokens"'))).toEqual([
      expect.stringMatching(/^START TRANSACTION/),
      expect.stringMatching(/^SELECT pg_try_advisory_xact_lock/),
      expect.stringMatching(/^ROLLBACK/),
    ])
  } finally {
    await watched.stop()
    await proxy.stop()
  }
})

it('returns 409 to 30 concurrent requests with keys without running out of connections', async () => {
  const { slug } = await makeLink(service)
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      service.call('POST', '/v1/links', {
        headers: { 'idempotency-key': `taken-${i}` },
        body: { url: 'https://target.example/', slug },
      }),
    ),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([409]))
})
