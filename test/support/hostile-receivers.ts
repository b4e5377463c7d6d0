/**
 * Misbehaving receivers on loopback. Each counts its total and open connections, so that a spec can check that the
 * client closed them.
 */
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'

import type { Certificate } from './certificates.js'
import { waitFor } from './wait-for.js'

export interface HostileReceiver {
  port: number
  url: string
  /** Received bytes of all connections. */
  getReceived(): string
  countConnections(): number
  /** Number of open connections. */
  countOpenConnections(): number
  /** Waits until all connections are closed. */
  waitUntilClosed(): Promise<unknown>
  stop(): Promise<void>
}

type Behaviour = (socket: Socket) => void

interface ListenOptions {
  tls?: Certificate
  host?: string
  port?: number
}

export async function startHostileReceiver(
  behave: Behaviour,
  { tls, host = '127.0.0.1', port: wantedPort = 0 }: ListenOptions = {},
): Promise<HostileReceiver> {
  const open = new Set<Socket>()
  let received = ''
  let connections = 0
  const onConnection = (socket: Socket) => {
    connections += 1
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    behave(socket)
    socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')))
  }
  const server: Server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection)
  await new Promise<void>((resolve) => server.listen(wantedPort, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${tls ? 'https' : 'http'}://${host}:${port}/hook`,
    getReceived: () => received,
    countConnections: () => connections,
    countOpenConnections: () => open.size,
    waitUntilClosed: () => waitFor('the client to close its connections', () => open.size === 0),
    stop: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Responds to each complete request with the same bytes. */
export function respondWith(...parts: (string | Buffer)[]): Behaviour {
  return onRequest((socket) => {
    for (const part of parts) socket.write(part)
  })
}

export function onRequest(act: (socket: Socket, nth: number) => void): Behaviour {
  return (socket) => {
    let [text, nth] = ['', 0]
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const [, headers, length] = /^(.*?content-length: (\d+).*?\r\n\r\n)/is.exec(text) ?? []
      if (headers === undefined || text.length < headers.length + Number(length)) return
      text = text.slice(headers.length + Number(length))
      act(socket, (nth += 1))
    })
  }
}

/** Writes as fast as the client reads, until the connection closes. */
function writeForever(socket: Socket, chunk: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.writable && socket.write(chunk));
  }
  socket.on('drain', more)
  more()
}

function writeSlowly(socket: Socket, chunk: string): void {
  const timer = setInterval(() => socket.write(chunk), 100)
  socket.on('close', () => clearInterval(timer))
}

const kibibyte = 'x'.repeat(1024)
const ok = 'HTTP/1.1 200 OK\r\n'
let packed: Buffer | undefined
/** Compressed on first use, because that takes longer than most specs. */
const getGzipBomb = () => (packed ??= gzipSync(Buffer.alloc(64 * 1024 * 1024)))
const endAfter = (text: string) => onRequest((socket) => socket.end(text))

/** Receivers over plain TCP, by behavior. */
export const hostile = {
  endlessBody: onRequest((socket) => {
    socket.write(`${ok}\r\n`)
    writeForever(socket, kibibyte)
  }),
  endlessChunks: onRequest((socket) => {
    socket.write(`${ok}transfer-encoding: chunked\r\n\r\n`)
    writeForever(socket, `400\r\n${kibibyte}\r\n`)
  }),
  gigabyte: onRequest((socket) => {
    socket.write(`${ok}content-length: 1073741824\r\n\r\n`)
    writeForever(socket, kibibyte)
  }),
  gzipBomb: onRequest((socket) => {
    socket.write(`${ok}content-encoding: gzip\r\ncontent-length: ${getGzipBomb().length}\r\n\r\n`)
    socket.write(getGzipBomb())
  }),
  drippingHeaders: onRequest((socket) => {
    socket.write(ok)
    writeSlowly(socket, 'a: b\r\n')
  }),
  drippingBody: onRequest((socket) => {
    socket.write(`${ok}content-length: 100000\r\n\r\nthe beginning`)
    writeSlowly(socket, 'x')
  }),
  manyHeaders: respondWith(ok, 'a: b\r\n'.repeat(100_000), 'content-length: 0\r\n\r\n'),
  tinyHeaders: onRequest((socket) => {
    socket.write(`${ok}${'a:\r\n'.repeat(4000)}`)
  }),
  tinyTrailers: onRequest((socket) => {
    socket.write(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n${'a:\r\n'.repeat(4000)}`)
  }),
  giantHeader: respondWith(ok, `a: ${kibibyte.repeat(1024)}\r\n`, 'content-length: 0\r\n\r\n'),
  endlessHeader: onRequest((socket) => {
    socket.write(`${ok}a: `)
    writeForever(socket, kibibyte)
  }),
  endlessStatusLine: onRequest((socket) => {
    socket.write('HTTP/1.1 200 ')
    writeForever(socket, kibibyte)
  }),
  endlessBlankLines: onRequest((socket) => writeForever(socket, '\r\n'.repeat(512))),
  endlessChunkExtension: onRequest((socket) => {
    socket.write(`${ok}transfer-encoding: chunked\r\n\r\n5;`)
    writeForever(socket, kibibyte)
  }),
  endlessTrailers: onRequest((socket) => {
    socket.write(`${ok}transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n`)
    writeForever(socket, 'a: b\r\n'.repeat(200))
  }),
  brokenHttp: respondWith('HELO there\r\n\r\n'),
  tlsAlert: respondWith(Buffer.from('15030300020246', 'hex')),
  bothLengths: respondWith(
    `${ok}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  ),
  continues: onRequest((socket) => writeForever(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(50))),
  earlyHints: onRequest((socket) =>
    writeForever(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(20)),
  ),
  upgrade: respondWith('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: chat\r\n\r\n'),
  closedBeforeResponse: endAfter(''),
  closedInHeaders: endAfter(`${ok}content-le`),
  closedInBody: endAfter(`${ok}content-length: 100\r\n\r\nonly this`),
  closedInChunk: endAfter(`${ok}transfer-encoding: chunked\r\n\r\n64\r\nonly this`),
  closedTooEarlyAsAnnounced: endAfter(`${ok}connection: close\r\ncontent-length: 100\r\n\r\nonly this`),
  resetInBody: onRequest((socket) => {
    socket.write(`${ok}content-length: 100\r\n\r\nonly this`, () => socket.resetAndDestroy())
  }),
  tooShortLength: respondWith(`${ok}content-length: 5\r\n\r\nthis and more`),
  binaryBody: respondWith(
    `${ok}content-length: 256\r\n\r\n`,
    Buffer.from(Array.from({ length: 256 }, (_, i) => i)),
  ),
  respondsBeforeReading: (socket: Socket) => {
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 413 Content Too Large\r\ncontent-length: 0\r\n\r\n', () => socket.resume())
    })
  },
  neverResponds: () => undefined,
  resetsAtOnce: (socket: Socket) => void socket.resetAndDestroy(),
} satisfies Record<string, Behaviour>
