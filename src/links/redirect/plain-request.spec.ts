import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, Server } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import { PlainRequestReader } from './plain-request.js'

const wanted = ['user-agent', 'referer', 'accept-language', 'x-request-id', 'x-forwarded-for']
const reader = new PlainRequestReader(wanted)
const read = (text: string) => reader.read(Buffer.from(text, 'latin1'), null)

const usual = 'GET /launch?a=1 HTTP/1.1\r\nHost: x\r\nUser-Agent: Test/1\r\n\r\n'

describe('a plain request', () => {
  it.each([
    [usual, '/launch?a=1', { 'user-agent': 'Test/1' }],
    ['GET / HTTP/1.1\r\n\r\n', '/', {}],
    [
      'GET /a HTTP/1.1\r\nUSER-AGENT:\t  a b\t \r\nReFeReR:\r\n\r\n',
      '/a',
      { 'user-agent': 'a b', referer: '' },
    ],
    ['GET /a HTTP/1.1\r\nConnection: Keep-Alive\r\nX-Other: "a\\b"\r\n\r\n', '/a', {}],
    ['GET /a HTTP/1.1\r\nx: Host: y\r\nx: User-Agent: z\r\n\r\n', '/a', {}],
  ])('%j', (text, url, headers) => {
    expect(read(text)).toMatchObject({ url, headers })
    expect(Object.keys(read(text)!.headers)).toEqual(Object.keys(headers))
  })

  it.each([
    '',
    '\r\n',
    'GET',
    'GET /a HTTP/1.1\r\n',
    'GET /a HTTP/1.1\r\nHost: x\r\n',
    `\r\n${usual}`,
    `${usual}G`,
    usual + usual,
    usual.replace('GET', 'HEAD'),
    usual.replace('GET', 'get'),
    usual.replace('GET', 'POST'),
    usual.replace('1.1', '1.0'),
    usual.replace('1.1', '2.0'),
    usual.replace('/launch', 'launch'),
    usual.replace('/launch', 'http://x/launch'),
    usual.replace('/launch', '*'),
    usual.replace('?', ' '),
    usual.replace('?', '\t'),
    usual.replace('?', '\0'),
    usual.replace('?', 'é'),
    usual.replace('GET ', 'GET  '),
    usual.replaceAll('\r\n', '\n'),
    usual.replace('Host: x\r\n', 'Host: x\n'),
    usual.replace('Host: x', 'Host: x\ry'),
    usual.replace('Host: x', 'Host: x\0'),
    usual.replace('Test/1', 'Tést/1'),
    usual.replace('User-Agent:', ' User-Agent:'),
    usual.replace('User-Agent:', 'User-Agent :'),
    usual.replace('User-Agent:', 'User-Agent'),
    usual.replace('User-Agent:', ':'),
    usual.replace('User-Agent:', 'User(Agent):'),
    usual.replace('User-Agent: Test/1', 'User-Agent: a\r\nuser-agent: b'),
    usual.replace('User-Agent: Test/1', 'Connection: close'),
    usual.replace('User-Agent: Test/1', 'Connection: upgrade\r\nUpgrade: websocket'),
    usual.replace('User-Agent: Test/1', 'connection: keep-alive, close'),
    usual.replace('User-Agent: Test/1', 'Content-Length: 0'),
    usual.replace('User-Agent: Test/1', 'content-length: 5'),
    usual.replace('User-Agent: Test/1', 'Transfer-Encoding: chunked'),
    usual.replace('User-Agent: Test/1', 'TRANSFER-ENCODING: identity'),
    usual.replace('User-Agent: Test/1', 'Expect: 100-continue'),
    usual.replace('Test/1', 'x'.repeat(8 * 1024)),
  ])('is not %j', (text) => {
    expect(read(text)).toBeNull()
  })

  it('takes the headers of the one before only where they are the same, byte for byte', () => {
    const first = read(usual)!
    const again = reader.read(Buffer.from(usual.replace('launch', 'other')), first)!
    expect(again.url).toBe('/other?a=1')
    expect(again.headers).toBe(first.headers)
    const other = reader.read(Buffer.from(usual.replace('Test/1', 'Test/2')), first)!
    expect(other.headers).toEqual({ 'user-agent': 'Test/2' })
    expect(reader.read(Buffer.from(usual.replace('Host', ' Host')), first)).toBeNull()
  })
})

describe('what is read is what node reads', () => {
  let server: Server
  let socket: Socket | null = null
  let seen: { method: string; url: string; headers: IncomingHttpHeaders; staysOpen: boolean }[] = []
  beforeAll(async () => {
    server = createServer({ requireHostHeader: false }, ({ method, url, headers }, res) => {
      seen.push({ method: method!, url: url!, headers, staysOpen: res.shouldKeepAlive })
      res.end('ok')
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(() => {
    socket?.destroy()
    server.close()
  })

  /** All of it is one request, and nothing is left over: the next one on the connection is read as well. */
  async function readByNode(bytes: Buffer) {
    seen = []
    if (socket === null || socket.destroyed) {
      socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      socket.on('error', () => undefined)
      await once(socket, 'connect')
    }
    socket.write(bytes)
    await once(socket, 'data')
    socket.write('GET /end HTTP/1.1\r\n\r\n')
    await once(socket, 'data')
    return seen
  }

  /** A generator with a seed: what fails, fails again. */
  let state = 7
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    return (state >>> 8) % below
  }
  const oneOf = <T>(all: readonly T[]): T => all[random(all.length)]!
  const names = [
    'Host',
    'User-Agent',
    'REFERER',
    'accept-language',
    'X-Request-Id',
    'x-forwarded-for',
    'DNT',
    'X_1!#',
  ]
  const values = [
    'x',
    '',
    ' y ',
    '\ta:b\t',
    'keep-alive',
    '"quoted, list"',
    'Mozilla/5.0 (X11; \\) ;=~',
    '100%',
  ]
  const spoilers = [
    '\r',
    '\n',
    '\r\n',
    ' ',
    '\t',
    ':',
    '\0',
    '\x7f',
    'é',
    '/',
    'HTTP/1.1',
    'Connection: close\r\n',
    '\r\n\r\n',
  ]

  function someRequest(): string {
    const lines = Array.from(
      { length: random(7) },
      () => `${oneOf(names)}:${oneOf(['', ' '])}${oneOf(values)}\r\n`,
    )
    const text = `GET /${oneOf(['', 'launch', 'a/b', '?q=%', '#x', 'a?b#c?d', '//y'])} HTTP/1.1\r\n${lines.join('')}\r\n`
    if (random(2) === 0) return text
    const at = random(text.length)
    return text.slice(0, at) + oneOf(spoilers) + text.slice(at + random(2))
  }

  it('in three thousand requests, half of them spoiled', async () => {
    let plainOnes = 0
    for (let i = 0; i < 3_000; i++) {
      const bytes = Buffer.from(someRequest(), 'latin1')
      const plain = reader.read(bytes, null)
      if (!plain) continue
      plainOnes++
      const [request, end, ...more] = await readByNode(bytes)
      expect(more).toEqual([])
      expect(end!.url).toBe('/end')
      expect(request).toMatchObject({ method: 'GET', url: plain.url, staysOpen: true })
      const known = Object.entries(request!.headers).filter(([name]) => wanted.includes(name))
      expect(plain.headers).toEqual(Object.fromEntries(known))
    }
    expect(plainOnes).toBeGreaterThan(1_000)
    expect(plainOnes).toBeLessThan(2_500)
  })
})
