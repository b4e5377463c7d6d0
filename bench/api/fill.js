/**
 * Fills a large workspace through SQL. Each row is a copy of a row that the service created, so new columns need no
 * change here. Columns that differ are expressions over `n`.
 *
 * Links are created one minute apart, with common and rare hosts, words and tags. The links with "jubilee" are all old,
 * which is the worst case for a list that starts with the newest link.
 */
import pg from 'pg'

import { call } from '../lib/client.js'
import { waitUntil } from '../lib/run.js'

const batchSize = 100_000
export const firstLinkAt = 1_600_000_000_000

const digits = (salt) =>
  `'7' || substr(md5('${salt}' || n), 1, 3) || '8' || substr(md5(n || '${salt}'), 4, 15)`
const idAt = (ms, salt) => `(lpad(to_hex(${ms}), 12, '0') || ${digits(salt)})::uuid`
const linkMs = `(${firstLinkAt} + n * 60000)`
const linkId = (n) => idAt(linkMs, 'link').replaceAll(/\bn\b/g, n)
const isOld = (count) => `n <= ${count / 4}`

const links = (count) => ({
  id: linkId('n'),
  slug: `'slug' || n`,
  url: `'https://' || (ARRAY['www', 'shop', 'blog', 'docs'])[1 + n % 4] || '.example.com/' ||
    CASE WHEN ${isOld(count)} THEN 'jubilee' ELSE 'articles' END || '/w' || abs(hashtext(n::text)) % 5000 || '/' || md5(n::text)`,
  title: `'Title ' || md5((n * 7)::text)`,
  tags: `ARRAY['all', 'tag' || n % 1000] || CASE WHEN ${isOld(count)} THEN ARRAY['old'] ELSE ARRAY[]::text[] END`,
  external_id: `CASE WHEN n % 2 = 0 THEN 'ext' || n END`,
  enabled: 'n % 500 <> 0',
  created_at: `to_timestamp(${linkMs} / 1000)`,
  updated_at: `to_timestamp(${linkMs} / 1000)`,
})

const counters = { link_id: linkId('n'), total: 'abs(hashtext(n::text)) % 10000', human: '0' }

/** IDs of a partitioned table, spread evenly from `from` to `to`, with 2,000 rows per transaction. */
const spread = (count, { from, to }, salt) => idAt(`(${from} + n * ${(to - from) / count})::bigint`, salt)
const transaction = (count) => `(template.sample).tx::text::bigint - 1 - (${count} - n) / 2000`
const someLink = linkId(`(1 + n % 1000)`)

/** Fills all tables. Returns what `measureMillion` needs to know about the data. */
export async function fillMillion(service, receiver, url, count) {
  const world = { count, ...(await makeTemplates(service, receiver, url)), to: Date.now() }
  world.from = await fill(url, count, { webhooks: world.webhookIds, now: world.to })
  // One of the links that have clicks and events.
  world.linkId = (await call(service, 'GET', `${service.api}/v1/links?external_id=ext2`)).body.data[0].id
  return world
}

/** Creates one row of each kind through the service, to be copied, and several webhooks for the deliveries. */
export async function makeTemplates(service, receiver, url) {
  const at = (path) => `${service.api}/v1${path}`
  const hooks = []
  for (let i = 0; i < 5; i++)
    hooks.push(
      (
        await call(service, 'POST', at('/webhooks'), {
          url: `${receiver.url}/${i}`,
          events: ['link.created'],
        })
      ).body.id,
    )
  const { body: link } = await call(service, 'POST', at('/links'), { url: 'https://www.example.com/first' })
  await call(service, 'GET', `/${link.slug}`)
  const isReady = async () => {
    const { body: clicks } = await call(service, 'GET', at('/clicks'))
    const { body: deliveries } = await call(service, 'GET', at(`/webhooks/${hooks[0]}/deliveries`))
    return clicks.data.length > 0 && deliveries.data[0]?.status === 'succeeded'
  }
  if (!(await waitUntil(isReady, { ms: 30_000 }))) throw new Error('the first click or delivery is missing')
  // The UUIDs of the webhooks in the database.
  const client = new pg.Client(url)
  await client.connect()
  const { rows } = await client.query('SELECT id FROM webhooks ORDER BY id')
  await client.end()
  return { webhook: hooks[0], webhookIds: rows.map(({ id }) => id) }
}

