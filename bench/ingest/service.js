/** Runs the service on an embedded database, and the measurements inside its process. */
import 'reflect-metadata'

import pg from 'pg'
import { DataSource } from 'typeorm'

import { createApp } from '../../dist/app/app.js'
import { TokenCommands } from '../../dist/auth/token-commands.js'
import { ClickRecorder } from '../../dist/clicks/click-recorder.js'
import { describeClick } from '../../dist/clicks/ingest/describe-click.js'
import { writeClicks } from '../../dist/clicks/ingest/write-clicks.js'
import { history } from '../../dist/migrations/history.js'
import { readSettings } from '../../dist/platform/config/env.js'
import { createLogger } from '../../dist/platform/util/logger.js'
import { newId } from '../../dist/platform/database/ids.js'
import { openDatabase } from '../../dist/platform/database/open-database.js'
import { migrateQueue } from '../../dist/platform/queue/schema.js'

const database = await openDatabase(
  readSettings({ DATA_DIR: process.argv[2], RATE_LIMIT: 'off', PORT: '0' }),
  'service',
  history,
)
await migrateQueue(database.settings)
const app = await createApp(database.settings, createLogger('warn'))
await app.listen({ port: 0, host: '127.0.0.1' })
const { token } = await app.get(TokenCommands).create({ workspace: 'default', name: 'bench' })

const agents = Array.from(
  { length: 200 },
  (_, i) =>
    `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (i % 40)}.0.${i}.0 Safari/537.36`,
)

let links = []
const visitOf = (i) => {
  const { id, workspace_id, slug, url } = links[(i * 7919) % links.length]
  return {
    linkId: id,
    workspaceId: workspace_id,
    slug,
    url,
    userAgent: agents[i % agents.length],
    referer: 'https://news.example.org/2025/11/a-story',
    acceptLanguage: 'en-GB,en;q=0.9,de;q=0.8',
    address: `203.0.${(i >> 8) & 255}.${i & 255}`,
    country: '',
    query: '',
    traceparent: '',
  }
}

const work = {
  async prepare({ count }) {
    const source = app.get(DataSource)
    for (let done = 0; done < count; done += 1000)
      await Promise.all(
        Array.from({ length: 10 }, async (_, part) => {
          const ids = Array.from({ length: 100 }, newId)
          await source.query(
            `INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
             SELECT id, (SELECT id FROM workspaces LIMIT 1), 's' || ($2::int + n), 'https://www.example.com/articles/' || n,
               '{}', 302, false, true, now(), now() FROM unnest($1::uuid[]) WITH ORDINALITY AS t (id, n)`,
            [ids, done + part * 100],
          )
        }),
      )
    await source.query('ANALYZE')
    links = await source.query('SELECT id, workspace_id, slug, url FROM links')
    return {}
  },

  /** Appends clicks to the journal while the ingest thread writes them to the database. */
  async journal({ clicks }) {
    const { journal } = app.get(ClickRecorder)
    const begin = performance.now()
    for (let done = 0; done < clicks; done += 250) {
      while (journal.getStats().pendingClicks > 50_000) await pause()
      await record(journal, done, Math.min(250, clicks - done))
    }
    while (journal.getStats().pendingClicks > 0) await pause()
    return { seconds: (performance.now() - begin) / 1000 }
  },

  /** Appends a burst of clicks. Returns the time until all are counted, and the load of this thread. */
  async burst({ clicks }) {
    const { journal } = app.get(ClickRecorder)
    for (let done = 0; done < clicks; done += 250) await record(journal, done, Math.min(250, clicks - done))
    const { pendingClicks } = journal.getStats()
    const begin = performance.now()
    const before = performance.eventLoopUtilization()
    while (journal.getStats().pendingClicks > 0) await pause()
    const { active } = performance.eventLoopUtilization(performance.eventLoopUtilization(), before)
    const seconds = (performance.now() - begin) / 1000
    return { pendingClicks, seconds, servingShare: active / 1000 / seconds }
  },

  /** Writes the same batches directly to the database. */
  async batches({ clicks }) {
    const source = app.get(DataSource)
    const begin = performance.now()
    for (let done = 0; done < clicks; done += 5_000) {
      const rows = Array.from({ length: 5_000 }, (_, i) => rowOf(done + i))
      await source.transaction((tx) => writeClicks(tx, rows))
    }
    return { seconds: (performance.now() - begin) / 1000 }
  },

  /** The baseline: one INSERT and counter update per click, over ten connections. */
  async single({ clicks }) {
    const pool = new pg.Pool({ connectionString: database.settings.databaseUrl, max: 10 })
    let next = 0
    const begin = performance.now()
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const client = await pool.connect()
        for (let i = next++; i < clicks; i = next++) {
          const row = rowOf(i)
          await client.query({
            name: 'click',
            text: `WITH written AS (
                INSERT INTO clicks (id, workspace_id, link_id, tx, slug, url, occurred_at, bot, referrer, referrer_host, country, browser, os, device, language, ip, visitor)
                VALUES ($1, $2, $3, pg_current_xact_id()::text::bigint, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16))
              INSERT INTO link_counters AS c VALUES ($3, $2, 1, 1, $6) ON CONFLICT (link_id)
              DO UPDATE SET total = c.total + 1, human = c.human + 1, last_clicked_at = $6`,
            values: [
              row.id,
              row.workspaceId,
              row.linkId,
              row.slug,
              row.url,
              row.occurredAt,
              row.bot,
              row.referrer,
              row.referrerHost,
              row.country,
              row.browser,
              row.os,
              row.device,
              row.language,
              row.ip,
              row.visitor,
            ],
          })
        }
        client.release()
      }),
    )
    const seconds = (performance.now() - begin) / 1000
    await pool.end()
    return { seconds }
  },

  async stop() {
    await app.close()
    await database.release()
    return {}
  },
}

function pause() {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

/** Appends clicks. Resolves when the last one is durable. */
function record(journal, from, count) {
  return new Promise((resolve) => {
    const last = from + count - 1
    for (let i = from; i < last; i++) journal.appendClick(visitOf(i), () => undefined, null)
    journal.appendClick(visitOf(last), resolve, null)
  })
}

function rowOf(i) {
  const click = { ...visitOf(i), id: newId(), time: Date.now() }
  return describeClick(click, {
    addressMode: 'truncate',
    locate: () => ({ country: null, region: null, city: null }),
    now: Date.now(),
    hashVisitor: () => 'x'.repeat(22),
  })
}

process.on('message', async ({ what, ...options }) => {
  const result = await work[what](options)
  process.send(result, () => {
    if (what === 'stop') process.exit(0)
  })
})
process.send({ port: app.getHttpServer().address().port, token })
