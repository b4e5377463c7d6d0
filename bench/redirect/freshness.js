/** The delay from a redirect until the API returns the click, under load. */
import { call } from '../lib/client.js'
import { browserHeaders } from '../lib/connection.js'
import { constantRate } from '../lib/constant-rate.js'
import { line, milliseconds, perSecond, quantile } from '../lib/report.js'
import { pause } from '../lib/run.js'

const sampledPerSecond = 30
const readEveryMs = 20

/**
 * Samples the clicks of one link, because a reader of all clicks would be the bottleneck. The measured delay is too
 * high by at most one pause and one call.
 */
export async function measureFreshness(service, { visitors, seconds, offeredPerSecond, requests }) {
  const newLink = { url: 'https://www.example.com/sampled' }
  const { body: sampled } = await call(service, 'POST', `${service.api}/v1/links`, newLink)
  const load = { port: service.port, seconds, headers: browserHeaders }
  const loads = Promise.all([
    constantRate({ ...load, perSecond: offeredPerSecond, requests }),
    constantRate({ ...load, perSecond: sampledPerSecond, requests: [{ path: `/${sampled.slug}` }] }),
  ])
  const expected = seconds * sampledPerSecond
  const delays = []
  for (
    let cursor = '', end = Date.now() + (seconds + 30) * 1000;
    delays.length < expected && Date.now() < end;
  ) {
    const path = `${service.api}/v1/clicks?link_id=${sampled.id}&limit=100&after=${cursor}`
    const { body } = await call(service, 'GET', path)
    const readAt = Date.now()
    for (const { occurred_at } of body.data) delays.push(readAt - Date.parse(occurred_at))
    cursor = body.next_cursor ?? cursor
    if (!body.has_more) await pause(readEveryMs)
  }
  await loads
  const p99 = delays.length < expected ? Infinity : quantile(delays, 0.99)
  line(`p99 from click to readable, ${visitors}`, {
    figure: milliseconds(p99),
    judged: p99,
    goal: { atMost: 1_000 },
    goalText: '≤ 1 s',
    budget: `p99 until a click is readable, ${perSecond(offeredPerSecond)}`,
  })
  line(`p50 from click to readable, ${visitors}`, { figure: milliseconds(quantile(delays, 0.5)) })
}
