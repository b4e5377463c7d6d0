/**
 * The API of the whole service, compared with bare Fastify and `pg` on copies of the tables in the same database.
 *
 *     node bench/api/run.js [--rounds 3] [--seconds 2] [--calls 'POST /v1/links'] [--short]
 *     node bench/api/run.js --million [--count 1000000] [--samples 40] [--calls 'links, -clicks'] [--short]
 *
 * Run after a build. Service and baseline are measured in turn, and ratios are computed within a round. --million
 * measures every list with its filters and orders in a workspace with a million links, clicks, events and deliveries
 * instead. --short measures only what has a budget, and with --million in data that is kept for later runs.
 */
import { parseArgs } from 'node:util'

import { startHelper } from '../lib/child.js'
import { call, closeClient } from '../lib/client.js'
import { startDatabase } from '../lib/database.js'
import { fullSpeed, loadGenerator } from '../lib/full-speed.js'
import { startPreparedDatabase } from '../lib/prepared.js'
import { mainThreadMs } from '../lib/processes.js'
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
import { startService } from '../lib/service.js'
import { calls, createLinkWithWebhook, maxMs, requestsOf } from './calls.js'
import { fillMillion } from './fill.js'
import { measureMillion } from './million.js'
import { countTrips, startCountingProxy } from './trips.js'
import { createWorld, settled, subscribe } from './world.js'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    calls: { type: 'string', default: '' },
    million: { type: 'boolean', default: false },
    count: { type: 'string', default: '1000000' },
    samples: { type: 'string', default: '40' },
    short: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const seconds = Number(values.seconds)
const selectedCalls = calls.filter(({ name }) => name.includes(values.calls))
const forReceivers = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }

await runBenchmark({ minutes: values.million ? 60 : 10 + rounds * seconds * 4 }, async (undo) => {
  undo(closeClient)
  if (values.million) return runMillion(undo)
  const database = await startDatabase(undo)
  const receiver = await startHelper(undo, new URL('../lib/counting-receiver.js', import.meta.url))
  const settings = { ...database.settings, ...forReceivers }
  const service = await startService(undo, { settings })
  const world = await createWorld(service, receiver.hello, database.url)
  const { workspaceId, record } = world
  const bare = await startHelper(undo, new URL('./bare-fastify.js', import.meta.url), {
    url: database.url,
    workspaceId,
    record,
  })
  Object.assign(bare, { port: bare.hello.port, api: service.api, token: '' })
  console.log(`load by ${loadGenerator}, ${rounds} rounds of ${seconds} s`)
  const servers = { service, bare, world }
  for (const each of selectedCalls) await measureCall(servers, each)
  if (createLinkWithWebhook.name.includes(values.calls)) await measureWithWebhook(servers, receiver)
  await service.stop()
  if (!values.short) await measureTrips(undo, { database, settings, world, token: service.token })
  summary()
})

async function runMillion(undo) {
  const count = Number(values.count)
  const options = { samples: Number(values.samples), only: values.calls, isShort: values.short }
  const fill = async ({ url, settings }) => {
    const receiver = await startHelper(undo, new URL('../lib/counting-receiver.js', import.meta.url))
    const service = await startService(undo, { settings: { ...settings, ...forReceivers } })
    return { service, world: await fillMillion(service, receiver.hello, url, count) }
  }
  if (!values.short) {
    const { service, world } = await fill(await startDatabase(undo))
    return measureMillion(service, world, options)
  }
  const { database, data } = await startPreparedDatabase(undo, 'api', { count }, async (filled) => {
    const { service, world } = await fill(filled)
    await service.stop()
    return { world, token: service.token }
  })
  const settings = { ...database.settings, ...forReceivers }
  const service = await startService(undo, { settings, token: data.token })
  return measureMillion(service, data.world, options)
}

