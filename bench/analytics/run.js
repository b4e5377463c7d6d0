/**
 * Analytics over many clicks: p95 of every dimension and granularity for the workspace and its most clicked link,
 * roll-up speed, storage per click, and the cost of the roller for ingestion. A second installation with clicks over
 * twelve months measures long ranges. A click count of 0 skips a part. --short measures only the
 * queries, in data that is kept for later runs. Run after a build:
 *
 *     node bench/analytics/run.js [--clicks 10000000] [--days 60] [--clicks-of-year 1000000] [--samples 20]
 *       [--short]
 */
import { parseArgs } from 'node:util'

import { dimensions } from '../../dist/analytics/dimensions.js'
import { call, closeClient } from '../lib/client.js'
import { startDatabase } from '../lib/database.js'
import { startPreparedDatabase } from '../lib/prepared.js'
import { heading, line, megabytes, milliseconds, perSecond, quantile, summary } from '../lib/report.js'
import { runBenchmark } from '../lib/run.js'
import { startService } from '../lib/service.js'
import { fillInstallation, withClient } from './fill.js'
import { measureIngest } from './ingest.js'

const { values } = parseArgs({
  options: {
    clicks: { type: 'string', default: '10000000' },
    days: { type: 'string', default: '60' },
    'clicks-of-year': { type: 'string', default: '1000000' },
    links: { type: 'string', default: '10000' },
    samples: { type: 'string', default: '20' },
    short: { type: 'boolean', default: false },
  },
})
const [links, samples] = [values.links, values.samples].map(Number)
const groups = ['', ...dimensions, 'tag']
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const granularities = ['hour', 'day', 'week', 'month']
const weeks = {
  clicks: Number(values.clicks),
  days: Number(values.days),
  intervals: ['24h', '7d', '30d', '90d', '12mo'],
}
const year = { clicks: Number(values['clicks-of-year']), days: 365, intervals: ['90d', '12mo'] }
// The API refuses this many points.
const hasTooManyHours = new Set(['90d', '12mo'])
const goal = { atMost: 150 }
/** For a year of a dimension with many values. */
const goalOfYear = { atMost: 500 }

await runBenchmark({ minutes: 240 }, async (undo) => {
  undo(closeClient)
  if (weeks.clicks > 0) {
    const { url, service } = await measureInstallation(undo, weeks)
    // Stop the service, which runs its own roller.
    await service.stop()
    if (!values.short) await measureIngest(url)
  }
  if (year.clicks > 0) await measureInstallation(undo, year)
  summary()
})

async function measureInstallation(undo, { clicks, days, intervals }) {
  const size = { clicks, days, links }
  const { url, service, data } = await (values.short ? startPrepared(undo, size) : fillNew(undo, size))
  heading(`${clicks.toLocaleString('en')} clicks in ${days} days over ${links.toLocaleString('en')} links`)
  if (!values.short) {
    line('clicks rolled up', { figure: perSecond(clicks / data.rollUpSeconds) })
    await measureStorage(url, clicks)
  }
  for (const [name, path] of [
    ['workspace', `${service.api}/v1/analytics`],
    ['hottest link', `${service.api}/v1/links/${data.hottestLink}/analytics`],
  ])
    await measureQueries(service, { name, path, intervals, clicks, until: data.until })
  return { url, service }
}

async function fillNew(undo, size) {
  const database = await startDatabase(undo)
  const { service, ...data } = await fillInstallation(undo, database, size)
  return { url: database.url, service, data }
}

async function startPrepared(undo, size) {
  const { database, data } = await startPreparedDatabase(undo, 'analytics', size, async (filled) => {
    const { service, ...rest } = await fillInstallation(undo, filled, size)
    await service.stop()
    return { ...rest, token: service.token }
  })
  const settings = { ...database.settings, LOG_LEVEL: 'warn' }
  const service = await startService(undo, { settings, token: data.token })
  return { url: database.url, service, data }
}

