/** A proxy before the API that records requests and can respond instead of the service. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ApiProxy {
  origin: string
  requests: { path: string; at: number }[]
  maxConcurrent: number
  /** Responds instead of the service while it is set. */
  respond: ((response: ServerResponse, path: string) => void) | null
  stop(): Promise<void>
}

export const cutConnection = (response: ServerResponse) => void response.destroy()

export function respondWith(status: number, body: unknown = {}, headers: Record<string, string> = {}) {
  return (response: ServerResponse) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body))
}

export async function startApiProxy(service: string): Promise<ApiProxy> {
  let concurrent = 0
  const server = createServer((request, response) => {
    const { url: path = '', headers } = request
    proxy.requests.push({ path, at: Date.now() })
    proxy.maxConcurrent = Math.max(proxy.maxConcurrent, ++concurrent)
    response.once('close', () => concurrent--)
    if (proxy.respond) return proxy.respond(response, path)
    fetch(service + path, { headers: { authorization: headers.authorization ?? '' } }).then(
      async (upstream) => {
        const type = { 'content-type': upstream.headers.get('content-type') ?? '' }
        response.writeHead(upstream.status, type).end(await upstream.text())
      },
      () => response.destroy(),
    )
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const proxy: ApiProxy = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    maxConcurrent: 0,
    respond: null,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
  return proxy
}
