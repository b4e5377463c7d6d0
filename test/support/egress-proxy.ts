/** A CONNECT proxy for receivers on this machine, which can fail in many ways. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

import type { Certificate } from './certificates.js'

/** Responds to a CONNECT in place of the proxy. Null opens the tunnel. */
type Fault = ((socket: Socket) => void) | null

export interface TestProxy {
  /** The URL without credentials. */
  url: string
  port: number
  /** The CONNECT requests, in order. */
  requests: { authority: string; headers: IncomingHttpHeaders }[]
  fault: Fault
  /** Whether requests other than CONNECT get a response. */
  responds: boolean
  /** The number of connections since the start. */
  countConnections(): number
  cutTunnels(): void
  stop(): Promise<void>
}

export const refuseWith =
  (status: number, headers: Record<string, string> = {}): Fault =>
  (socket) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}content-length: 0\r\n\r\n`)
  }
export const hang: Fault = () => undefined
export const cut: Fault = (socket) => void socket.destroy()
export const cutMidway: Fault = (socket) => void socket.end('HTTP/1.1 200 Connection est')
export const sendGarbage: Fault = (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')
export const sendEndlessHeaders: Fault = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\n')
  const line = `x: ${'y'.repeat(1_000)}\r\n`
  const write = () => {
    while (socket.writable && socket.write(line));
    if (socket.writable) socket.once('drain', write)
  }
  write()
}

/** Every host name resolves to this machine. */
export async function startEgressProxy({
  port = 0,
  tls = null,
}: { port?: number; tls?: Certificate | null } = {}): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = tls ? createSecureServer(tls) : createServer()
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
  })
  server.on('request', (_request, response) => {
    if (proxy.responds) response.writeHead(400).end('Only CONNECT is supported.')
  })
  server.on(
    'connect',
    (request: { url: string; headers: IncomingHttpHeaders }, socket: Socket, head: Buffer) => {
      proxy.requests.push({ authority: request.url, headers: request.headers })
      if (proxy.fault) return proxy.fault(socket)
      const upstream = connect(Number(request.url.split(':').at(-1)), '127.0.0.1')
      sockets.add(upstream)
      upstream.once('connect', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        upstream.write(head)
        socket.pipe(upstream).pipe(socket)
      })
      upstream.on('error', () => {
        if (upstream.bytesRead === 0 && socket.bytesWritten === 0)
          socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
        else socket.destroy()
      })
      socket.on('close', () => upstream.destroy())
      upstream.on('close', () => {
        sockets.delete(upstream)
        socket.end()
      })
    },
  )
  await once(server.listen(port, '127.0.0.1'), 'listening')
  const address = server.address() as AddressInfo
  const cutTunnels = () => {
    for (const socket of sockets) socket.destroy()
  }
  const proxy: TestProxy = {
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${address.port}`,
    port: address.port,
    requests: [],
    fault: null,
    responds: true,
    countConnections: () => connections,
    cutTunnels,
    stop: async () => {
      server.close()
      cutTunnels()
      await once(server, 'close')
    },
  }
  return proxy
}
