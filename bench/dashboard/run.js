/**
 * The dashboard in a browser, for a workspace with a million links, events and deliveries and clicks of 60 days: first
 * page, next page of each list, charts, and memory of the live view. Run after a build, with Chromium at
 * /usr/bin/chromium or the path in CHROMIUM:
 *
 *     node bench/dashboard/run.js [--count 1000000] [--clicks 10000000] [--samples 30] [--live 180]
 */
import { parseArgs } from 'node:util'

import { closeClient } from '../lib/client.js'
import { startDatabase } from '../lib/database.js'
import { summary } from '../lib/report.js'
import { runBenchmark } from '../lib/run.js'
import { startService } from '../lib/service.js'
import { openBrowser } from './browser.js'
import { measureCharts, measureFirstPage, measureLists, measureLive } from './measure.js'
import { fillWorld } from './world.js'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    clicks: { type: 'string', default: '10000000' },
    samples: { type: 'string', default: '30' },
    live: { type: 'string', default: '180' },
  },
})
const [count, clicks, samples, seconds] = [values.count, values.clicks, values.samples, values.live].map(
  Number,
)
const forReceivers = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8' }

await runBenchmark({ minutes: 180 }, async (undo) => {
  undo(closeClient)
  const database = await startDatabase(undo)
  const settings = { ...database.settings, ...forReceivers, LOG_LEVEL: 'warn' }
  const world = await fillWorld(undo, { url: database.url, settings }, { count, clicks, days: 60 })
  const service = await startService(undo, { settings, token: world.token })
  const browser = await openBrowser(undo, service)
  await measureFirstPage(browser, samples)
  await measureLists(browser, world, samples)
  const hottest = await measureCharts(browser, service, samples)
  await measureLive(browser, service, hottest, { seconds, perSecond: 200 })
  summary()
})
