/** Compares what was sent and received with every table, count and feed of the service. */
import { encodeId } from '../../../src/platform/database/ids.js'
import { call } from '../service.js'
import { waitFor } from '../wait-for.js'
import type { Traffic } from './traffic.js'
import type { WebhookLog } from './webhook-log.js'

export interface Reconciled {
  traffic: Traffic
  log: WebhookLog
  origin: string
  token: string
  query: <T>(sql: string, values?: unknown[]) => Promise<T[]>
}

export interface Reconciliation {
  /** The compared numbers, for the report. */
  counts: Record<string, number>
  /** Empty if nothing was lost or repeated. */
  differences: string[]
}

const shownOfEach = 5
const pageSize = 100

/** Waits until everything is counted and delivered. If the wait ends early, the comparison shows what is missing. */
export async function waitUntilSettled(subject: Reconciled, timeoutMs = 60_000): Promise<void> {
  await waitFor('all clicks and deliveries', () => isSettled(subject), timeoutMs).catch(() => undefined)
}

/** Waits until everything is counted and delivered, and compares it. */
export async function reconcile(subject: Reconciled, timeoutMs = 60_000): Promise<Reconciliation> {
  await waitUntilSettled(subject, timeoutMs)
  let latest = await compare(subject)
  await waitFor(
    'no difference',
    async () => latest.differences.length === 0 || ((latest = await compare(subject)), false),
    timeoutMs / 4,
  ).catch(() => undefined)
  return latest
}

async function isSettled({ traffic, query }: Reconciled): Promise<boolean> {
  const [row] = await query<{ clicks: number; uncounted: number; pending: boolean }>(
    `SELECT (SELECT count(*)::int FROM clicks) AS clicks,
       (SELECT count(*)::int FROM clicks) - (SELECT COALESCE(sum(total), 0)::int FROM link_counters) AS uncounted,
       EXISTS (SELECT FROM deliveries WHERE status = 'pending') AS pending`,
  )
  return row!.clicks >= traffic.redirects && row!.uncounted === 0 && !row!.pending
}

interface LinkRow {
  id: string
  slug: string
  title: string | null
  total: number
}

interface ClickRow {
  link_id: string
  url: string
  event_id: string | null
}

interface EventRow {
  id: string
  type: string
  link_id: string
}

async function compare(subject: Reconciled): Promise<Reconciliation> {
  const { traffic, log, query } = subject
  const links = await query<LinkRow>(
    `SELECT id, slug, title, total::int FROM links JOIN link_counters ON link_id = id`,
  )
  const clicks = await query<ClickRow>(
    `SELECT clicks.link_id, COALESCE(clicks.url, click_targets.url) AS url, event_id
     FROM clicks LEFT JOIN click_targets ON click_targets.id = target_id`,
  )
  const events = await query<EventRow>(
    `SELECT id, type, link_id FROM events WHERE type IN ('link.created', 'link.updated', 'click')`,
  )
  const differences: string[] = []
  const add = (found: readonly string[]) => differences.push(...found.slice(0, shownOfEach))

  add(compareLinks(traffic, links))
  const surplus = compareClicks(traffic, links, clicks, add)
  add(compareEvents(traffic, clicks, events))
  add(await compareDeliveries(subject, events))
  add(compareReceived(log, events))
  add(log.faults())
  const feeds = await compareFeeds(subject, events, clicks.length, add)
  return {
    counts: {
      links: links.length,
      titles: links.filter(({ title }) => title !== null).length,
      visits: traffic.visits.size,
      redirects: traffic.redirects,
      clicks: clicks.length,
      'clicks whose redirect was not received': surplus,
      'clicks in analytics': feeds.analytics,
      events: events.length,
      deliveries: events.length * log.paths.length,
      'received requests': log.receiver.received.length,
      'failed requests': traffic.failures.length,
    },
    differences,
  }
}

function compareLinks(traffic: Traffic, rows: readonly LinkRow[]): string[] {
  const found = new Map(rows.map((row) => [encodeId('lnk', row.id), row]))
  const wrong = traffic.links.flatMap(({ id, slug, title }) => {
    const row = found.get(id)
    if (!row) return [`link ${id} was acknowledged and is missing`]
    return row.slug === slug && row.title === title ? [] : [`link ${id} differs: ${JSON.stringify(row)}`]
  })
  const surplus = rows.length - traffic.links.length
  return surplus === 0 ? wrong : [...wrong, `there are ${surplus} more links than acknowledged`]
}

/** Returns the number of clicks whose redirect was not received, for example because the load balancer was killed. */
function compareClicks(
  traffic: Traffic,
  links: readonly LinkRow[],
  clicks: readonly ClickRow[],
  add: (found: string[]) => void,
): number {
  const recorded = new Map<string, number>()
  const perLink = new Map<string, number>()
  for (const { link_id, url } of clicks) {
    const visit = url.slice(url.indexOf('?'))
    recorded.set(visit, (recorded.get(visit) ?? 0) + 1)
    perLink.set(link_id, (perLink.get(link_id) ?? 0) + 1)
  }
  let surplus = 0
  const [lost, repeated, unknown]: [string[], string[], string[]] = [[], [], []]
  for (const [visit, isReceived] of traffic.visits)
    if (isReceived && !recorded.has(visit)) lost.push(`the click ${visit} is lost`)
  for (const [visit, count] of recorded) {
    if (count > 1) repeated.push(`the click ${visit} was recorded ${count} times`)
    const isReceived = traffic.visits.get(visit)
    if (isReceived === undefined) unknown.push(`the click ${visit} was never sent`)
    else if (!isReceived) surplus += 1
  }
  for (const found of [lost, repeated, unknown]) add(found)
  add(
    links.flatMap(({ id, total }) => {
      const count = perLink.get(id) ?? 0
      return total === count ? [] : [`link ${encodeId('lnk', id)} counts ${total} clicks and has ${count}`]
    }),
  )
  return surplus
}

