/**
 * Measures every list with its orders and filters in a workspace with a million links, clicks, events and deliveries.
 */
import { call } from '../lib/client.js'
import { heading, line, milliseconds, quantile, summary } from '../lib/report.js'
import { lists } from './lists.js'

/** Time after which a list gets no more requests. */
const maxMsPerList = 3_000

/** Measures the lists in the data that `fillMillion` created. Cold redirects are left out in short form: they add clicks. */
export async function measureMillion(service, world, { samples, only, isShort }) {
  const { count } = world
  const rows = `${count.toLocaleString('en')} rows`
  heading(`p95 of lists at one connection (next page in brackets), ${rows} each`)
  for (const list of lists(world))
    if (list.name.includes(only)) await measureList(service, list, samples, rows)
  if (!isShort && 'cold redirect'.includes(only)) await measureColdRedirects(service, count)
  summary()
}

async function measureList(service, { name, path, limitMs }, samples, rows) {
  const at = (i, cursor) => `${service.api}/v1${path(i)}${cursor ? `&${cursor}` : ''}`
  const isFeed = /[?&]after=/.test(path(0))
  const times = { first: [], next: [] }
  const begin = performance.now()
  // The first request warms up.
  for (let i = 0; i <= samples && (i < 2 || performance.now() - begin < maxMsPerList); i++) {
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
    budget: `p95 of lists ${limitMs === 50 ? 'in default order' : 'with a filter, order or search'}, ${rows}`,
    judgedFigure: milliseconds(Math.max(p95, nextP95)),
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
