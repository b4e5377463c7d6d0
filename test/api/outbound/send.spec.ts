import { respondWith, onRequest, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'
import type { TestClient } from '../../support/outbound-client.js'

let client: TestClient
let receivers: HostileReceiver[] = []

beforeEach(() => {
  client = startClient()
})

afterEach(async () => {
  client.stop()
  await Promise.all(receivers.map((receiver) => receiver.stop()))
  receivers = []
})

async function startReceiverWith(...parts: (string | Buffer)[]): Promise<HostileReceiver> {
  const receiver = await startHostileReceiver(respondWith(...parts))
  receivers.push(receiver)
  return receiver
}

const empty = '\r\ncontent-length: 0\r\n\r\n'

describe('a response in one packet', () => {
  const body = 'All of it, line by line.\n'.repeat(600)
  const chunks = body.replaceAll(/[^]{1,100}/g, (part) => `${part.length.toString(16)}\r\n${part}\r\n`)
  const ok = 'HTTP/1.1 200 OK\r\n'

  it.each([
    ['with its length', `${ok}content-length: ${body.length}\r\n\r\n${body}`],
    ['in chunks', `${ok}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`],
  ])('is read completely %s, and the connection is reused', async (_name, bytes) => {
    const receiver = await startReceiverWith(bytes)
    for (let i = 0; i < 3; i++)
      expect(await client.send(receiver.url)).toMatchObject({
        error: null,
        responseBody: body,
        responseTruncated: false,
      })
    expect(receiver.countConnections()).toBe(1)
  })

  it('is read completely when it ends with the connection', async () => {
    const receiver = await startHostileReceiver(
      onRequest((socket) => socket.end(`${ok}connection: close\r\n\r\n${body}`)),
    )
    receivers.push(receiver)
    expect(await client.send(receiver.url)).toMatchObject({
      error: null,
      responseBody: body,
      responseTruncated: false,
    })
  })
})

describe('a request', () => {
  it('is a POST with exactly the given bytes and headers', async () => {
    const receiver = await startReceiverWith(`HTTP/1.1 200 OK${empty}`)
    const body = Buffer.from([0x7b, 0x00, 0xff, 0x0d, 0x0a, 0x7d])
    await client.send(`${receiver.url}/a%20b?c=d&e`, {
      headers: { 'webhook-id': 'evt_1', 'X-Odd': 'a  b' },
      body,
    })
    const [head, rest] = receiver.getReceived().split('\r\n\r\n')
    expect(head!.split('\r\n')).toEqual([
      'POST /hook/a%20b?c=d&e HTTP/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'connection: keep-alive',
      'webhook-id: evt_1',
      'X-Odd: a  b',
      'accept-encoding: identity',
      'content-length: 6',
    ])
    expect(Buffer.from(rest!, 'latin1')).toEqual(body)
  })

  it('sends a text body as UTF-8', async () => {
    const receiver = await startReceiverWith(`HTTP/1.1 200 OK${empty}`)
    await client.send(receiver.url, { body: '{"a":"ü"}' })
    expect(receiver.getReceived()).toContain('content-length: 10\r\n')
    expect(Buffer.from(receiver.getReceived(), 'latin1').toString()).toMatch(/\{"a":"ü"\}$/)
  })

  it('ignores a proxy in the environment', async () => {
    const [receiver, proxy] = [
      await startReceiverWith(`HTTP/1.1 200 OK${empty}`),
      await startReceiverWith(''),
    ]
    const former = { ...process.env }
    process.env['HTTP_PROXY'] = process.env['http_proxy'] = proxy.url
    try {
      expect(await startClient().send(receiver.url)).toMatchObject({ statusCode: 200 })
      expect(proxy.countConnections()).toBe(0)
    } finally {
      delete process.env['HTTP_PROXY']
      delete process.env['http_proxy']
      // Spec files share the environment of their process.
      Object.assign(process.env, former)
    }
  })

  it.each(['', 'nonsense', 'ftp://127.0.0.1/', 'https://'])(
    'to %j returns an outcome instead of throwing',
    async (url) => {
      expect(await client.send(url)).toMatchObject({ statusCode: null, error: { class: 'other' } })
    },
  )

  it('with an invalid header returns an outcome instead of throwing', async () => {
    const receiver = await startReceiverWith(`HTTP/1.1 200 OK${empty}`)
    const outcome = await client.send(receiver.url, { headers: { 'a b': 'c\r\nd: e' } })
    expect(outcome).toMatchObject({ statusCode: null, error: { class: 'other' } })
    expect(receiver.getReceived()).toBe('')
  })

  it('uses plain http only if it is allowed', async () => {
    const receiver = await startReceiverWith(`HTTP/1.1 200 OK${empty}`)
    const outcome = await startClient({ allowHttp: false }).send(receiver.url)
    expect(outcome.error?.class).toBe('other')
    expect(receiver.countConnections()).toBe(0)
  })
})

describe('an outcome', () => {
  it('of a success contains response and timings', async () => {
    const receiver = await startReceiverWith(
      'HTTP/1.1 202 Accepted\r\nX-A: b\r\ncontent-length: 5\r\n\r\nfine\n',
    )
    const before = Date.now()
    const outcome = await client.send(receiver.url.replace('127.0.0.1', 'hooks.example'))
    expect(outcome).toEqual({
      startedAt: expect.any(Date),
      durationMs: expect.any(Number),
      statusCode: 202,
      error: null,
      remoteAddress: '127.0.0.1',
      responseHeaders: { 'x-a': 'b', 'content-length': '5' },
      responseBody: 'fine\n',
      responseTruncated: false,
      timings: {
        dnsMs: expect.any(Number),
        connectMs: expect.any(Number),
        tlsMs: null,
        firstByteMs: expect.any(Number),
        totalMs: expect.any(Number),
      },
      retryAfter: null,
    })
    expect(outcome.startedAt.getTime()).toBeGreaterThanOrEqual(before)
    expect(Number.isInteger(outcome.durationMs)).toBe(true)
    const { dnsMs, connectMs, firstByteMs, totalMs } = outcome.timings
    expect(dnsMs! + connectMs! + firstByteMs!).toBeLessThanOrEqual(totalMs)
  })

  it.each([200, 201, 204, 299])('of %d is a success', async (status) => {
    const receiver = await startReceiverWith(
      `HTTP/1.1 ${status} X\r\n${status === 204 ? '\r\n' : 'content-length: 0\r\n\r\n'}`,
    )
    expect(await client.send(receiver.url)).toMatchObject({
      statusCode: status,
      error: null,
      responseBody: '',
    })
  })

  it.each([
    ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['103 Early Hints', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'],
  ])('is a success after %s', async (_name, interim) => {
    const receiver = await startReceiverWith(interim, `HTTP/1.1 200 OK${empty}`)
    expect(await client.send(receiver.url)).toMatchObject({ statusCode: 200, error: null })
  })

  it.each([
    [400, 'The receiver responded with 400 Bad Request.'],
    [404, 'The receiver responded with 404 Not Found.'],
    [410, 'The receiver responded with 410 Gone.'],
    [500, 'The receiver responded with 500 Internal Server Error.'],
    [599, 'The receiver responded with 599.'],
    [999, 'The receiver responded with 999.'],
  ])('of %d is a failure that names the status', async (status, message) => {
    const receiver = await startReceiverWith(`HTTP/1.1 ${status} Sure\r\ncontent-length: 3\r\n\r\nwhy`)
    expect(await client.send(receiver.url)).toMatchObject({
      statusCode: status,
      error: { class: 'http_status', message, phase: null },
      responseBody: 'why',
    })
  })

  it.each([
    ['first_byte', 'no response', ''],
    ['body', 'half a response', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'],
  ])('names the phase %s if the deadline ends with %s', async (phase, _, text) => {
    const receiver = await startReceiverWith(text)
    const impatient = startClient({ timeoutSeconds: 1 })
    expect((await impatient.send(receiver.url)).error).toMatchObject({ class: 'timeout', phase })
    impatient.stop()
  })

  it.each([301, 302, 303, 307, 308])('of %d names the Location without following it', async (status) => {
    const target = await startReceiverWith(`HTTP/1.1 200 OK${empty}`)
    const receiver = await startReceiverWith(`HTTP/1.1 ${status} Found\r\nlocation: ${target.url}${empty}`)
    const outcome = await client.send(receiver.url)
    expect(outcome.error).toMatchObject({
      class: 'redirect',
      message: expect.stringContaining(target.url),
    })
    expect(outcome.responseHeaders).toMatchObject({ location: target.url })
    expect(target.countConnections()).toBe(0)
  })

  it('of a redirect is short and without control characters, whatever the Location', async () => {
    const location = `https://x.example/\u001b[31m${'y'.repeat(3000)}`
    const receiver = await startReceiverWith(`HTTP/1.1 302 Found\r\nlocation: ${location}${empty}`)
    const { error } = await client.send(receiver.url)
    // The parser may refuse such a response, but the message must be safe in any case.
    expect(error!.message.length).toBeLessThan(400)
    expect(error!.message).not.toMatch(/\p{Cc}/u)
    const withoutLocation = await startReceiverWith(`HTTP/1.1 304 Not Modified${empty}`)
    expect((await client.send(withoutLocation.url)).error).toMatchObject({ class: 'redirect' })
  })

  it.each([
    [429, true],
    [503, true],
    [500, false],
    [200, false],
    [301, false],
  ])('of %d contains the time in Retry-After: %s', async (status, hasRetryAfter) => {
    const receiver = await startReceiverWith(`HTTP/1.1 ${status} X\r\nretry-after: 120${empty}`)
    const before = Date.now()
    const { retryAfter } = await client.send(receiver.url)
    if (!hasRetryAfter) return expect(retryAfter).toBeNull()
    expect(retryAfter!.getTime()).toBeGreaterThanOrEqual(before + 120_000)
    expect(retryAfter!.getTime()).toBeLessThanOrEqual(Date.now() + 120_000)
  })
})
