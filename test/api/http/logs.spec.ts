/** Log lines contain no credentials and can be found by request ID. */
import { readFileSync } from 'node:fs'

import { createTokenValue } from '../../../src/auth/token-value.js'
import { logFields } from '../../../src/platform/util/log-fields.js'
import { version } from '../../../src/platform/util/program.js'
import { createDatabase } from '../../support/database.js'
import { DatabaseProxy } from '../../support/database-proxy.js'
import { encryptionKey, pepper, startService } from '../../support/service.js'
import type { Service } from '../../support/service.js'
import { waitFor } from '../../support/wait-for.js'
import { exchange, openSocket } from '../../support/raw-socket.js'

let service: Service
let log = ''
beforeAll(async () => {
  service = await startService({ env: { ROLE: 'all' }, onLog: (text) => (log += text) })
})
afterAll(() => service.stop())

const logged = (requestId: string) =>
  waitFor('the log line', () => log.split('\n').find((line) => line.includes(`"${requestId}"`)))

it('logs one line per request with request ID, method, route, status and token ID', async () => {
  await service.call('GET', '/v1/auth/token/not-an-id', { headers: { 'x-request-id': 'find-me' } })
  expect(JSON.parse(await logged('find-me'))).toMatchObject({
    request_id: 'find-me',
    method: 'GET',
    route: '/api/v1/auth/token/:id',
    status: 404,
    ms: expect.any(Number),
    token_id: expect.stringMatching(/^tok_[0-9a-z]{26}$/),
    client_ip: '127.0.0.0',
    instance: expect.stringMatching(new RegExp(`^[^:]+:${process.pid}$`)),
    version,
  })
})

it('logs a redirect at debug level, with its slug and the network of the visitor', async () => {
  const { body: link } = await service.call('POST', '/v1/links', { body: { url: 'https://target.example' } })
  const headers = { 'x-request-id': 'a-redirect', authorization: 'Bearer hidden-header' }
  await fetch(`${service.origin}/${link.slug}?secret=hidden-query`, { redirect: 'manual', headers })
  expect(JSON.parse(await logged('a-redirect'))).toEqual({
    level: 'debug',
    time: expect.any(String),
    instance: expect.any(String),
    version,
    request_id: 'a-redirect',
    method: 'GET',
    route: '/:slug',
    slug: link.slug,
    status: 302,
    ms: expect.any(Number),
    client_ip: '127.0.0.0',
    msg: 'redirect',
  })
  expect(log).not.toContain('hidden-')
})

it('logs no slug of an unknown link, which may be a secret', async () => {
  await fetch(`${service.origin}/no-such-slug`, { headers: { 'x-request-id': 'unknown-link' } })
  const line = await logged('unknown-link')
  expect(JSON.parse(line)).toMatchObject({ level: 'debug', msg: 'redirect', status: 404, slug: null })
  expect(line).not.toContain('no-such-slug')
})

it.each([
  ['full', '127.0.0.1'],
  ['none', null],
])('logs client IP addresses as CLICK_IP=%s allows', async (mode, address) => {
  // Nest has one logger in a process, so both services write to the same log.
  const other = await startService({ env: { CLICK_IP: mode }, onLog: (text) => (log += text) })
  try {
    await other.call('GET', '/v1/links', { headers: { 'x-request-id': `api-${mode}` } })
    await fetch(`${other.origin}/unknown`, { headers: { 'x-request-id': `link-${mode}` } })
    for (const requestId of [`api-${mode}`, `link-${mode}`])
      expect(JSON.parse(await logged(requestId))).toMatchObject({ client_ip: address })
  } finally {
    await other.stop()
  }
})

it('never logs tokens, peppers, keys or passwords', async () => {
  const created = (await service.call('POST', '/v1/auth/token', { body: { name: 'a' } })).body.token
  const forged = createTokenValue('live')
  const secrets = [service.token, created, forged]
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
      await service.call(method, path, {
        headers,
        undocumented: true,
        ...(method === 'POST' ? { body: { name: secret } } : {}),
      })
      await service.call(method, path, { token: secret, headers, undocumented: true })
    }
    await service.call('POST', '/v1/auth/token', { raw: `{"name":"a","${secret}":1}` })
    await service.call('POST', '/v1/auth/token', { raw: `{"name":"${secret}` })
    await exchange(service.origin, `GET / HTTP/1.1\r\nnonsense ${secret}\r\n\r\n`)
    await exchange(
      service.origin,
      `GET /healthz HTTP/1.1\r\nhost: a\r\nx: ${secret}${'a'.repeat(20_000)}\r\n\r\n`,
    )
  }
  await service.call('POST', '/v1/auth/revoke', { token: null, body: { token: created } })
  await service.call('GET', '/v1/nothing', {
    undocumented: true,
    headers: { 'x-request-id': 'last-request' },
  })
  await logged('last-request')

  const password = new URL(service.db.url).password
  for (const secret of [...secrets, pepper, encryptionKey, ...(password ? [password] : [])])
    expect(log.includes(secret)).toBe(false)
})

