/** Whatever is sent to it, the service answers, goes on, and never by a fault of its own. */
import { createDatabase } from '../../support/database.js'
import type { TestDatabase } from '../../support/database.js'
import { startProcess } from '../../support/process.js'
import type { ServiceProcess } from '../../support/process.js'
import { call, encryptionKey, pepper } from '../../support/service.js'
import { answersIn } from './answers.js'
import { generate, seeded } from './generated-requests.js'
import type { GeneratedRequest, Known, Random } from './generated-requests.js'
import { openSocket } from '../../support/raw-socket.js'

const seed = 20_261_122
const total = 20_000
const mostInOneConnection = 8
const connections = 8
const patienceMs = 15_000

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

it(`answers ${total} generated requests (seed ${seed}) without an error of its own`, async () => {
  const { origin, firstToken } = service
  const token = firstToken!
  const known: Known = { token, ...(await makeSomething(origin, token)) }
  const random = seeded(seed)
  let sent = 0
  let answered = 0
  const faults: string[] = []

  const visitor = async () => {
    while (sent < total && faults.length === 0 && !hasEnded) {
      const requests = connectionful(random, known)
      sent += requests.length
      const statuses = await send(origin, requests).catch((error: unknown) => String(error))
      if (typeof statuses === 'string') faults.push(`${statuses} after ${shown(requests)}`)
      else {
        answered += statuses.length
        // 501 and 505 are HTTP's own words for a transfer coding or a version that nobody has.
        const wrong = statuses.findIndex((status) => status >= 500 && status !== 501 && status !== 505)
        if (wrong >= 0) faults.push(`${statuses[wrong]} after ${shown(requests.slice(0, wrong + 1))}`)
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, visitor))

  expect({ faults, hasEnded, errors: service.errors() }).toEqual({ faults: [], hasEnded: false, errors: '' })
  expect(sent).toBeGreaterThanOrEqual(total)
  // A connection that was closed for one broken request leaves those behind it without an answer.
  expect(answered).toBeGreaterThan(total * 0.8)
  expect((await fetch(`${origin}/healthz`)).status).toBe(200)
  expect((await call(origin, 'GET', '/v1/auth/token/self', { token })).status).toBe(200)
}, 60_000)

/** Several requests one after another, the last of which ends the connection. */
function connectionful(random: Random, known: Known): GeneratedRequest[] {
  const requests: GeneratedRequest[] = []
  while (requests.length < mostInOneConnection && !requests.at(-1)?.isLast)
    requests.push(generate(random, known))
  return requests
}

/** Sends all at once, and returns the statuses of what came back until the service closed the connection. */
async function send(origin: string, requests: GeneratedRequest[]): Promise<number[]> {
  const socket = await openSocket(origin)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  let wasTooLate = false
  const timer = setTimeout(() => {
    wasTooLate = true
    socket.destroy()
  }, patienceMs)
  try {
    socket.write(Buffer.concat(requests.map(({ bytes }) => bytes)))
    if (!requests.at(-1)!.isLast)
      socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    const closed = new Promise<void>((resolve, reject) => {
      // With requests left unread, a refusal ends in a reset; whether the service itself has ended is asked elsewhere.
      socket.on('close', () => (wasTooLate ? reject(new Error('the connection was not ended')) : resolve()))
    })
    await closed
    return answersIn(Buffer.concat(received))
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function makeSomething(origin: string, token: string): Promise<{ ids: string[]; slug: string }> {
  const make = async (path: string, body: unknown) => {
    const answer = await call(origin, 'POST', path, { token, body })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.body as { id: string; slug: string }
  }
  const link = await make('/v1/links', { url: 'https://www.example.com/' })
  const webhook = await make('/v1/webhooks', { url: 'http://127.0.0.1:2/', events: ['link.created'] })
  const other = await make('/v1/auth/token', { name: 'other' })
  return { ids: [link.id, webhook.id, other.id], slug: link.slug }
}

const shown = (requests: GeneratedRequest[]) =>
  JSON.stringify(requests.map(({ bytes }) => bytes.toString('latin1').slice(0, 300))).slice(-1_500)
