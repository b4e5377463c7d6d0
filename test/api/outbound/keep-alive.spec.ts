import { onRequest, startHostileReceiver } from '../../support/hostile-receivers.js'
import type { HostileReceiver } from '../../support/hostile-receivers.js'
import { startClient } from '../../support/outbound-client.js'
import type { TestClient } from '../../support/outbound-client.js'

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
let client: TestClient
let receiver: HostileReceiver

beforeEach(() => {
  client = startClient()
})

afterEach(async () => {
  client.stop()
  await receiver.stop()
})

function requests(): number {
  return receiver.getReceived().split('POST ').length - 1
}

describe('a connection', () => {
  it('is reused without another lookup or handshake', async () => {
    receiver = await startHostileReceiver(onRequest((socket) => socket.write(ok)))
    await client.send(receiver.url)
    const { timings, remoteAddress } = await client.send(receiver.url)
    expect(receiver.countConnections()).toBe(1)
    expect(timings).toMatchObject({
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: expect.any(Number),
    })
    expect(remoteAddress).toBe('127.0.0.1')
  })

  it('carries one request at a time', async () => {
    receiver = await startHostileReceiver(onRequest((socket) => socket.write(ok)))
    await Promise.all([1, 2, 3, 4].map(() => client.send(receiver.url)))
    expect(receiver.countConnections()).toBe(4)
    await Promise.all([1, 2, 3, 4].map(() => client.send(receiver.url)))
    expect(receiver.countConnections()).toBe(4)
  })

  it('is not shared by names with the same address', async () => {
    receiver = await startHostileReceiver(onRequest((socket) => socket.write(ok)))
    await client.send(receiver.url.replace('127.0.0.1', 'a.example'))
    await client.send(receiver.url.replace('127.0.0.1', 'b.example'))
    expect(receiver.countConnections()).toBe(2)
  })

  it('that is idle is closed when the service stops', async () => {
    receiver = await startHostileReceiver(onRequest((socket) => socket.write(ok)))
    await client.send(receiver.url)
    client.stop()
    await receiver.waitUntilClosed()
  })

  it.each(['connection: close\r\n', 'keep-alive: timeout=1\r\n'])(
    'is not reused after %j',
    async (header) => {
      receiver = await startHostileReceiver(
        onRequest((socket) => socket.write(ok.replace('content', `${header}content`))),
      )
      for (let i = 0; i < 3; i++) expect(await client.send(receiver.url)).toMatchObject({ error: null })
      expect(receiver.countConnections()).toBe(3)
      expect(requests()).toBe(3)
    },
  )

  it('that the receiver closed while idle is replaced without an error', async () => {
    receiver = await startHostileReceiver(
      onRequest((socket) => {
        socket.end(ok)
      }),
    )
    for (let i = 0; i < 3; i++) {
      expect(await client.send(receiver.url)).toMatchObject({ statusCode: 200 })
      await receiver.waitUntilClosed()
    }
    expect(requests()).toBe(3)
  })

  it('with unexpected data is not reused', async () => {
    receiver = await startHostileReceiver(onRequest((socket, nth) => socket.write(nth === 1 ? ok + ok : ok)))
    expect(await client.send(receiver.url)).toMatchObject({ statusCode: 200 })
    expect(await client.send(receiver.url)).toMatchObject({ statusCode: 200 })
    expect(receiver.countConnections()).toBe(2)
  })
})

describe('a reused connection that is closed when a request is written', () => {
  it.each(['end', 'resetAndDestroy'] as const)(
    '(%s) is replaced once within the same attempt',
    async (close) => {
      receiver = await startHostileReceiver(
        onRequest((socket, nth) => (nth === 1 ? socket.write(ok) : socket[close]())),
      )
      await client.send(receiver.url)
      const outcome = await client.send(receiver.url)
      expect(outcome).toMatchObject({ statusCode: 200, error: null })
      expect(outcome.timings.connectMs).not.toBeNull()
      expect(receiver.countConnections()).toBe(2)
      expect(requests()).toBe(3)
    },
  )

  it('is not replaced again when the new connection is closed, too', async () => {
    let served = 0
    receiver = await startHostileReceiver(
      onRequest((socket) => (++served === 1 ? socket.write(ok) : socket.end())),
    )
    await client.send(receiver.url)
    expect(await client.send(receiver.url)).toMatchObject({ statusCode: null, error: { class: 'reset' } })
    expect(requests()).toBe(3)
  })

  it.each(['H', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
    'is not replaced after the first byte of a response: %j',
    async (beginning) => {
      receiver = await startHostileReceiver(
        onRequest((socket, nth) => (nth === 1 ? socket.write(ok) : socket.end(beginning))),
      )
      await client.send(receiver.url)
      expect(await client.send(receiver.url)).toMatchObject({ statusCode: null, error: { class: 'reset' } })
      expect(requests()).toBe(2)
    },
  )

  it('is not replaced when it was new', async () => {
    receiver = await startHostileReceiver(onRequest((socket) => socket.end()))
    expect(await client.send(receiver.url)).toMatchObject({ error: { class: 'reset' } })
    expect(requests()).toBe(1)
  })
})
