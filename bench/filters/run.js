/**
 * The cost of filtered webhooks for ingestion: clicks written per second with a webhook that wants 1 of 1,000 clicks,
 * compared with no webhook, and the processor time of the process and the database. Run after a build:
 *
 *     node bench/filters/run.js [--rounds 40]
 */
import { parseArgs } from 'node:util'

import pg from 'pg'

import { createIngester } from '../../dist/app/create-ingester.js'
import { Locations } from '../../dist/clicks/ingest/locations.js'
import { encodeId, newId } from '../../dist/platform/database/ids.js'
import { call, closeClient } from '../lib/client.js'
import { startDatabase } from '../lib/database.js'
import { familyMs, processMs } from '../lib/processes.js'
import { compare, heading, microseconds, perSecond, summary } from '../lib/report.js'
import { runBenchmark } from '../lib/run.js'
import { startService } from '../lib/service.js'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } })
const rounds = Number(values.rounds)
const warmUp = 5
/** Each click of a batch is on another link, which is the worst case for a filter by tag. */
const linkCount = 20_000
/** About as many clicks as in the largest batch of the ingest thread. */
const batchSize = 20_000
const wantedShare = 1_000
const isLinux = process.platform === 'linux'
const goal = { atLeast: 0.95 }

await runBenchmark({ minutes: 2 + rounds / 4 }, async (undo) => {
  undo(closeClient)
  const database = await startDatabase(undo)
  // No worker runs, because its jobs would slow the database down.
  const service = await startService(undo, { settings: { ...database.settings, ROLE: 'api' } })
  const links = await fillLinks(database.url)
  const writer = createClickWriter(database.url, links)
  undo(writer.close)

  const kinds = {
    none: null,
    'a filter by link': {
      link_ids: links.filter((_, i) => i % wantedShare === 0).map(({ linkId }) => encodeId('lnk', linkId)),
    },
    'a filter by tag': { tags: ['wanted'] },
  }
  const measured = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]))
  for (let round = 0; round < warmUp + rounds; round++)
    // Each kind is measured first, second and third equally often, because the tables grow.
    for (const [name, filter] of rotate(Object.entries(kinds), round)) {
      const figures = await withWebhook(service, filter, () => measureBatch(writer, database.postmaster))
      // The first rounds warm up the JIT compiler and the database.
      if (round >= warmUp) measured[name].push(figures)
    }

  heading(`clicks ingested, 1 of ${wantedShare.toLocaleString('en')} wanted, ${rounds} rounds`)
  const { none, ...filtered } = measured
  for (const [name, figures] of Object.entries(filtered)) {
    const both = figures.map((ours, round) => ({ ours, bare: none[round] }))
    compare(`with ${name}`, both, ({ perSecond }) => perSecond, { write: perSecond, goal })
    compare('  processor time per click', both, ({ microsecondsEach }) => microsecondsEach, {
      write: microseconds,
    })
  }
  summary()
})

function rotate(items, by) {
  const start = by % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}

/** Returns the links, of which 1 of 1,000 has the tag `wanted`. */
async function fillLinks(url) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(
      `INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
       SELECT new_id(), workspaces.id, 'filtered-' || n, 'https://www.example.com/articles/' || n || '/a-title',
         CASE WHEN n % $2 = 0 THEN ARRAY['articles', 'wanted'] ELSE ARRAY['articles', 'group-' || n % 40] END,
         302, false, true, now(), now()
       FROM generate_series(0, $1 - 1) AS n, workspaces
       RETURNING id AS "linkId", workspace_id AS "workspaceId", slug, url`,
      [linkCount, wantedShare],
    )
    await client.query('ANALYZE links')
    return rows
  } finally {
    await client.end()
  }
}

/** Writes clicks like the ingest thread, but without the journal, whose cost is the same for all kinds. */
function createClickWriter(databaseUrl, links) {
  const log = { info: () => undefined, warn: (message) => console.error(message) }
  const ingester = createIngester({
    settings: { databaseUrl, clickIp: 'truncate', geoipDb: null, shortUrlBase: 'http://127.0.0.1' },
    root: '',
    locations: new Locations(null, log),
    log,
    wakeLanes: () => undefined,
  })
  let next = 0
  const createClick = () => {
    const i = next++
    const { linkId, workspaceId, slug, url } = links[(i * 7919) % linkCount]
    return {
      id: newId(),
      time: Date.now(),
      linkId,
      workspaceId,
      slug,
      url,
      userAgent: `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (i % 40)}.0.0.0 Safari/537.36`,
      referer: 'https://news.example.org/2025/11/a-story',
      acceptLanguage: 'en-GB,en;q=0.9,de;q=0.8',
      address: `203.0.${(i >> 8) & 255}.${i & 255}`,
      country: '',
      query: '',
      traceparent: '',
    }
  }
  return {
    writeClicks: (clicks) => ingester.writeClicks(clicks),
    createClicks: () => Array.from({ length: batchSize }, createClick),
    close: () => ingester.close(),
  }
}

/** Writes one batch, so that other load on the machine slows all kinds alike. */
async function measureBatch({ writeClicks, createClicks }, postmaster) {
  const usedMs = () => (isLinux ? processMs(process.pid) + familyMs(postmaster) : null)
  const clicks = createClicks()
  const [began, usedBefore] = [performance.now(), usedMs()]
  await writeClicks(clicks)
  const elapsedMs = performance.now() - began
  return {
    perSecond: (batchSize * 1000) / elapsedMs,
    microsecondsEach: isLinux ? ((usedMs() - usedBefore) * 1000) / batchSize : null,
  }
}

async function withWebhook(service, filter, work) {
  if (filter === null) return work()
  const path = `${service.api}/v1/webhooks`
  const webhook = { url: 'https://receiver.example.com/', events: ['click'], filter }
  const { id } = (await call(service, 'POST', path, webhook)).body
  try {
    return await work()
  } finally {
    await call(service, 'DELETE', `${path}/${id}`)
  }
}