function compareEvents(traffic: Traffic, clicks: readonly ClickRow[], events: readonly EventRow[]): string[] {
  const listEventLinks = (wanted: string) =>
    events.filter(({ type }) => type === wanted).map(({ link_id }) => encodeId('lnk', link_id))
  const titled = traffic.links.filter(({ title }) => title !== null)
  const clickEvents = new Set(events.filter(({ type }) => type === 'click').map(({ id }) => id))
  const ofClicks = new Set(clicks.map(({ event_id }) => event_id))
  return [
    ...compareSets(
      'link.created',
      listEventLinks('link.created'),
      traffic.links.map(({ id }) => id),
    ),
    ...compareSets(
      'link.updated',
      listEventLinks('link.updated'),
      titled.map(({ id }) => id),
    ),
    ...compareSets('click', [...clickEvents], [...ofClicks].map(String)),
    ...(ofClicks.size === clicks.length ? [] : [`${clicks.length} clicks have ${ofClicks.size} events`]),
  ]
}

/** Both lists must contain the same texts once. */
function compareSets(what: string, found: readonly string[], expected: readonly string[]): string[] {
  const [present, wanted] = [new Set(found), new Set(expected)]
  return [
    ...(present.size === found.length ? [] : [`${what}: ${found.length - present.size} are repeated`]),
    ...[...wanted].filter((each) => !present.has(each)).map((each) => `${what}: ${each} is missing`),
    ...[...present].filter((each) => !wanted.has(each)).map((each) => `${what}: ${each} is not expected`),
  ]
}

async function compareDeliveries(
  { log, query, origin, token }: Reconciled,
  events: readonly EventRow[],
): Promise<string[]> {
  const faults = await query<{ url: string; event_id: string; count: number; statuses: string }>(
    `SELECT webhooks.url, events.id AS event_id, count(deliveries.id)::int, string_agg(deliveries.status, ' ') AS statuses
     FROM webhooks CROSS JOIN events
     LEFT JOIN deliveries ON deliveries.webhook_id = webhooks.id AND deliveries.event_id = events.id
     WHERE events.type IN ('link.created', 'link.updated', 'click')
     GROUP BY 1, 2
     HAVING count(deliveries.id) <> 1 OR bool_or(deliveries.status <> 'succeeded')
     LIMIT $1`,
    [shownOfEach],
  )
  const wrong = faults.map(
    ({ url, event_id, count, statuses }) =>
      `${new URL(url).pathname} has ${count} deliveries of event ${event_id}: ${statuses}`,
  )
  const hooks = await call(origin, 'GET', '/v1/webhooks', { token, undocumented: true })
  for (const { id, url } of hooks.body.data as { id: string; url: string }[]) {
    const stats = await call(origin, 'GET', `/v1/webhooks/${id}/stats`, { token, undocumented: true })
    const { emitted, succeeded } = stats.body as Record<string, number>
    if (emitted !== events.length || succeeded !== events.length)
      wrong.push(
        `${new URL(url).pathname} has ${emitted} emitted and ${succeeded} succeeded, of ${events.length} events`,
      )
  }
  if (hooks.body.data.length !== log.paths.length) wrong.push(`there are ${hooks.body.data.length} webhooks`)
  return wrong
}

function compareReceived(log: WebhookLog, events: readonly EventRow[]): string[] {
  const expected = events.map(({ id }) => encodeId('evt', id))
  return log.paths.flatMap((path) => {
    const received = [...new Set(log.eventsAt(path).map(({ id }) => id))]
    return compareSets(path, received, expected).slice(0, shownOfEach)
  })
}

/** The feeds return every event and click once, and analytics count every click. */
async function compareFeeds(
  { origin, token }: Reconciled,
  events: readonly EventRow[],
  clicks: number,
  add: (found: string[]) => void,
): Promise<{ analytics: number }> {
  const read = async (path: string): Promise<any> => {
    const { status, body, text } = await call(origin, 'GET', path, { token, undocumented: true })
    if (status !== 200) throw new Error(`GET ${path}: ${status} ${text}`)
    return body
  }
  const readFeed = async (path: string): Promise<string[]> => {
    const ids: string[] = []
    for (let after = ''; ;) {
      const { data, next_cursor } = await read(`${path}?limit=${pageSize}&after=${after}`)
      if (data.length === 0) return ids
      ids.push(...data.map(({ id, type }: { id: string; type?: string }) => `${type ?? 'click'} ${id}`))
      after = next_cursor
    }
  }
  const ofTraffic = (id: string) => /^(?:link\.created|link\.updated|click) /.test(id)
  const feed = (await readFeed('/v1/events')).filter(ofTraffic)
  add(
    compareSets(
      'the feed of events',
      feed,
      events.map(({ type, id }) => `${type} ${encodeId('evt', id)}`),
    ),
  )
  const clickFeed = await readFeed('/v1/clicks')
  if (new Set(clickFeed).size !== clicks || clickFeed.length !== clicks)
    add([`the feed has ${clickFeed.length} clicks of ${clicks}`])
  const analytics = (await read('/v1/analytics')).totals.clicks as number
  if (analytics !== clicks) add([`analytics count ${analytics} of ${clicks} clicks`])
  return { analytics }
}
