/** A webhook receiver that records requests and responds as configured. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export interface Receiver {
  origin: string
  received: Received[]
  /** Returns the requests to a path in order of arrival. */
  requestsTo(path: string): Received[]
  stop(): Promise<void>
}

type Respond = (request: Received, response: ServerResponse) => void

export async function startReceiver(
  respond: Respond = (_request, response) => void response.end('ok'),
  port = 0,
): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers } = request
      const each = { path, headers, body: Buffer.concat(chunks).toString(), at }
      received.push(each)
      respond(each, response)
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    requestsTo: (path) => received.filter((each) => each.path === path),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
