/** A small HTTP client for setup and checks. It does not generate load. */
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** Sends a request to `service`, which has a port, the path of the API and a token. Rejects on an error status. */
export function call(service, method, path, body) {
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const options = {
      port: service.port,
      host: '127.0.0.1',
      path,
      method,
      agent,
      headers: {
        authorization: `Bearer ${service.token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
    }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('error', reject)
      response.on('end', () => {
        const { statusCode: status, headers, rawHeaders } = response
        if (status >= 400) return reject(new Error(`${method} ${path}: ${status} ${text}`))
        const isJson = headers['content-type']?.includes('json')
        resolve({
          status,
          headers,
          rawHeaders,
          ms: performance.now() - began,
          text,
          body: isJson ? JSON.parse(text) : null,
        })
      })
    })
    sent.setTimeout(30_000, () => sent.destroy(new Error(`${method} ${path}: no response within 30 s`)))
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Calls `work` for each item, with limited concurrency. */
export async function forEach(items, work, concurrency = 16) {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const [index, item] of queue) await work(item, index)
    }),
  )
}

export const closeClient = () => agent.destroy()
