/**
 * Bulk creation with 1,000 links per call, compared with a bare `INSERT … SELECT` of the same rows with new keys into
 * the same tables, in one transaction per 1,000 links.
 *
 *     node bench/bulk/run.js [--rounds 20]
 *
 * Run after a build. Alternates between the service and the baseline, first without and then with a visitor. The
 * visitor's latency shows how long a bulk call blocks other requests.
 */
import { parseArgs } from 'node:util'

import pg from 'pg'

import { startHelper } from '../lib/child.js'
import { call, closeClient } from '../lib/client.js'
import { startDatabase } from '../lib/database.js'
import { heading, line, median, milliseconds, perSecond, quantile, summary } from '../lib/report.js'
import { pause, runBenchmark } from '../lib/run.js'
import { startService } from '../lib/service.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
const rounds = Number(values.rounds)
const batchSize = 1_000
const warmUp = 10
const goal = { atLeast: 0.35 }
const forReceivers = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }
/** The tables that a call writes. */
const tables = ['links', 'events', 'audit_log', 'deliveries']

await runBenchmark({ minutes: 5 + 2 * rounds }, async (undo) => {
  undo(closeClient)
  const database = await startDatabase(undo)
  const receiver = await startHelper(undo, new URL('../lib/counting-receiver.js', import.meta.url))
  const service = await startService(undo, { settings: { ...database.settings, ...forReceivers } })
  const at = (path) => `${service.api}/v1${path}`
  const baseline = await startBaseline(undo, database.url)
  const { slug } = (await call(service, 'POST', at('/links'), { url: 'https://www.example.com/' })).body

  const create = async (round) => {
    const links = Array.from({ length: batchSize }, (_, i) => linkOf(round * batchSize + i))
    const { ms, body } = await call(service, 'POST', at('/links/bulk'), { links })
    if (body.created !== batchSize) throw new Error(`only ${body.created} links were created`)
    return { ms, ids: body.results.map(({ link }) => link.id) }
  }
  // Warm up the JIT compiler.
  for (let round = 0; round < warmUp; round++) await create(round)

  heading(`links, ${batchSize.toLocaleString('en')} per call, ${rounds} calls`)
  report('created', await compare(warmUp))
  const visits = await whileVisiting(service, slug, async () => {
    report('created, with a visitor', await compare(warmUp + rounds))
  })
  line('redirect during bulk calls, p99', { figure: milliseconds(quantile(visits, 0.99)) })
  line('redirect during bulk calls, maximum', { figure: milliseconds(Math.max(...visits)) })

  const hook = { url: receiver.hello.url, events: ['link.created'] }
  const { id } = (await call(service, 'POST', at('/webhooks'), hook)).body
  // A paused webhook holds its deliveries, so that only the writes are measured.
  await call(service, 'PATCH', at(`/webhooks/${id}`), { status: 'paused' })
  report('created, with one delivery each', await compare(warmUp + 2 * rounds))
  summary()

  async function compare(first) {
    const measured = []
    for (let round = first; round < first + rounds; round++) {
      const { ms } = await create(round)
      measured.push({ ours: ms, bare: await baseline.insertNewest() })
    }
    return measured
  }
})

function report(name, measured) {
  const rate = (ms) => (batchSize * 1000) / ms
  line(name, {
    figure: perSecond(median(measured.map(({ ours }) => rate(ours)))),
    baseline: perSecond(median(measured.map(({ bare }) => rate(bare)))),
    ratio: median(measured.map(({ ours, bare }) => bare / ours)),
    goal,
    budget: 'links created in bulk',
  })
}

function linkOf(i) {
  return {
    url: `https://www.example.com/articles/${i}/a-title-as-long-as-titles-are?utm_source=newsletter`,
    slug: `bulk-${i}`,
    title: `Article ${i}`,
    tags: ['articles', `group-${i % 40}`],
    external_id: `article-${i}`,
  }
}

/** The baseline. It copies the newest rows of the service with new keys before the measurement starts. */
async function startBaseline(undo, url) {
  const client = new pg.Client(url)
  await client.connect()
  undo(() => client.end())
  for (const table of tables) await client.query(`CREATE TEMP TABLE new_${table} (LIKE ${table})`)
  const gather = async () => {
    for (const table of tables) await client.query(`TRUNCATE new_${table}`)
    await client.query(`INSERT INTO new_links SELECT * FROM links ORDER BY id DESC LIMIT ${batchSize}`)
    await client.query(`
      INSERT INTO new_events SELECT * FROM events WHERE link_id IN (SELECT id FROM new_links);
      INSERT INTO new_audit_log SELECT * FROM audit_log WHERE object_id IN (SELECT id FROM new_links);
      INSERT INTO new_deliveries SELECT * FROM deliveries WHERE event_id IN (SELECT id FROM new_events);
      UPDATE new_links SET id = new_id(), slug = 'bare-' || slug, external_id = 'bare-' || external_id`)
    for (const table of tables.slice(1)) await client.query(`UPDATE new_${table} SET id = new_id()`)
  }
  return {
    async insertNewest() {
      await gather()
      const began = performance.now()
      await client.query('BEGIN')
      for (const table of tables) await client.query(`INSERT INTO ${table} SELECT * FROM new_${table}`)
      await client.query('COMMIT')
      return performance.now() - began
    },
  }
}

/** Runs `work` while a visitor requests redirects, one after the other. Returns their latencies. */
async function whileVisiting(service, slug, work) {
  const times = []
  let isOver = false
  const visitor = (async () => {
    while (!isOver) {
      times.push((await call(service, 'GET', `/${slug}`)).ms)
      await pause(2)
    }
  })()
  try {
    await work()
  } finally {
    isOver = true
    await visitor
  }
  return times
}
