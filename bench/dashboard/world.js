/** A large workspace: a million rows in every list, and clicks that are rolled up. */
import { fill, makeTemplates } from '../api/fill.js'
import { fillClicks, fillLinks, isRolledUp, withClient } from '../analytics/fill.js'

import { startHelper } from '../lib/child.js'
import { waitUntil } from '../lib/run.js'
import { startService } from '../lib/service.js'

/** The number of links with clicks. A few of them have most clicks. */
const clickedLinks = 10_000
const rollUpTimeoutMs = 60 * 60_000

/** Fills the database. Returns the token and the ID of a webhook. */
export async function fillWorld(undo, { url, settings }, { count, clicks, days }) {
  const receiver = await startHelper(undo, new URL('../lib/counting-receiver.js', import.meta.url))
  const service = await startService(undo, { settings })
  const { webhook, webhookIds } = await makeTemplates(service, receiver.hello, url)
  const now = Date.now()
  await fill(url, count, { webhooks: webhookIds, now, hasClicks: false })
  // Remove the click of the template, which is newer than all filled clicks and would slow down the roll-up.
  await withClient(url, (query) =>
    query(
      'TRUNCATE clicks, link_counters, analytics_places, click_counts, click_totals, click_days, counted_visitors',
    ),
  )
  await fillLinks(url, clickedLinks)
  await fillClicks(url, { clicks, days, until: now })
  if (!(await waitUntil(() => isRolledUp(url), { ms: rollUpTimeoutMs, every: 1_000 })))
    throw new Error('the clicks were not rolled up')
  await withClient(url, (query) => query('VACUUM ANALYZE'))
  await service.stop()
  return { token: service.token, webhook }
}
