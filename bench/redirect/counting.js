/** Checks that every redirect is counted, and how soon. */
import { call } from '../lib/client.js'
import { line } from '../lib/report.js'
import { pause } from '../lib/run.js'

const countedWithinMs = 10_000
const timeoutMs = 60_000

/**
 * Waits until the counters of the links include every redirect. The counters are read only when the journal is empty,
 * because reading all links would slow down the service. When a load at full speed stops, each connection may have a
 * request in flight that is counted without a response. Such surplus clicks are expected from then on.
 */
export async function untilCounted(service, clicks) {
  const began = performance.now()
  let allAfterMs = null
  let counted = -1
  for (; performance.now() - began < timeoutMs; await pause(100)) {
    if ((await pendingClicks(service)) > 0) continue
    const before = counted
    counted = await sumOfClicks(service)
    if (counted >= clicks.expected) allAfterMs ??= performance.now() - began
    // Requests in flight may be counted slightly later.
    if (allAfterMs !== null && counted === before) break
  }
  const surplus = counted - clicks.expected
  clicks.expected = Math.max(clicks.expected, counted)
  return { ms: allAfterMs ?? Infinity, missing: Math.max(0, -surplus), surplus: Math.max(0, surplus) }
}

/** Prints the results. `inFlight` is the maximum number of requests in flight when the load stopped. */
export function printCounting(counting, inFlight) {
  const worst = (name) => Math.max(...counting.map((each) => each[name]))
  line('all clicks counted after', {
    figure: worst('ms') === Infinity ? 'not in 60 s' : `${(worst('ms') / 1000).toFixed(1)} s`,
    judged: worst('ms'),
    goal: { atMost: countedWithinMs },
    goalText: '≤ 10 s',
    budget: 'all redirects counted',
  })
  line('clicks missing after a minute', {
    figure: String(worst('missing')),
    judged: worst('missing'),
    goal: { atMost: 0 },
  })
  line('surplus clicks of requests in flight at the end', {
    figure: String(worst('surplus')),
    judged: worst('surplus'),
    goal: { atMost: inFlight },
  })
}

async function pendingClicks(service) {
  const { text } = await call(service, 'GET', '/metrics')
  return Number(/^\w*journal_pending_clicks (\d+)$/m.exec(text)[1])
}

async function sumOfClicks(service) {
  let sum = 0
  for (let cursor = ''; cursor !== null;) {
    const path = `${service.api}/v1/links?limit=100&sort=-clicks${cursor && `&cursor=${cursor}`}`
    const { body } = await call(service, 'GET', path)
    for (const { clicks } of body.data) sum += clicks.total
    cursor = body.next_cursor
  }
  return sum
}
