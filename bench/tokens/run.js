/**
 * What a token check costs: in process, and as the share of a bare Fastify route's requests per second that the
 * authenticated `GET /v1/auth/token/self` reaches. Run after a build:
 *
 *     node bench/tokens/run.js [--rounds 15] [--seconds 1]
 *
 * Both servers are asked in turn, in short rounds, so that a slow moment of the machine meets both. Beside the rate
 * there is what no neighbour can blur as much: the processor time for one request.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { plainSockets } from '../plain-sockets.js'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '15' }, seconds: { type: 'string', default: '1' } },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = 64
const path = '/api/v1/auth/token/self'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'link-service-bench-'))
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]

const service = fork(here('./service.js'), [folder])
const [{ port, token }] = await once(service, 'message')
const record = await (
  await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
).text()
const bare = fork(here('./bare-fastify.js'), [record])
const [{ port: barePort }] = await once(bare, 'message')

const { microseconds } = await ask(service, 'check')
console.log(
  `warm check in process, µs: p50 ${microseconds[0].toFixed(1)}, p99 ${microseconds[1].toFixed(1)}, p99.9 ${microseconds[2].toFixed(1)}`,
)

const results = []
for (let round = 0; round <= rounds; round++) {
  const result = { bare: await measure(bare, barePort), self: await measure(service, port) }
  if (round > 0) results.push(result) // the first is for warming up
}
for (const kind of ['bare', 'self']) {
  const each = (pick) => median(results.map((result) => pick(result[kind])))
  const over = (pick) => median(results.map((result) => pick(result[kind]) / pick(result.bare)))
  console.log(
    `${kind}  ${Math.round(each((r) => r.perSecond))}/s, p99 ${each((r) => r.p99).toFixed(2)} ms, ${each((r) => r.cost).toFixed(1)} µs of processor` +
      `   against bare Fastify: ${over((r) => r.perSecond).toFixed(2)} of the rate, ${over((r) => r.p99).toFixed(2)} of the p99, ${over((r) => r.cost).toFixed(2)} of the processor`,
  )
}

bare.disconnect()
service.send('stop')
await once(service, 'exit')
await rm(folder, { recursive: true, force: true })

async function ask(child, what) {
  child.send(what)
  return (await once(child, 'message'))[0]
}

async function measure(child, to) {
  const request = `GET ${path} HTTP/1.1\r\nhost: localhost:${to}\r\nauthorization: Bearer ${token}\r\n\r\n`
  const before = await ask(child, 'processor')
  const result = await plainSockets({
    port: to,
    connections,
    seconds,
    requests: [Buffer.from(request)],
    isAnswer: isRecord,
  })
  const after = await ask(child, 'processor')
  return { ...result, cost: (after.user + after.system - before.user - before.system) / result.count }
}

/** A record ends with its brace; the answers are far smaller than a packet. */
function isRecord(data) {
  if (data[9] !== 50) throw new Error('not all answers were records')
  return data[data.length - 1] === 125
}
