/** Sends random and malformed requests, which must cause neither a 5xx response nor a crash. */
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { seeded } from '../../support/random.js'
import type { Random } from '../../support/random.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { generate } from './generated-requests.js'
import type { Fixtures, GeneratedRequest } from './generated-requests.js'
import { statusesIn } from './responses.js'
import { openSocket } from '../../support/raw-socket.js'

const seed = 20_261_122
const total = 20_000
const maxPerConnection = 8
const connections = 8
const timeoutMs = 15_000

let db: TestDatabase
let service: ServiceProcess
let hasEnded = false

beforeAll(async () => {
  db = await createDatabase()
  service = await startProcess({
    DATABASE_URL: db.url,
    TOKEN_PEPPER: pepper,
    ENCRYPTION_KEY: encryptionKey,
    RATE_LIMIT: 'off',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
  })
  void service.gone.then(() => (hasEnded = true))
})

afterAll(async () => {
  await service.stop()
  await db.drop()
})

it(`returns no 5xx for ${total} generated requests (seed ${seed})`, async () => {
  const { origin, firstToken } = service
  const token = firstToken!
  const fixtures: Fixtures = { token, ...(await createObjects(origin, token)) }
  const random = seeded(seed)
  let sent = 0
  let received = 0
  const faults: string[] = []

  const visitor = async () => {
    while (sent < total && faults.length === 0 && !hasEnded) {
      const requests = generateRequests(random, fixtures)
      sent += requests.length
      const statuses = await send(origin, requests).catch((error: unknown) => String(error))
      if (typeof statuses === 'string') faults.push(`${statuses} after ${describeRequests(requests)}`)
      else {
        received += statuses.length
        // 501 and 505 are correct for an unknown transfer coding or HTTP version.
        const wrong = statuses.findIndex((status) => status >= 500 && status !== 501 && status !== 505)
        if (wrong >= 0)
          faults.push(`${statuses[wrong]} after ${describeRequests(requests.slice(0, wrong + 1))}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, visitor))

  expect({ faults, hasEnded, errors: service.errors() }).toEqual({ faults: [], hasEnded: false, errors: '' })
  expect(sent).toBeGreaterThanOrEqual(total)
  // Requests that follow a malformed one on the same connection get no response.
  expect(received).toBeGreaterThan(total * 0.8)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  expect((await call(origin, 'GET', '/v1/auth/token/self', { token })).status).toBe(200)
}, 180_000)

/** Generates the requests of one connection. The last request closes the connection. */
function generateRequests(random: Random, fixtures: Fixtures): GeneratedRequest[] {
  const requests: GeneratedRequest[] = []
  while (requests.length < maxPerConnection && !requests.at(-1)?.isLast)
    requests.push(generate(random, fixtures))
  return requests
}

/** Sends all requests without waiting, and returns the statuses of the responses. */
async function send(origin: string, requests: GeneratedRequest[]): Promise<number[]> {
  const socket = await openSocket(origin)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  let wasTooLate = false
  const timer = setTimeout(() => {
    wasTooLate = true
    socket.destroy()
  }, timeoutMs)
  try {
    socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)))
    if (!requests.at(-1)!.isLast)
      socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    const closed = new Promise<void>((resolve, reject) => {
      // A refusal with unread requests ends in a reset, so errors of the socket do not count.
      socket.on('close', () => (wasTooLate ? reject(new Error('The connection stayed open.')) : resolve()))
    })
    await closed
    return statusesIn(Buffer.concat(received))
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function createObjects(origin: string, token: string): Promise<{ ids: string[]; slug: string }> {
  const create = async (path: string, body: unknown) => {
    const response = await call(origin, 'POST', path, { token, body })
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.text}`)
    return response.body as { id: string; slug: string }
  }
  const link = await create('/v1/links', { url: 'https://www.example.com/' })
  const webhook = await create('/v1/webhooks', { url: 'http://127.0.0.1:2/', events: ['link.created'] })
  const other = await create('/v1/auth/token', { name: 'other' })
  return { ids: [link.id, webhook.id, other.id], slug: link.slug }
}

const describeRequests = (requests: GeneratedRequest[]) =>
  JSON.stringify(requests.map(({ bytes }) => bytes.toString('latin1').slice(0, 300))).slice(-1_500)
