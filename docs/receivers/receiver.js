// WEBHOOK_SECRET=whsec_… PORT=4000 node receiver.js
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const toleranceSeconds = 5 * 60
const largestBody = 1024 * 1024
const key = keyOf(process.env.WEBHOOK_SECRET)
const seen = new Set() // in production, store IDs in a table, in the transaction that processes the event

/** Decodes `whsec_` and base64; any other secret is used as UTF-8 bytes. */
function keyOf(secret) {
  if (!secret) throw new Error('Set WEBHOOK_SECRET.')
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

/** Returns whether a signature is valid and the timestamp is within the tolerance. */
function isGenuine(headers, body) {
  const {
    'webhook-id': id,
    'webhook-timestamp': timestamp = '',
    'webhook-signature': signatures = '',
  } = headers
  if (!id || !/^\d+$/.test(timestamp)) return false
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > toleranceSeconds) return false
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((signature) => {
    const actual = signature.startsWith('v1,') ? Buffer.from(signature.slice(3), 'base64') : Buffer.alloc(0)
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}

async function read(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > largestBody) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const server = createServer(async (request, response) => {
  const respond = (status) => response.writeHead(status, { connection: 'close' }).end()
  try {
    const body = await read(request)
    if (body === null) return respond(413)
    if (request.method !== 'POST' || !isGenuine(request.headers, body)) return respond(400)
    const id = request.headers['webhook-id']
    if (!seen.has(id)) {
      seen.add(id)
      console.log(`received ${id}`) // process JSON.parse(body) here
    }
    respond(204)
  } catch {
    respond(500) // the service retries
  }
})

server.listen(process.env.PORT ?? 4000, '127.0.0.1', () => console.log('ready'))
