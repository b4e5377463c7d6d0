/** The test data: created through the API, then copied into the tables of the baseline. */
import pg from 'pg'

import { call, forEach } from '../lib/client.js'
import { waitUntil } from '../lib/run.js'

const tables = [
  'links',
  'link_counters',
  'clicks',
  'events',
  'webhooks',
  'lanes',
  'deliveries',
  'attempts',
  'tokens',
  'audit_log',
]
const counts = { links: 1_000, clicked: 100, clicksEach: 30, webhooks: 25, tokens: 25, deliveries: 100 }
const timeoutMs = 60_000

/** Creates the data. Returns the IDs for paths in the format of the service and of the baseline. */
export async function createWorld(service, receiver, url) {
  const at = (path) => `${service.api}/v1${path}`
  const links = []
  const addLink = async (i) =>
    links.push(
      (await call(service, 'POST', at('/links'), { url: `https://www.example.com/articles/${i}` })).body,
    )
  await forEach(Array.from({ length: counts.links }), (_, i) => addLink(i))

  const clicked = links.slice(0, counts.clicked)
  await forEach(Array.from({ length: counts.clicked * counts.clicksEach }), (_, i) =>
    call(service, 'GET', `/${clicked[i % clicked.length].slug}`),
  )
  const hooks = []
  for (let i = 0; i < counts.webhooks; i++) {
    const hook = { url: `${receiver.url}/${i}`, events: ['link.deleted'] }
    hooks.push((await call(service, 'POST', at('/webhooks'), hook)).body.id)
  }
  for (let i = 0; i < counts.tokens; i++)
    await call(service, 'POST', at('/auth/token'), { name: `token ${i}` })

  const [webhook] = hooks
  await subscribe(service, webhook, true)
  await forEach(Array.from({ length: counts.deliveries }), (_, i) => addLink(i))
  await subscribe(service, webhook, false)
  await settled(service, webhook)
  await waitUntil(
    async () =>
      (await call(service, 'GET', at(`/links/${clicked[0].id}`))).body.clicks.total === counts.clicksEach,
    { ms: timeoutMs },
  )
  const ids = { links: links.map(({ id }) => id), clicked: clicked.map(({ id }) => id), webhook }
  const { workspaceId, uuids } = await copy(url, links, clicked)
  return {
    ours: ids,
    bare: uuids,
    workspaceId,
    record: (await call(service, 'GET', at('/auth/token/self'))).body,
  }
}

/** Subscribes the webhook to new links, or unsubscribes it. */
export function subscribe(service, webhook, isWanted) {
  const events = [isWanted ? 'link.created' : 'link.deleted']
  return call(service, 'PATCH', `${service.api}/v1/webhooks/${webhook}`, { events })
}

/** Waits until all deliveries of the webhook are done. Returns false on timeout. */
export function settled(service, webhook) {
  const path = `${service.api}/v1/webhooks/${webhook}/stats`
  const isSettled = async () => {
    const { pending, held } = (await call(service, 'GET', path)).body
    return pending + held === 0
  }
  return waitUntil(isSettled, { ms: timeoutMs })
}

/** Copies the tables with their rows and indexes, except the search indexes. */
async function copy(url, links, clicked) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    await client.query('CREATE SCHEMA baseline')
    for (const table of tables) {
      await client.query(`CREATE TABLE baseline.${table} (LIKE public.${table} INCLUDING ALL)`)
      await client.query(`INSERT INTO baseline.${table} SELECT * FROM public.${table}`)
    }
    const { rows: searches } = await client.query(
      `SELECT indexname FROM pg_indexes WHERE schemaname = 'baseline' AND indexdef LIKE '% gin %'`,
    )
    for (const { indexname } of searches) await client.query(`DROP INDEX baseline."${indexname}"`)
    await client.query('VACUUM ANALYZE')
    const idsOf = async (links) =>
      (
        await client.query('SELECT id FROM links WHERE slug = ANY($1)', [links.map(({ slug }) => slug)])
      ).rows.map(({ id }) => id)
    const { rows: workspaces } = await client.query('SELECT id FROM workspaces')
    const { rows: hooks } = await client.query('SELECT webhook_id AS id FROM deliveries LIMIT 1')
    return {
      workspaceId: workspaces[0].id,
      uuids: { links: await idsOf(links), clicked: await idsOf(clicked), webhook: hooks[0].id },
    }
  } finally {
    await client.end()
  }
}