async function measureStorage(url, clicks) {
  const sizes = await withClient(url, (query) =>
    query(`
      SELECT parent AS name, sum(pg_table_size(oid)) AS rows, sum(pg_indexes_size(oid)) AS indexes FROM (
        SELECT 'clicks' AS parent, inhrelid AS oid FROM pg_inherits WHERE inhparent = 'clicks'::regclass
        UNION ALL SELECT 'click_counts', 'click_counts'::regclass
        UNION ALL SELECT 'click_totals', 'click_totals'::regclass
        UNION ALL SELECT 'click_days', 'click_days'::regclass
        UNION ALL SELECT 'counted_visitors', 'counted_visitors'::regclass
      ) AS tables GROUP BY 1 ORDER BY 1`),
  )
  for (const { name, rows, indexes } of sizes) {
    const bytes = Number(rows) + Number(indexes)
    line(`${name}: bytes per click (rows + indexes)`, {
      figure: (bytes / clicks).toFixed(0),
      baseline: `${(rows / clicks).toFixed(0)} + ${(indexes / clicks).toFixed(0)}`,
      judged: bytes / clicks,
      ...(name === 'clicks' ? { goal: { atMost: 300 } } : {}),
    })
    line(`${name}: for 100 million clicks at this rate`, {
      figure: megabytes(((bytes / clicks) * 1e8) / 2 ** 20),
    })
  }
}

async function measureQueries(service, { name, path, intervals, clicks, until }) {
  const count = clicks.toLocaleString('en')
  const isLink = path.includes('/links/')
  for (const interval of intervals) {
    const queries = [
      ...groups
        .filter((group) => !isLink || (group !== 'link' && group !== 'tag'))
        .map((group) => ({ group, query: group && `&group_by=${group}` })),
      ...granularities
        .filter((unit) => unit !== 'hour' || !hasTooManyHours.has(interval))
        .map((unit) => ({ group: unit, query: `&group_by=time&granularity=${unit}` })),
      { group: 'day, Berlin', query: '&group_by=time&granularity=day&timezone=Europe/Berlin' },
      { group: 'country, Kathmandu', query: '&group_by=country&timezone=Asia/Kathmandu' },
    ]
    for (const { group, query } of queries) {
      const times = []
      let refused = ''
      // The first request warms up.
      for (let i = 0; i <= samples; i++) {
        const response = await call(service, 'GET', `${path}?${rangeOf(interval, until)}${query}`).catch(
          (error) => error,
        )
        if (response instanceof Error) refused = response.message
        else if (i > 0) times.push(response.ms)
      }
      const p95 = quantile(times, 0.95)
      if (refused) console.log(`${name}, ${interval}, ${group}: ${refused.slice(0, 160)}`)
      else
        line(`${name}, ${interval}, ${group || 'totals'}`, {
          figure: milliseconds(p95),
          judged: p95,
          ...(interval === '12mo'
            ? { goal: goalOfYear, budget: `p95 of a year of analytics, ${count} clicks` }
            : { goal, budget: `p95 of analytics up to 90 days, ${count} clicks` }),
          goalText: `≤ ${interval === '12mo' ? goalOfYear.atMost : goal.atMost} ms`,
        })
    }
  }
}

/**
 * Returns the parameters of the range that `interval` had at `until`, the time of the newest click. Prepared data may be
 * days old, so that `interval` itself would contain fewer clicks.
 */
function rangeOf(interval, until) {
  const range = (start, end) => `start=${start.toISOString()}&end=${end.toISOString()}`
  const hour = Math.floor(until / hourMs) * hourMs
  if (interval === '24h') return range(new Date(hour - 23 * hourMs), new Date(hour + hourMs))
  const dates = (start, end) =>
    `start=${start.toISOString().slice(0, 10)}&end=${end.toISOString().slice(0, 10)}`
  const tomorrow = new Date(until + dayMs)
  const last = new Date(until)
  if (interval === '12mo')
    return dates(new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() - 11)), tomorrow)
  return dates(new Date(until - (parseInt(interval) - 1) * dayMs), tomorrow)
}
