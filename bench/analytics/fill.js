/**
 * Fills the tables with clicks in the form in which the ingester writes them: in the order of time, in transactions of
 * the same size, with a realistic distribution over links and dimensions.
 */
import pg from 'pg'

import { rollAtClicks } from '../../dist/analytics/limits.js'
import { ClosedWeeks } from '../../dist/clicks/maintenance/closed-weeks.js'
import { call } from '../lib/client.js'
import { waitUntil } from '../lib/run.js'
import { startService } from '../lib/service.js'

const batchSize = 5_000
const dayMs = 86_400_000

const of = (values) =>
  `(ARRAY[${values.map((value) => `'${value}'`)}])[1 + floor(random() ^ 2 * ${values.length})::int]`
const oneOf = (prefix, count) => `'${prefix}' || floor(random() ^ 3 * ${count})::int`
const sometimes = (share, value) => `CASE WHEN random() < ${share} THEN ${value} END`
const countries = ['DE', 'US', 'FR', 'GB', 'IN', 'BR', 'JP', 'NL', 'ES', 'IT', 'PL', 'SE', 'AT', 'CH', 'AU']

const columns = {
  // A city belongs to one region and country. Most visitors are in a few cities.
  country: `(ARRAY[${countries.map((code) => `'${code}'`)}])[1 + place % ${countries.length}]`,
  region: `'XX-' || place % 200`,
  city: `'City ' || place`,
  referrer_host: sometimes(0.7, oneOf('host', 500) + ` || '.example'`),
  browser: of(['Chrome', 'Safari', 'Firefox', 'Edge', 'Samsung']),
  os: of(['Android', 'iOS', 'Windows', 'macOS', 'Linux']),
  device: of(['mobile', 'desktop', 'tablet']),
  language: of(['en-US', 'de-DE', 'fr-FR', 'es-ES', 'pt-BR', 'ja']),
  utm_source: sometimes(0.4, of(['newsletter', 'google', 'x', 'partner'])),
  utm_medium: sometimes(0.4, of(['email', 'cpc', 'social'])),
  utm_campaign: sometimes(0.4, oneOf('campaign-', 200)),
  utm_term: sometimes(0.1, oneOf('term ', 1_000)),
  utm_content: sometimes(0.1, oneOf('content ', 50)),
  source: sometimes(0.05, `'qr'`),
  bot: 'random() < 0.2',
  ip: `'203.0.' || floor(random() * 250)::int || '.0'`,
  visitor: `substr(md5(floor(random() * 100000)::text || n / 166667), 1, 22)`,
}

/**
 * Fills the database of a new installation. Returns the running service, the time of the newest click, the most clicked
 * link and the duration of the roll-up.
 */
export async function fillInstallation(undo, { url, settings }, { clicks, days, links }) {
  const start = () => startService(undo, { settings: { ...settings, LOG_LEVEL: 'warn' } })
  const first = await start()
  await call(first, 'POST', `${first.api}/v1/links`, { url: 'https://www.example.com/first' })
  await first.stop()
  await fillLinks(url, links)
  const until = Date.now()
  await timed(`filled with ${clicks.toLocaleString('en')} clicks`, () =>
    fillClicks(url, { clicks, days, until }),
  )
  // The token is printed only at the first start.
  const service = { ...(await start()), token: first.token }
  const rollUpSeconds = await timed('rolled up', () =>
    waitUntil(() => isRolledUp(url), { ms: 200 * 60_000, every: 1_000 }),
  )
  await withClient(url, (query) => query('VACUUM ANALYZE'))
  const closed = new ClosedWeeks({ databaseUrl: url })
  await timed('indexes of closed weeks rebuilt', async () => {
    while (await closed.rebuildNext());
  })
  const [{ id }] = (await call(service, 'GET', `${service.api}/v1/links?sort=-clicks&limit=1`)).body.data
  return { service, until, hottestLink: id, rollUpSeconds }
}

