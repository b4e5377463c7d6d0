/** A relay between a client and the service that records requests and injects faults. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface RecordedRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/**
 * A function that responds in place of the service, or a fault in which the response of the service is lost. Null for
 * no fault.
 */
type Fault = ((response: ServerResponse) => void) | 'lose the response' | null

export interface Relay {
  origin: string
  requests: RecordedRequest[]
  /** The faults of the next requests, one per request. */
  faults: Fault[]
  stop(): Promise<void>
}

export const cutConnection: Fault = (response) => void response.destroy()

export function respondWith(status: number, body: unknown = {}, headers: Record<string, string> = {}): Fault {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
}

/** `service` is an origin, or a function that returns the origin for each request. */
export async function startRelay(service: string | (() => string)): Promise<Relay> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const received = { method, path, headers, body: Buffer.concat(chunks).toString() }
      relay.requests.push(received)
      const fault = relay.faults.shift()
      if (typeof fault === 'function') {
        fault(response)
        return
      }
      forwardRequest(typeof service === 'string' ? service : service(), received).then(
        async (upstream) => {
          if (fault === 'lose the response') {
            response.destroy()
            return
          }
          const text = await upstream.text()
          const forwarded = [...upstream.headers].filter(
            ([name]) => !/^(content-length|connection|keep-alive)$/.test(name),
          )
          response.writeHead(upstream.status, Object.fromEntries(forwarded)).end(text)
        },
        () => response.destroy(),
      )
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const relay: Relay = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    faults: [],
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return relay
}

function forwardRequest(
  service: string,
  { method, path, headers, body }: RecordedRequest,
): Promise<Response> {
  const names = ['authorization', 'content-type', 'idempotency-key', 'if-match', 'user-agent']
  const passed = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  return fetch(service + path, {
    method,
    headers: Object.fromEntries(passed),
    redirect: 'manual',
    ...(body === '' ? {} : { body }),
  })
}
