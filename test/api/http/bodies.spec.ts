/** The order of checks before a body is read, and the accepted bodies. */
import { gzipSync } from 'node:zlib'

import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { exchange, openSocket, readAnswer } from '../../support/raw-socket.js'

let service: Service
let before: unknown
const snapshot = () => service.db.query('SELECT id, revoked_at, expires_at FROM tokens ORDER BY id')
beforeAll(async () => {
  service = await shareService()
  before = await snapshot()
})
afterAll(() => service.stop())
afterEach(async () => expect(await snapshot()).toEqual(before))

const post = (raw: string | Uint8Array, headers: Record<string, string>) =>
  service.call('POST', '/v1/auth/token', { raw, headers })

function head(headers: Record<string, string | number>, path = '/api/v1/auth/token'): string {
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

describe('the token is checked before the body', () => {
  it.each([
    ['announced', { 'content-length': 100 }],
    ['announced as too large', { 'content-length': 100_000_000 }],
    ['chunked', { 'transfer-encoding': 'chunked' }],
  ])('returns 401 without waiting for a body that is %s and never arrives', async (_, headers) => {
    for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x']) {
      const response = await exchange(service.origin, head({ 'content-type': type, ...headers }))
      expect(response.status).toBe(401)
      expect(response.body.code).toBe('unauthorized')
    }
  })

  it('returns 403 for a missing scope without waiting for the body', async () => {
    const { token } = await service.mint('links:read')
    before = await snapshot()
    const authorization = `Bearer ${token}`
    const response = await exchange(
      service.origin,
      head({ authorization, 'content-type': 'application/json', 'content-length': 100 }),
    )
    expect(response.status).toBe(403)
  })

  it('returns 401 without parsing an anonymous body', async () => {
    for (const [raw, type] of [
      ['{', 'application/json'],
      ['a', 'text/plain'],
      ['{"a":1}', 'application/x-www-form-urlencoded'],
    ] as const) {
      const headers = { 'content-type': type }
      expect((await service.call('POST', '/v1/auth/token', { token: null, raw, headers })).status).toBe(401)
    }
  })
})

