/** Whatever is logged, it is no credential, and it can be found by the request id. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'

import type { NestFastifyApplication } from '@nestjs/platform-fastify'
import { pino } from 'pino'

import { createApp } from '../../src/app.js'
import { TokenCommands } from '../../src/auth/token-commands.js'
import { makeTokenValue } from '../../src/auth/token-value.js'
import { readSettings } from '../../src/config/env.js'
import { createDatabase } from '../support/database.js'
import type { TestDatabase } from '../support/database.js'
import { call, encryptionKey, pepper } from '../support/service.js'
import { waitFor } from '../support/wait-for.js'
import { exchange } from './raw-socket.js'

let db: TestDatabase
let app: NestFastifyApplication
let origin: string
let token: string
let log = ''
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'link-service-spec-'))
  db = await createDatabase()
  const settings = {
    ...readSettings({ PORT: '0', LOG_LEVEL: 'trace', DATA_DIR: dataDir }),
    databaseUrl: db.url,
    tokenPepper: pepper,
    encryptionKey,
  }
  const stream = new Writable({
    write: (chunk, _encoding, done) => {
      log += String(chunk)
      done()
    },
  })
  app = await createApp(settings, pino({ level: 'trace' }, stream))
  await app.listen({ port: 0, host: '127.0.0.1' })
  origin = await app.getUrl()
  token = (await app.get(TokenCommands).create('default', 'a', undefined, undefined)).token
})
afterAll(async () => {
  await app.close()
  await db.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const logged = (requestId: string) =>
  waitFor('the log line', () => log.split('\n').find((line) => line.includes(`"${requestId}"`)))

it('each request is one line with its id, method, route, status and token id', async () => {
  await call(origin, 'GET', '/v1/auth/token/not-an-id', { token, headers: { 'x-request-id': 'find-me' } })
  expect(JSON.parse(await logged('find-me'))).toMatchObject({
    request_id: 'find-me',
    method: 'GET',
    route: '/api/v1/auth/token/:id',
    status: 404,
    ms: expect.any(Number),
    token_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

it('no line holds a token, a pepper, a key or a password, wherever a client puts its token', async () => {
  const made = (await call(origin, 'POST', '/v1/auth/token', { token, body: { name: 'a' } })).body.token
  const forged = makeTokenValue('live')
  const secrets = [token, made, forged]
  for (const secret of secrets) {
    const tries = [
      ['GET', `/v1/auth/token/${secret}`, {}],
      ['GET', `/v1/auth/tokens?token=${secret}`, {}],
      ['GET', `/v1/auth/tokens?${secret}=1`, {}],
      ['GET', `/${secret}`, {}],
      ['GET', `/errors/${secret}`, {}],
      ['PUT', `/v1/auth/token/${secret}`, {}],
      ['GET', `/v1/auth/token/%zz${secret}`, {}],
      ['GET', '/v1/auth/token/self', { authorization: `Token ${secret}` }],
      ['GET', '/v1/auth/token/self', { authorization: secret }],
      ['GET', '/v1/auth/token/self', { 'x-request-id': `${secret} ` + 'x'.repeat(200) }],
      ['GET', '/v1/auth/token/self', { cookie: `token=${secret}`, 'if-match': secret, referer: secret }],
      ['POST', '/v1/auth/token', { 'idempotency-key': `${secret} x` }],
    ] as const
    for (const [method, path, headers] of tries) {
      await call(origin, method, path, {
        token,
        headers,
        ...(method === 'POST' ? { body: { name: secret } } : {}),
      })
      await call(origin, method, path, { token: secret, headers })
    }
    await call(origin, 'POST', '/v1/auth/token', { token, raw: `{"name":"a","${secret}":1}` })
    await call(origin, 'POST', '/v1/auth/token', { token, raw: `{"name":"${secret}` })
    await exchange(origin, `GET / HTTP/1.1\r\nnonsense ${secret}\r\n\r\n`)
    await exchange(origin, `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${secret}${'a'.repeat(20_000)}\r\n\r\n`)
  }
  await call(origin, 'POST', '/v1/auth/revoke', { token: null, body: { token: made } })
  await call(origin, 'GET', '/v1/nothing', { token, headers: { 'x-request-id': 'the-last' } })
  await logged('the-last')

  const password = new URL(db.url).password
  for (const secret of [...secrets, pepper, encryptionKey, ...(password ? [password] : [])])
    expect(log.includes(secret)).toBe(false)
})

it('a fault inside is logged with its request id, and says nothing to the caller', async () => {
  await db.query('ALTER TABLE audit_log RENAME TO gone')
  const headers = { 'x-request-id': 'a-fault' }
  const answer = await call(origin, 'POST', '/v1/auth/token', { token, headers, body: { name: 'a' } })
  await db.query('ALTER TABLE gone RENAME TO audit_log')

  expect(answer.status).toBe(500)
  expect(answer.body).toEqual({
    type: expect.stringMatching(/\/errors\/internal_error$/),
    title: 'Something went wrong here',
    status: 500,
    detail: 'Something went wrong here',
    instance: 'a-fault',
    code: 'internal_error',
  })
  await waitFor('the fault in the log', () => log.includes('a-fault internal_error'))
  expect(log).toContain('database error 42P01')
  expect(log).not.toContain('INSERT INTO')
})