it('logs the first rejected caller of a second, and the number of the others', async () => {
  const lines = () => log.split('\n').filter((line) => line.includes('"flood-'))
  const counted = () =>
    [...log.matchAll(/"count":(\d+),"msg":"more requests rejected/g)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    )
  const countedBefore = counted()
  const startedAt = performance.now()
  for (let i = 0; i < 50; i++)
    await service.call('GET', '/v1/auth/tokens', { token: null, headers: { 'x-request-id': `flood-${i}` } })
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  await waitFor('the counts', () => counted() - countedBefore + lines().length >= 50)
  expect(lines().length).toBeLessThanOrEqual(seconds + 1)
})

it('logs an internal error with its request ID, without details in the response', async () => {
  await service.db.query('ALTER TABLE audit_log RENAME TO gone')
  const headers = { 'x-request-id': 'internal-error' }
  const response = await service.call('POST', '/v1/auth/token', { headers, body: { name: 'a' } })
  await service.db.query('ALTER TABLE gone RENAME TO audit_log')

  expect(response.status).toBe(500)
  expect(response.body).toEqual({
    type: expect.stringMatching(/\/errors\/internal_error$/),
    title: 'Internal error',
    status: 500,
    detail: 'Internal error.',
    instance: 'internal-error',
    code: 'internal_error',
  })
  const line = JSON.parse(await logged('internal-error'))
  expect(line).toMatchObject({
    request_id: 'internal-error',
    status: 500,
    code: 'internal_error',
    stack: expect.stringMatching(/^database error 42P01\n +at /),
  })
  expect(log.match(/"internal-error"/g)).toHaveLength(1)
  expect(log).not.toContain('INSERT INTO')
})

/** Fields that this process does not log: those of traces, of a start, and of a fatal error. */
const ofOtherProcesses = ['trace_id', 'span_id', 'port', 'role', 'origin']

it('logs exactly the declared fields, which the page lists', () => {
  const lines = log.split('\n').filter((line) => line !== '')
  const fields = new Set(lines.flatMap((line) => Object.keys(JSON.parse(line))))
  const declared = Object.keys(logFields)
  expect([...fields].filter((name) => !declared.includes(name))).toEqual([])
  expect(declared.filter((name) => !fields.has(name)).sort()).toEqual([...ofOtherProcesses].sort())
  const page = readFileSync('docs/logs.md', 'utf8')
  expect([...page.matchAll(/^\| `(\w+)` \| (?:string|number) \|/gm)].map(([, name]) => name)).toEqual(
    declared,
  )
})

it('logs values of the declared types', () => {
  for (const line of log.split('\n').filter((each) => each !== ''))
    for (const [name, value] of Object.entries(JSON.parse(line)))
      if (value !== null) expect([name, typeof value]).toEqual([name, logFields[name as 'msg'].type])
})

describe('logs a caller that disconnects during the body at debug level', () => {
  const expectLogged = async (requestId: string) => {
    const line = await waitFor('the log line', () => log.split('\n').find((each) => each.includes(requestId)))
    expect(JSON.parse(line)).toMatchObject({
      level: 'debug',
      request_id: requestId,
      msg: 'The client disconnected before the end of the body',
    })
  }
  const begin = async (origin: string, token: string, requestId: string) => {
    const socket = await openSocket(origin)
    socket.write(
      `POST /api/v1/auth/token HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${token}\r\n` +
        `x-request-id: ${requestId}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":`,
    )
    return socket
  }

  it('when its token is cached', async () => {
    await service.call('GET', '/v1/auth/token/self')
    const socket = await begin(service.origin, service.token, 'left-warm')
    socket.end()
    await expectLogged('left-warm')
  })

  it('while its token is being read', async () => {
    const db = await createDatabase()
    const proxy = await DatabaseProxy.start(db.url)
    const slow = await startService({ db: { ...db, url: proxy.url }, onLog: (text) => (log += text) })
    try {
      const { token } = await slow.mint()
      proxy.holdResponses()
      const socket = await begin(slow.origin, token, 'left-cold')
      await waitFor('the query', () => proxy.hasHeldResponses)
      socket.destroy()
      await waitFor('the connection to close', () => countConnections(slow).then((count) => count === 0))
      proxy.releaseResponses()
      await expectLogged('left-cold')
    } finally {
      await slow.stop()
      await proxy.stop()
      await db.drop()
    }
  })
})

function countConnections({ app }: Service): Promise<number> {
  return new Promise((resolve, reject) =>
    app.getHttpServer().getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}