describe('413', () => {
  const large = Buffer.from(`{"name":"${'a'.repeat(262_144)}"}`)
  const authorization = () => `Bearer ${service.token}`

  it('is returned immediately when the length is announced', async () => {
    const response = await exchange(
      service.origin,
      head({ authorization: authorization(), 'content-type': 'application/json', 'content-length': 262_145 }),
    )
    expect(response.status).toBe(413)
    expect(response.body.code).toBe('payload_too_large')
  })

  it.each([
    ['/v1/auth/token', 262_145, 'application/json', 413, 'The request body must be at most 256 KiB'],
    ['/v1/links/bulk', 10_485_761, 'application/json', 413, 'The request body must be at most 10 MiB'],
    ['/v1/imports', 268_435_457, 'text/csv', 413, 'A file can be at most 256 MiB'],
    // A smaller body of this type would be refused, too.
    ['/v1/imports', 5_000_000, 'application/json', 415, 'must be text/csv or application/x-ndjson'],
  ])('names the limit and the type: %s with %i bytes', async (path, length, type, status, message) => {
    const headers = { authorization: authorization(), 'content-type': type, 'content-length': length }
    const response = await exchange(service.origin, head(headers, `/api${path}`))
    expect(response.status).toBe(status)
    expect(response.body.detail).toContain(message)
  })

  it('is returned when a chunked body exceeds the limit', async () => {
    const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`
    const response = await exchange(
      service.origin,
      head({
        authorization: authorization(),
        'content-type': 'application/json',
        'transfer-encoding': 'chunked',
      }),
      ...Array<string>(5).fill(chunk),
    )
    expect(response.status).toBe(413)
    expect(response.body.code).toBe('payload_too_large')
  })

  it('reaches clients that send their whole body', async () => {
    for (let i = 0; i < 5; i++) {
      const { status, body } = await post(large, {})
      expect(status).toBe(413)
      expect(body.code).toBe('payload_too_large')
    }
    const stream = new Blob([Buffer.alloc(10_000_000)]).stream()
    const streamed = await fetch(`${service.origin}/api/v1/auth/token`, {
      method: 'POST',
      headers: { authorization: authorization(), 'content-type': 'application/json' },
      body: stream,
      duplex: 'half',
    } as unknown as RequestInit)
    expect(streamed.status).toBe(413)
  })

  it('leaves the connection open, so that slow clients can send the rest and read it', async () => {
    const socket = await openSocket(service.origin)
    try {
      const length = 10_000_000
      socket.write(
        head({
          authorization: authorization(),
          'content-type': 'application/json',
          'content-length': length,
        }),
      )
      expect((await readAnswer(socket)).status).toBe(413)
      socket.write(Buffer.alloc(length))
      socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n')
      expect((await readAnswer(socket)).status).toBe(200)
    } finally {
      socket.destroy()
    }
  })

  it('is not returned for exactly 256 KiB', async () => {
    const exact = `{"name":"a"${' '.repeat(262_144 - 12)}}`
    expect(exact).toHaveLength(262_144)
    expect((await post(exact, { 'idempotency-key': ' ' })).status).not.toBe(413)
    expect((await post(`{"nam":"a"${' '.repeat(262_144 - 11)}}`, {})).status).toBe(422)
    expect((await post(`${exact} `, {})).status).toBe(413)
  })
})

describe('415', () => {
  const json = '{"nam":"a"}'
  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data; boundary=x'],
    ['application/xml'],
    ['application/jsonp'],
    ['application/json-seq'],
    ['text/json'],
    ['application/merge-patch+json'],
    ['application/problem+json'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['application/json;charset="iso-8859-1"'],
    ['application/json, text/plain'],
    ['json'],
    ['*/*'],
    ['__proto__'],
    [';;;'],
  ])('is returned for %s', async (type) => {
    const { status, body } = await post(json, { 'content-type': type })
    expect(status).toBe(415)
    expect(body.code).toBe('unsupported_media_type')
    expect(body.detail).toMatch(
      /^The request body must be application\/json, in UTF-8 and not compressed\. It was sent as /,
    )
  })

  it.each([
    ['PATCH', '/v1/links/lnk_0', 'text/csv', 'application/json or application/merge-patch+json'],
    ['POST', '/v1/links/bulk', 'application/x-ndjson', 'application/json'],
    ['POST', '/v1/imports', 'application/json', 'text/csv or application/x-ndjson'],
  ])('names the accepted and the received types: %s %s', async (method, path, type, accepted) => {
    const response = await service.call(method, path, { raw: '{}', headers: { 'content-type': type } })
    expect(response.status).toBe(415)
    expect(response.body.detail).toBe(
      `The request body must be ${accepted}, in UTF-8 and not compressed. It was sent as ${type}.`,
    )
  })

  it('is returned for a body without a content type', async () => {
    const authorization = `Bearer ${service.token}`
    const response = await exchange(
      service.origin,
      head({ authorization, 'content-length': json.length }),
      json,
    )
    expect(response.status).toBe(415)
  })

  it.each(['gzip', 'deflate', 'br', 'zstd', 'gzip, identity', 'nonsense'])(
    'is returned for the content encoding %s',
    async (encoding) => {
      const { status, body } = await post(gzipSync(json), { 'content-encoding': encoding })
      expect(status).toBe(415)
      expect(body.code).toBe('unsupported_media_type')
    },
  )

  it.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'application/json; charset=utf8; x=y',
  ])('is not returned for %s', async (type) => {
    expect((await post(json, { 'content-type': type })).status).toBe(422)
  })
})

describe('a body that stops halfway', () => {
  it('changes nothing and does not affect other requests', async () => {
    const authorization = `Bearer ${service.token}`
    for (let i = 0; i < 5; i++) {
      const socket = await openSocket(service.origin)
      socket.write(head({ authorization, 'content-type': 'application/json', 'content-length': 20 }))
      socket.write('{"name":')
      socket.destroy()
    }
    expect((await service.call('GET', '/v1/auth/token/self')).status).toBe(200)
  })

  it('leaves the connection usable after an early 401', async () => {
    const socket = await openSocket(service.origin)
    socket.write(head({ 'content-type': 'application/json', 'content-length': 12 }))
    expect((await readAnswer(socket)).status).toBe(401)
    socket.write('{"name":"a"}')
    socket.write(`GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    const next = await readAnswer(socket)
    socket.destroy()
    expect(next).toMatchObject({ status: 200, body: { status: 'ok' } })
  })
})