async function timed(what, work) {
  const startedAt = performance.now()
  await work()
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${what} in ${seconds.toFixed(0)} s`)
  return seconds
}

/** Creates links as copies of the existing one. The first ones get most clicks (Zipf). */
export async function fillLinks(url, count) {
  await withClient(url, (query) =>
    query(
      `WITH link AS (
         INSERT INTO links (id, workspace_id, slug, url, tags, redirect_status, forward_query, enabled, created_at, updated_at)
         SELECT new_id(), workspace_id, 'bench' || n, 'https://www.example.com/articles/' || n, ARRAY['tag' || n % 20],
           302, false, true, created_at, updated_at
         FROM (SELECT * FROM links LIMIT 1) AS template, generate_series(1, $1::int) AS n
         RETURNING id, workspace_id
       )
       INSERT INTO link_counters (link_id, workspace_id, total, human) SELECT id, workspace_id, 0, 0 FROM link`,
      [count],
    ),
  )
}

export async function fillClicks(url, { clicks, days, until }) {
  const from = until - days * dayMs
  const ms = `(${from} + (n + random()) * ${(until - from) / clicks})::bigint`
  await withClient(url, async (query) => {
    await makePartitions(query, from, until)
    await query(`CREATE TEMP TABLE ranked AS
      SELECT row_number() OVER (ORDER BY id)::int AS rank, id AS link_id, workspace_id FROM links WHERE slug LIKE 'bench%'`)
    await query('ALTER TABLE ranked ADD PRIMARY KEY (rank)')
    await query(`INSERT INTO click_targets (link_id, slug, url)
      SELECT id, slug, url FROM links JOIN ranked ON link_id = id`)
    await query('ALTER TABLE ranked ADD target_id integer')
    await query(
      'UPDATE ranked SET target_id = id FROM click_targets AS target WHERE target.link_id = ranked.link_id',
    )
    await query('ANALYZE ranked')
    const [{ links }] = await query('SELECT count(*)::int AS links FROM ranked')
    for (let done = 0; done < clicks; done += batchSize)
      await query({
        name: 'fill',
        text: `INSERT INTO clicks (id, tx, workspace_id, link_id, target_id, referrer, occurred_at, ${Object.keys(columns)})
          SELECT (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n || 'x'), 1, 15))::uuid,
            pg_current_xact_id()::text::bigint, workspace_id, link_id, target_id, CASE WHEN referrer_host IS NOT NULL THEN '/a/page' END,
            to_timestamp(ms / 1000.0), ${Object.keys(columns)}
          FROM (
            SELECT n, ${ms} AS ms, floor(exp(random() * ln(${links})))::int AS rank,
              ${Object.entries(columns).map(([name, text]) => `${text} AS ${name}`)}
            FROM (
              SELECT n, floor(random() ^ 3 * 3000)::int AS place FROM generate_series($1::int, $2::int) AS n
            ) AS numbers
          ) AS made JOIN ranked USING (rank)`,
        values: [done, Math.min(clicks, done + batchSize) - 1],
      })
    await query(`INSERT INTO link_counters (link_id, workspace_id, total, human, last_clicked_at)
      SELECT link_id, workspace_id, count(*), count(*) FILTER (WHERE NOT bot), max(occurred_at) FROM clicks GROUP BY 1, 2
      ON CONFLICT (link_id) DO UPDATE SET total = EXCLUDED.total, human = EXCLUDED.human`)
    await query('VACUUM ANALYZE clicks')
  })
}

async function makePartitions(query, from, until) {
  const week = 7 * dayMs
  for (let start = Math.floor(from / week) * week; start <= until; start += week) {
    const name = `clicks_${new Date(start).toISOString().slice(0, 10).replaceAll('-', '')}`
    const id = (time) =>
      `${time
        .toString(16)
        .padStart(12, '0')
        .replace(/^(.{8})/, '$1-')}-0000-0000-000000000000`
    await query(
      `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF clicks FOR VALUES FROM ('${id(start)}') TO ('${id(start + week)}')`,
    )
  }
}

/** Returns whether the remaining clicks are too few for the next roll-up. */
export function isRolledUp(url) {
  return withClient(url, async (query) => {
    const [{ waiting }] = await query(`SELECT count(*) AS waiting FROM (
      SELECT FROM clicks WHERE tx >= coalesce((SELECT min(tx) FROM analytics_places), 0) LIMIT ${2 * rollAtClicks}) AS newest`)
    return Number(waiting) <= rollAtClicks
  })
}

export async function withClient(url, work) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(async (...args) => (await client.query(...args)).rows)
  } finally {
    await client.end()
  }
}
