/**
 * How much the redirect costs against the least that could answer at all:
 *
 *     node bench/redirect/run.js [--rounds 5] [--seconds 4] [--load raw|autocannon]
 *
 * Three servers, each in its own process, asked in turn (A B C A B C ...), so that a slow moment of the machine meets
 * all of them. A ratio is taken within a round and the median of the rounds is printed. Load and server share the
 * machine, so besides the rate there is what no neighbour can blur: the server's processor time for one request.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { compile } from '../compile.js'
import { paths } from './links.js'
import { loads } from './loads.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '4' },
    load: { type: 'string', default: 'raw' },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const load = loads[values.load]

const kinds = ['node', 'fastify', 'ours']
const cases = [
  { connections: 64, distribution: 'uniform' },
  { connections: 64, distribution: 'zipf' },
  { connections: 1, distribution: 'uniform' },
  { connections: 1, distribution: 'zipf' },
]

const median = (numbers) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

const compiled = compile('bench-redirect', [
  'src/clicks/journal',
  'src/links/redirect',
  'src/http/request.ts',
  'src/http/front-door.ts',
])
const servers = {}
for (const kind of kinds) {
  const child = fork(fileURLToPath(new URL('./server.js', import.meta.url)), [kind, compiled])
  const [port] = await once(child, 'message')
  servers[kind] = { child, port }
}

async function processorTime({ child }, moment) {
  child.send(moment)
  const [{ user, system }] = await once(child, 'message')
  return user + system
}

async function measure(kind, options) {
  const server = servers[kind]
  const before = await processorTime(server, 'before')
  const result = await load({ port: server.port, ...options })
  return { ...result, cost: ((await processorTime(server, 'after')) - before) / result.count }
}

try {
  for (const { connections, distribution } of cases) {
    const requests = paths(distribution, 50_000)
    for (const kind of kinds) await measure(kind, { connections, seconds: 1.5, requests })
    const results = { node: [], fastify: [], ours: [] }
    for (let round = 0; round < rounds; round++)
      for (const kind of kinds) results[kind].push(await measure(kind, { connections, seconds, requests }))

    console.log(
      `\n${connections} connection${connections > 1 ? 's' : ''}, ${distribution} slugs, ${rounds} rounds of ${seconds} s`,
    )
    for (const kind of kinds) {
      const each = (pick) => median(results[kind].map(pick))
      const over = (pick) => median(results[kind].map((result, i) => pick(result) / pick(results.node[i])))
      console.log(
        `  ${kind.padEnd(8)} ${Math.round(each((r) => r.perSecond))
          .toLocaleString('en')
          .padStart(7)}/s` +
          `   p50 ${each((r) => r.p50).toFixed(3)} ms   p99 ${each((r) => r.p99).toFixed(3)} ms   ${each((r) => r.cost).toFixed(1)} µs of processor` +
          `   against node: ${over((r) => r.perSecond).toFixed(2)} of the rate, ${over((r) => r.p99).toFixed(2)} of the p99, ${over((r) => r.cost).toFixed(2)} of the processor`,
      )
    }
  }
} finally {
  for (const { child } of Object.values(servers)) child.disconnect()
}