async function measureCall({ service, bare, world }, each) {
  heading(each.name)
  const sides = [
    ['bare', bare, requestsOf(each, world.bare, bare.api)],
    ['ours', service, requestsOf(each, world.ours, service.api)],
  ]
  const results = { 16: [], 1: [] }
  const { leastRatio } = each
  const loads = values.short && !leastRatio ? [1] : [16, 1]
  // The first round warms up.
  for (let round = 0; round <= rounds; round++)
    for (const connections of loads) {
      const result = {}
      for (const [name, server, requests] of sides)
        result[name] = await measured(server, { connections, seconds: round === 0 ? 1 : seconds, requests })
      if (round > 0) results[connections].push(result)
    }
  compare('requests per second, 16 connections', results[16], (r) => r.perSecond, {
    write: perSecond,
    goal: leastRatio && { atLeast: leastRatio },
    budget: leastRatio && each.name,
  })
  compare('p99 latency, 16 connections', results[16], (r) => r.p99, { write: milliseconds })
  compare('p50 latency, 1 connection', results[1], (r) => r.p50, { write: milliseconds })
  const p50 = median(results[1].map(({ ours }) => ours.p50))
  line('p50 latency, 1 connection, absolute', {
    figure: milliseconds(p50),
    judged: p50,
    goal: { atMost: maxMs },
    goalText: `≤ ${maxMs} ms`,
    budget: 'p50 of API calls at one connection',
  })
  compare('processor time of the serving thread, per call', results[16], (r) => r.thread, {
    write: microseconds,
  })
}

/** Measures link creation while the same process sends the deliveries. A round ends with the last delivery. */
async function measureWithWebhook({ service, bare, world }, receiver) {
  heading(createLinkWithWebhook.name)
  const { webhook } = world.ours
  const results = []
  const arrivals = { during: [], missing: [] }
  for (let round = 0; round <= rounds; round++) {
    const load = { connections: 16, seconds }
    await subscribe(service, webhook, true)
    const before = (await receiver.request('count')).count
    const requests = requestsOf(createLinkWithWebhook, world.ours, service.api)
    const ours = await measured(service, { ...load, requests })
    const during = (await receiver.request('count')).count - before
    await settled(service, webhook)
    await subscribe(service, webhook, false)
    const arrived = (await receiver.request('count')).count - before
    const bareRequests = requestsOf(createLinkWithWebhook, world.bare, bare.api)
    const result = { ours, bare: await measured(bare, { ...load, requests: bareRequests }) }
    if (round === 0) continue
    results.push(result)
    arrivals.during.push(during / seconds)
    arrivals.missing.push(Math.max(0, ours.count - arrived))
  }
  compare('requests per second, 16 connections', results, (r) => r.perSecond, {
    write: perSecond,
    goal: { atLeast: createLinkWithWebhook.leastRatio },
    budget: createLinkWithWebhook.name,
  })
  line('deliveries that arrive during the load', { figure: perSecond(Math.min(...arrivals.during)) })
  const missing = Math.max(...arrivals.missing)
  line('deliveries that did not arrive within a minute', {
    figure: String(missing),
    judged: missing,
    goal: { atMost: 0 },
  })
}

async function measured(server, { requests, ...load }) {
  const headers = { authorization: `Bearer ${server.token}` }
  if (requests[0].body) headers['content-type'] = 'application/json'
  const before = mainThreadMs(server.pid)
  const result = await fullSpeed({ ...load, port: server.port, requests, headers })
  return {
    ...result,
    thread: before === null ? null : ((mainThreadMs(server.pid) - before) * 1000) / result.count,
  }
}

async function measureTrips(undo, { database, settings, world, token }) {
  const proxy = await startCountingProxy(undo, database.url)
  const service = await startService(undo, { settings: { ...settings, DATABASE_URL: proxy.url }, token })
  heading('Round trips to the database, and statements, of one call')
  for (const each of selectedCalls) {
    const requests = requestsOf(each, world.ours, service.api, 50)
    const send = (i) => {
      const { method = 'GET', path, body } = requests[i % requests.length]
      return call(service, method, path, body && JSON.parse(body))
    }
    // Prepare the statements and cache the token.
    for (let i = 0; i < 12; i++) await send(i)
    const { trips, statements } = await countTrips(proxy, (i) => send(i + 12))
    line(each.name, { figure: `${trips} / ${statements}` })
  }
}
