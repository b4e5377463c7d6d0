/**
 * An import into the whole service, compared with one bare `INSERT … SELECT` of the same links, events and audit
 * entries into the same tables. Then the latency of redirects at a fixed rate, with and without an import,
 * unless the run is --short.
 *
 *     node bench/import/run.js [--lines 100000] [--rounds 3] [--redirects 500] [--short]
 */
import { parseArgs } from 'node:util'

import pg from 'pg'

import { constantRate } from '../lib/constant-rate.js'
import { startDatabase } from '../lib/database.js'
import { median, heading, line, milliseconds, perSecond, summary } from '../lib/report.js'
import { pause, runBenchmark, waitUntil } from '../lib/run.js'
import { startService } from '../lib/service.js'

const { values } = parseArgs({
  options: {
    lines: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '3' },
    redirects: { type: 'string', default: '500' },
    short: { type: 'boolean', default: false },
  },
})
const lines = Number(values.lines)
const rounds = Number(values.rounds)
const redirects = Number(values.redirects)
const maxImportMs = 600_000
const visitedLinks = 100

await runBenchmark({ minutes: 60 }, async (undo) => {
  const database = await startDatabase(undo)
  const service = await startService(undo, { settings: database.settings })
  const db = new pg.Client(database.url)
  await db.connect()
  undo(() => db.end())

  heading(`imports of ${lines.toLocaleString('en')} lines`)
  const figures = { ours: [], bare: [], uploads: [] }
  for (let round = 0; round < rounds; round++) {
    const { uploadMs, seconds } = await timeImport(service, `round-${round}-`)
    figures.uploads.push(uploadMs)
    figures.ours.push(lines / seconds)
    figures.bare.push(lines / (await timeBare(db, round)))
  }
  line('lines per second, with events and audit entries', {
    figure: perSecond(median(figures.ours)),
    baseline: perSecond(median(figures.bare)),
    ratio: median(figures.ours.map((rate, i) => rate / figures.bare[i])),
    goal: { atLeast: 0.35 },
    budget: 'links imported',
  })
  line('upload', { figure: milliseconds(median(figures.uploads)) })

  if (!values.short) await measureRedirects(service)
  summary()
})

async function measureRedirects(service) {
  const paths = await createVisitedLinks(service)
  const quiet = await visit(service, paths, 15)
  const importing = timeImport(service, 'visited-')
  const over = { aborted: false }
  const [busy] = await Promise.all([
    visit(service, paths, maxImportMs / 1000, over),
    importing.finally(() => (over.aborted = true)),
  ])
  heading(`redirects, ${redirects} per second`)
  for (const share of ['p50', 'p99'])
    line(`${share} during an import`, {
      figure: milliseconds(busy[share]),
      baseline: milliseconds(quiet[share]),
      ratio: busy[share] / quiet[share],
    })
  line('refused or lost', { figure: String(busy.count - (busy.statuses[302] ?? 0)) })
}

/** Runs an import. Returns the upload time, and the duration of the import according to the service. */
async function timeImport(service, prefix) {
  const body = Array.from(
    { length: lines },
    (_, i) =>
      `https://www.example.com/articles/${i}/a-title-as-long-as-titles-are,${prefix}${i},Title of ${i},"a,b"\n`,
  )
  const sentAt = performance.now()
  const { id } = await call(
    service,
    'POST',
    '/v1/imports',
    `url,slug,title,tags\n${body.join('')}`,
    'text/csv',
  )
  const uploadMs = performance.now() - sentAt
  let importStatus
  await waitUntil(
    async () => {
      importStatus = await call(service, 'GET', `/v1/imports/${id}`)
      return importStatus.finished_at !== null
    },
    { ms: maxImportMs, every: 200 },
  )
  if (importStatus.created !== lines) throw new Error(`the import ended as ${JSON.stringify(importStatus)}`)
  return {
    uploadMs,
    seconds: (Date.parse(importStatus.finished_at) - Date.parse(importStatus.started_at)) / 1000,
  }
}

/** The baseline: copies the rows of the last import with new keys in one statement. */
async function timeBare(db, round) {
  const last = `SELECT * FROM links WHERE slug LIKE 'round-${round}-%'`
  const began = performance.now()
  await db.query(`
    WITH copied AS (
      INSERT INTO links SELECT new_id(), workspace_id, 'bare-' || slug, url, title, note, tags, external_id, redirect_status,
        forward_query, enabled, expires_at, created_at, updated_at, NULL FROM (${last}) AS link RETURNING id, workspace_id
    ), audited AS (
      INSERT INTO audit_log (id, workspace_id, action, actor_token_id, object_type, object_id, address, request_id, details,
        occurred_at)
      SELECT new_id(), workspace_id, 'link.created', workspace_id, 'link', id, '127.0.0.1', 'x', '{"slug":"bare"}', now()
      FROM copied
    )
    INSERT INTO events (tx, id, workspace_id, type, link_id, body)
    SELECT pg_current_xact_id()::text::bigint, new_id(), workspace_id, 'link.created', id, repeat('x', 600) FROM copied`)
  return (performance.now() - began) / 1000
}

async function createVisitedLinks(service) {
  const paths = []
  for (let i = 0; i < visitedLinks; i++) {
    const link = { url: 'https://www.example.com/', slug: `visited${i}` }
    await call(service, 'POST', '/v1/links', JSON.stringify(link), 'application/json')
    paths.push(`/visited${i}`)
  }
  await visit(service, paths, 3)
  return paths
}

function visit({ port }, paths, seconds, stop) {
  const requests = paths.map((path) => ({ method: 'GET', path }))
  const headers = { 'user-agent': 'Mozilla/5.0 Firefox/130.0' }
  return constantRate({ port, perSecond: redirects, seconds, requests, headers, stop })
}

async function call({ port, api, token }, method, path, body, type) {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}${api}${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${token}`, ...(type ? { 'content-type': type } : {}) },
    })
    if (response.ok) return response.json()
    if (response.status !== 503) throw new Error(`${method} ${path}: ${await response.text()}`)
    await pause(200)
  }
}
