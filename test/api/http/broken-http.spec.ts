/** Malformed and unusual HTTP requests. */
import { makeLink } from '../../support/factories/links.js'
import type { Service } from '../../support/service.js'
import { shareService } from '../../support/shared-service.js'
import { exchange, openSocket } from '../../support/raw-socket.js'

let service: Service
beforeAll(async () => (service = await shareService()))
afterAll(() => service.stop())
afterEach(async () => expect((await service.call('GET', '/healthz')).status).toBe(200))

describe('returns 400 as a problem and closes the connection for', () => {
  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['a request line with an extra space', 'GET /a b c HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['no Host header', 'GET /healthz HTTP/1.1\r\n\r\n'],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nhost: a\r\nHOST: b\r\n\r\n'],
    ['two Host headers for a short link', 'GET /some-slug HTTP/1.1\r\nhost: a\r\nhost: a\r\n\r\n'],
    ['no Host header for a short link', 'GET /some-slug HTTP/1.1\r\n\r\n'],
    ['another version of HTTP', 'GET /some-slug HTTP/2.0\r\nhost: a\r\n\r\n'],
    [
      'another transfer coding',
      'POST /healthz HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a NUL in a header', 'GET /healthz HTTP/1.1\r\nhost: a\r\nx: a\0b\r\n\r\n'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nhost: a\r\nnonsense\r\n\r\n'],
    ['a negative Content-Length', 'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n'],
    [
      'a Content-Length that is not a number',
      'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: ten\r\n\r\n',
    ],
    [
      'two Content-Lengths',
      'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    ],
    [
      'both a length and chunks',
      'POST /healthz HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a TLS greeting', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3, 0x0d, 0x0a, 0x0d, 0x0a])],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const { status, headers, body } = await exchange(service.origin, bytes)
    expect(status).toBe(400)
    expect(headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      connection: 'close',
    })
    expect(body).toMatchObject({ code: 'bad_request', status: 400, instance: headers['x-request-id'] })
  })

  it('a malformed chunk', async () => {
    const { status, body } = await exchange(
      service.origin,
      `POST /api/v1/auth/token HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.token}\r\n`,
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nnonsense\r\n',
    )
    expect(status).toBe(400)
    expect(body.code).toBe('bad_request')
  })

  it.each([
    ['one header', `x: ${'a'.repeat(20_000)}\r\n`],
    ['many headers', Array.from({ length: 1500 }, (_, i) => `x${i}: aaaaaaaaaa\r\n`).join('')],
    ['the bearer', `authorization: Bearer ${'a'.repeat(20_000)}\r\n`],
  ])('(431) %s over the limit', async (_, lines) => {
    const { status, body } = await exchange(
      service.origin,
      `GET /healthz HTTP/1.1\r\nhost: a\r\n${lines}\r\n`,
    )
    expect(status).toBe(431)
    expect(body.code).toBe('headers_too_large')
  })

  it('(431) a URL over the limit', async () => {
    const { status, body } = await exchange(
      service.origin,
      `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
    )
    expect(status).toBe(431)
    expect(body.code).toBe('headers_too_large')
  })
})

describe('returns no 5xx for', () => {
  it.each([
    ['an absolute URL', 'GET http://evil.example/healthz HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['a double slash', 'GET //healthz HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nhost: a\r\n\r\n'],
    [
      'raw bytes in the URL',
      Buffer.from('GET /api/v1/auth/token/\xff\xfe HTTP/1.1\r\nhost: a\r\n\r\n', 'latin1'),
    ],
    ['a NUL in the URL', 'GET /api/v1/auth/token/%00 HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['HTTP/1.0', 'GET /nothing HTTP/1.0\r\n\r\n'],
    [
      'a CONNECT-like upgrade',
      'GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n',
    ],
    [
      'an expectation',
      'POST /api/v1/auth/token HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n',
    ],
    ['an unknown expectation', 'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: miracles\r\n\r\n'],
    ['an unknown Accept', 'GET /api/v1/auth/token/self HTTP/1.1\r\nhost: a\r\naccept: image/png\r\n\r\n'],
    ['an Accept-Version', 'GET /healthz HTTP/1.1\r\nhost: a\r\naccept-version: 9.x\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const { status, text } = await exchange(service.origin, bytes)
    expect(status).toBeLessThan(500)
    expect(text).not.toMatch(/\bat .+\.js|SELECT|node_modules/)
  })
})

it('closes the connection without a response for a malformed request during a stream', async () => {
  const socket = await openSocket(service.origin)
  socket.write(
    `GET /api/v1/clicks/live HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${service.token}\r\n\r\n`,
  )
  let received = ''
  for await (const chunk of socket) {
    const hasBegun = received !== ''
    received += String(chunk)
    if (!hasBegun) socket.write('nonsense\r\n\r\n')
  }
  expect(received).toMatch(/^HTTP\/1.1 200 /)
  expect(received.match(/HTTP\/1.1 /g)).toHaveLength(1)
})

describe('malformed bytes after a complete request', () => {
  it('responds to the request, and then closes the connection', async () => {
    const body = JSON.stringify({ url: 'https://example.com/', external_id: 'before-malformed-bytes' })
    const received = await readUntilClosed(
      `POST /api/v1/links HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${service.token}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}nonsense\r\n\r\n`,
    )
    expect(getStatusLines(received)).toEqual(['HTTP/1.1 201 Created'])
  })

  it('redirects, and then closes the connection', async () => {
    const link = await makeLink(service)
    const request = `GET /${link.slug} HTTP/1.1\r\nhost: a\r\n\r\n`
    const received = await readUntilClosed(`${request}${request}nonsense\r\n\r\n`)
    expect(getStatusLines(received)).toEqual(['HTTP/1.1 302 Found', 'HTTP/1.1 302 Found'])
  })
})

it('sends one response if the rest of a rejected request is malformed', async () => {
  const received = await readUntilClosed(
    'POST /api/v1/links HTTP/1.1\r\nhost: a\r\ntransfer-encoding: xchunked\r\n\r\nnonsense',
  )
  expect(getStatusLines(received)).toEqual(['HTTP/1.1 400 Bad Request'])
})

async function readUntilClosed(bytes: string): Promise<string> {
  const socket = await openSocket(service.origin)
  socket.write(bytes)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

function getStatusLines(received: string): string[] {
  return [...received.matchAll(/HTTP\/1\.1 \d+ [A-Za-z ]+/g)].map(([line]) => line)
}
