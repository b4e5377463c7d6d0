/** A workspace after some busy years: a million of everything that has a list, and clicks that are rolled up. */
import { fill } from '../api/fill.js'
import { makeTemplates } from '../api/million.js'
import { fillClicks, fillLinks, isRolledUp, withClient } from '../analytics/fill.js'

import { startHelper } from '../lib/child.js'
import { waitUntil } from '../lib/run.js'
import { startService } from '../lib/service.js'

/** Clicks are spread over these, a few of them having most. */
const clickedLinks = 10_000
const rollUpPatienceMs = 60 * 60_000

/** Fills the database and stops the service that did it. Returns what a browser needs to find its way. */
export async function fillWorld(undo, { url, settings }, { count, clicks, days }) {
  const receiver = await startHelper(undo, new URL('../lib/counting-receiver.js', import.meta.url))
  const service = await startService(undo, { settings })
  const { webhook, webhookIds } = await makeTemplates(service, receiver.hello, url)
  const now = Date.now()
  await fill(url, count, { webhooks: webhookIds, now, hasClicks: false })
  // The template's click is of today. All others would be later than it, and their visitors counted anew with each step.
  await withClient(url, (query) =>
    query(
      'TRUNCATE clicks, link_counters, analytics_places, click_counts, click_totals, click_days, counted_visitors',
    ),
  )
  await fillLinks(url, clickedLinks)
  await fillClicks(url, { clicks, days, until: now })
  if (!(await waitUntil(() => isRolledUp(url), { ms: rollUpPatienceMs, every: 1_000 })))
    throw new Error('the clicks were not rolled up')
  await withClient(url, (query) => query('VACUUM ANALYZE'))
  await service.stop()
  return { token: service.token, webhook }
}
