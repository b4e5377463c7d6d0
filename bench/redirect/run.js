/**
 * Redirects of the whole service in one process on the embedded database, with every click recorded and ingested,
 * compared with bare node:http in a separate process, which sends the same responses and records nothing.
 *
 *     node bench/redirect/run.js [--rounds 3] [--seconds 10] [--short]
 *
 * Run after a build. Service and baseline are measured in turn, and ratios are computed within a round. A round starts
 * when the clicks of the previous one are counted, so that the service does no work during the baseline. --short leaves
 * out the fixed rate and the hostile user agents.
 */
import { parseArgs } from 'node:util'

import { startHelper } from '../lib/child.js'
import { call, closeClient } from '../lib/client.js'
import { browserHeaders } from '../lib/connection.js'
import { constantRate } from '../lib/constant-rate.js'
import { fullSpeed, loadGenerator } from '../lib/full-speed.js'
import { links, paths } from '../lib/links.js'
import { familyMs, mainThreadMs, processMs } from '../lib/processes.js'
import {
  compare,
  heading,
  line,
  median,
  microseconds,
  milliseconds,
  perSecond,
  summary,
} from '../lib/report.js'
import { runBenchmark } from '../lib/run.js'
import { postmasterOf, startService } from '../lib/service.js'
import { printCounting, untilCounted } from './counting.js'
import { measureFreshness } from './freshness.js'
import { withHostileAgents } from './hostile-agents.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '10' },
    short: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const connections = 64
const offeredPerSecond = 3_000
const bulkSize = 1_000

await runBenchmark({ minutes: 10 + rounds * 5 }, async (undo) => {
  undo(closeClient)
  const service = await startService(undo)
  const all = links()
  await createLinks(service, all)
  const bare = await startHelper(undo, new URL('./bare-node.js', import.meta.url), {
    headers: await headersOf(service, `/${all[0].slug}`),
  })
  bare.port = bare.hello.port
  // `headersOf` sent one visit.
  const clicks = { expected: 1 }
  await untilCounted(service, clicks)
  console.log(
    `${all.length.toLocaleString('en')} links, load by ${loadGenerator}, ${rounds} rounds of ${seconds} s`,
  )

  for (const distribution of ['uniform', 'zipf']) await atFullSpeed(service, bare, clicks, distribution)
  if (!values.short) await atFixedRate(service, bare, clicks)
  const freshness = { seconds, offeredPerSecond }
  await measureFreshness(service, { ...freshness, visitors: 'browsers', requests: requestsFor('zipf') })
  if (!values.short)
    await measureFreshness(service, {
      ...freshness,
      visitors: 'hostile user agents',
      requests: withHostileAgents(requestsFor('zipf')),
    })
  summary()
})

async function createLinks(service, links) {
  for (let i = 0; i < links.length; i += bulkSize)
    await call(service, 'POST', `${service.api}/v1/links/bulk`, { links: links.slice(i, i + bulkSize) })
}

function requestsFor(distribution) {
  return paths(distribution, 50_000).map((path) => ({ path }))
}

async function atFullSpeed(service, bare, clicks, distribution) {
  const load = { connections, seconds, requests: requestsFor(distribution), headers: browserHeaders }
  // Warm up both servers.
  clicks.expected += (await fullSpeed({ ...load, port: service.port, seconds: 2 })).count
  await untilCounted(service, clicks)
  await fullSpeed({ ...load, port: bare.port, seconds: 2 })

  const results = []
  const counting = []
  for (let round = 0; round < rounds; round++) {
    const ours = await measured(service, () => fullSpeed({ ...load, port: service.port }))
    clicks.expected += ours.count
    counting.push(await untilCounted(service, clicks))
    results.push({ ours, bare: await measured(bare, () => fullSpeed({ ...load, port: bare.port })) })
  }
  heading(`Full speed, ${connections} connections, ${distribution} slugs`)
  printCosts(results)
  printCounting(counting, connections)
}

async function atFixedRate(service, bare, clicks) {
  const load = {
    perSecond: offeredPerSecond,
    seconds,
    requests: requestsFor('uniform'),
    headers: browserHeaders,
  }
  const results = []
  const counting = []
  for (let round = 0; round < rounds; round++) {
    const ours = await measured(service, () => constantRate({ ...load, port: service.port }))
    clicks.expected += redirectsIn(ours)
    counting.push(await untilCounted(service, clicks))
    const bareResult = await measured(bare, () => constantRate({ ...load, port: bare.port }))
    redirectsIn(bareResult)
    results.push({ ours, bare: bareResult })
  }
  heading(`${offeredPerSecond.toLocaleString('en')} redirects/s offered, uniform slugs`)
  compare('p99 latency', results, (r) => r.p99, { write: milliseconds })
  compare('p50 latency', results, (r) => r.p50, { write: milliseconds })
  printCosts(results, { isRateGiven: true })
  printCounting(counting, 0)
}

function redirectsIn({ statuses, sent }) {
  if (statuses[302] !== sent)
    throw new Error(`${sent} requests got these statuses: ${JSON.stringify(statuses)}`)
  return sent
}

/** Runs a load. Adds the processor time per request, in microseconds. */
async function measured({ pid, dataDir }, load) {
  const postmaster = dataDir && postmasterOf(dataDir)
  const times = () => [mainThreadMs(pid), processMs(pid), postmaster ? familyMs(postmaster) : null]
  const before = times()
  const result = await load()
  const [thread, process, database] = times().map((ms, i) =>
    ms === null ? null : ((ms - before[i]) * 1000) / result.count,
  )
  return { ...result, thread, process, database }
}

function printCosts(results, { isRateGiven = false } = {}) {
  if (!isRateGiven) {
    compare('requests per second', results, (r) => r.perSecond, {
      write: perSecond,
      goal: { atLeast: 0.75 },
      budget: 'redirects',
    })
    compare('p99 latency', results, (r) => r.p99, { write: milliseconds })
  }
  compare('processor time of the serving thread, per redirect', results, (r) => r.thread, {
    write: microseconds,
  })
  compare('processor time of the process, per redirect', results, (r) => r.process, { write: microseconds })
  const database = results.map(({ ours }) => ours.database).filter((time) => time !== null)
  if (database.length > 0)
    line('processor time of PostgreSQL, per redirect', { figure: microseconds(median(database)) })
}

/** Returns the headers of a redirect, except those that Node.js adds. */
async function headersOf(service, path) {
  const { status, rawHeaders } = await call(service, 'GET', path)
  if (status !== 302) throw new Error(`a short link returned ${status}`)
  const names = rawHeaders.filter((_, i) => i % 2 === 0)
  return names.flatMap((name, i) =>
    ['date', 'connection', 'keep-alive'].includes(name.toLowerCase()) ? [] : [name, rawHeaders[2 * i + 1]],
  )
}
