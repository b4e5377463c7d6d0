/** A small HTTP client for setting up and for looking; it is not what makes load. */
import { Agent, request } from 'node:http'

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** `service` has a port, the API's path and a token. Answers with the body as JSON, the time it took, and the headers. */
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
    sent.setTimeout(30_000, () => sent.destroy(new Error(`${method} ${path}: no answer within 30 s`)))
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

/** Does something with each item, a few at a time. */
export async function forEach(items, work, atOnce = 16) {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const [index, item] of queue) await work(item, index)
    }),
  )
}

export const closeClient = () => agent.destroy()
