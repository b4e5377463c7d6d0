/**
 * Measures every list with its orders and filters in a workspace with a million links, clicks, events and deliveries.
 */
import pg from 'pg'

import { call } from '../lib/client.js'
import { heading, line, milliseconds, quantile, summary } from '../lib/report.js'
import { waitUntil } from '../lib/run.js'
import { fill } from './fill.js'
import { lists } from './lists.js'

/** Time after which a list gets no more requests. */
const maxMsPerList = 3_000

export async function measureMillion(service, { url }, receiver, { count, asks, only }) {
  const began = performance.now()
  const world = { count, ...(await makeTemplates(service, receiver, url)) }
  world.to = Date.now()
  world.from = await fill(url, count, { webhooks: world.webhookIds, now: world.to })
  // One of the links that have clicks and events.
  world.linkId = (await call(service, 'GET', `${service.api}/v1/links?external_id=ext2`)).body.data[0].id
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  heading(
    `p95 of lists at one connection (next page in brackets), ${count.toLocaleString('en')} rows each, filled in ${seconds} s`,
  )
  for (const list of lists(world)) if (list.name.includes(only)) await measureList(service, list, asks)
  if ('cold redirect'.includes(only)) await measureColdRedirects(service, count)
  summary()
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

async function measureList(service, { name, path, limitMs }, asks) {
  const at = (i, cursor) => `${service.api}/v1${path(i)}${cursor ? `&${cursor}` : ''}`
  const isFeed = /[?&]after=/.test(path(0))
  const times = { first: [], next: [] }
  const begin = performance.now()
  // The first request warms up.
  for (let i = 0; i <= asks && (i < 2 || performance.now() - begin < maxMsPerList); i++) {
    const first = await call(service, 'GET', at(i))
    const { next_cursor: cursor } = first.body
    // A feed continues with `after` instead of `cursor`.
    const nextPath = isFeed ? at(i).replace('after=', `after=${cursor}`) : at(i, `cursor=${cursor}`)
    const next = cursor && (await call(service, 'GET', nextPath))
    if (i === 0) continue
    times.first.push(first.ms)
    if (next) times.next.push(next.ms)
  }
  const p95 = quantile(times.first, 0.95)
  const nextP95 = times.next.length > 0 ? quantile(times.next, 0.95) : 0
  line(name, {
    figure: milliseconds(p95),
    baseline: nextP95 ? `(${milliseconds(nextP95)})` : '',
    judged: Math.max(p95, nextP95),
    goal: { atMost: limitMs },
    goalText: `≤ ${limitMs} ms`,
  })
}

/** Measures redirects of uncached slugs by requesting each slug once. */
async function measureColdRedirects(service, count) {
  const times = []
  for (let i = 0; i < 1_000; i++) {
    const number = 1 + ((i * 7919) % count)
    // Every 500th link is disabled.
    if (number % 500 !== 0) times.push((await call(service, 'HEAD', `/slug${number}`)).ms)
  }
  line('cold redirect', { figure: milliseconds(quantile(times, 0.95)) })
}
