/** A receiver of webhooks, which keeps what comes and answers as it is told. */
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
  /** What came to one path, in the order in which it came. */
  at(path: string): Received[]
  stop(): Promise<void>
}

type Answering = (request: Received, response: ServerResponse) => void

export async function startReceiver(
  answer: Answering = (_request, response) => void response.end('ok'),
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
      answer(each, response)
    })
  })
  await once(server.listen(port, '127.0.0.1'), 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    at: (path) => received.filter((each) => each.path === path),
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