/**
 * Fills the tables. `webhooks` are the UUIDs of the webhooks that get deliveries. Without `hasClicks`, no clicks are
 * added. Returns the time of the first event, in milliseconds.
 */
export async function fill(url, count, { webhooks, now, hasClicks = true }) {
  const client = new pg.Client(url)
  await client.connect()
  const query = async (...args) => (await client.query(...args)).rows
  try {
    await query(`SET maintenance_work_mem = '256MB'`)
    await withoutSearchIndexes(query, async () => {
      await copyRows(query, 'links', count, links(count))
      await copyRows(query, 'link_counters', count, counters)
    })
    const times = { from: await startOfPartition(query, 'events'), to: now }
    const eventId = spread(count, times, 'event')
    const type = `CASE n % 10 WHEN 0 THEN 'link.updated' WHEN 1 THEN 'link.deleted' ELSE 'link.created' END`
    await copyRows(query, 'events', count, {
      id: eventId,
      link_id: someLink,
      type,
      tx: transaction(count),
      // The ID in the payload, which identifies an event.
      body: `regexp_replace((template.sample).body, 'evt_[0-9a-z]{26}', 'evt_' || lpad(n::text, 26, '0'))`,
    })
    if (hasClicks)
      await copyRows(query, 'clicks', count, {
        id: spread(count, times, 'click'),
        link_id: someLink,
        tx: transaction(count),
        occurred_at: `to_timestamp((${times.from} + n * ${(times.to - times.from) / count}) / 1000)`,
      })
    const deliveryId = spread(count, times, 'delivery')
    await copyRows(query, 'deliveries', count, {
      id: deliveryId,
      webhook_id: `(ARRAY[${webhooks.map((id) => `'${id}'`)}])[1 + n % ${webhooks.length}]`,
      event_id: eventId,
      event_type: type,
      sequence: '1000 + n',
      status: `CASE WHEN n % 1000 < 5 THEN 'failed' WHEN n % 1000 = 5 THEN 'canceled' ELSE 'succeeded' END`,
    })
    await copyRows(query, 'attempts', count, { delivery_id: deliveryId, id: spread(count, times, 'attempt') })
    await copyRows(query, 'audit_log', count, { id: spread(count, times, 'audit') })
    await query('VACUUM ANALYZE')
    return times.from
  } finally {
    await client.end()
  }
}

/** Copies an existing row `count` times. `columns` are expressions over `n`, from 1 to `count`. */
async function copyRows(query, table, count, columns) {
  const differing = Object.entries(columns).map(([name, expression]) => `'${name}', ${expression}`)
  const [template] = await query(`SELECT ctid, tableoid FROM ${table} LIMIT 1`)
  if (!template) throw new Error(`${table} has no row to copy`)
  for (let from = 1; from <= count; from += batchSize)
    await query(
      `INSERT INTO ${table}
       SELECT copied.* FROM (SELECT given AS sample FROM ${table} given WHERE ctid = $1 AND tableoid = $2) template,
         generate_series($3::bigint, $4::bigint) n,
         LATERAL jsonb_populate_record(template.sample, jsonb_build_object(${differing.join(', ')})) copied`,
      [template.ctid, template.tableoid, from, Math.min(count, from + batchSize - 1)],
    )
}

/** Drops and rebuilds the search indexes, which is much faster than filling them row by row. */
async function withoutSearchIndexes(query, work) {
  const indexes = await query(
    `SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'links' AND schemaname = 'public' AND indexdef LIKE '% gin %'`,
  )
  for (const { indexname } of indexes) await query(`DROP INDEX "${indexname}"`)
  await work()
  for (const { indexdef } of indexes) await query(indexdef)
}

/** Returns the start of the current partition in milliseconds. The ID in its lower bound starts with the time. */
async function startOfPartition(query, table) {
  const [{ bound }] = await query(
    `SELECT pg_get_expr(relpartbound, oid) AS bound FROM pg_class WHERE oid = (SELECT tableoid FROM ${table} LIMIT 1)`,
  )
  return parseInt(/FROM \('([0-9a-f-]+)'/.exec(bound)[1].replaceAll('-', '').slice(0, 12), 16)
}
